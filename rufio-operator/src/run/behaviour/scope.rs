//! Which Secrets an object may refer to.

use std::time::Duration;

use bmc_core::Bmc;

use crate::api::Connection;
use crate::connect::{Connect, ConnectError, secrets_field, secrets_of};
use crate::store::Key;

/// Refuses Secrets of other namespaces, if asked to: whoever may write a Machine could else send any Secret to a host of
/// his choice.
#[derive(Clone, Debug)]
pub(super) struct Scoped<C> {
    pub(super) connect: C,
    pub(super) own_namespace_only: bool,
}

impl<C: Connect> Connect for Scoped<C> {
    async fn connect(
        &self,
        connection: &Connection,
        owner_namespace: &str,
    ) -> Result<Bmc, ConnectError> {
        let foreign = secrets_of(connection, owner_namespace)
            .into_iter()
            .find(|secret| secret.namespace != owner_namespace);
        match foreign {
            Some(secret) if self.own_namespace_only => Err(ConnectError::Invalid {
                field: secrets_field(connection),
                reason: format!(
                    "{} is not allowed: --secret-scope is same-namespace, which is {owner_namespace}",
                    secret.namespace
                ),
            }),
            _ => self.connect.connect(connection, owner_namespace).await,
        }
    }

    fn secret_changed(&self, secret: &Key) {
        self.connect.secret_changed(secret);
    }

    fn notice(&self, connection: &Connection, owner_namespace: &str) -> Option<String> {
        self.connect.notice(connection, owner_namespace)
    }

    fn close(&self, limit: Duration) -> impl Future<Output = ()> + Send {
        self.connect.close(limit)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::SecretReference;

    /// Makes handles without providers.
    #[derive(Clone)]
    struct Anyhow;

    impl Connect for Anyhow {
        async fn connect(&self, _: &Connection, _: &str) -> Result<Bmc, ConnectError> {
            Ok(Bmc::builder().build())
        }
    }

    #[tokio::test]
    async fn every_secret_of_a_webhook_counts() {
        let scoped = Scoped {
            connect: Anyhow,
            own_namespace_only: true,
        };
        let to = |sha512: serde_json::Value| {
            let secrets = json!({"sha256": [{"name": "a"}, {"name": "b", "namespace": "here"}], "sha512": [sha512]});
            let options =
                json!({"rpc": {"consumerURL": "http://a/", "hmac": {"secrets": secrets}}});
            // What a webhook does not use is not looked at.
            let connection = json!({"host": "h", "insecureTLS": true, "providerOptions": options,
                "authSecretRef": {"name": "s", "namespace": "there"}});
            serde_json::from_value::<Connection>(connection).unwrap()
        };
        let near = to(json!({"name": "a", "namespace": ""}));
        assert!(scoped.connect(&near, "here").await.is_ok());
        let far = to(json!({"name": "a", "namespace": "there"}));
        let refused = scoped.connect(&far, "here").await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "spec.connection.providerOptions.rpc.hmac.secrets: there is not allowed: --secret-scope is same-namespace, which is here"
        );
    }

    #[tokio::test]
    async fn a_secret_elsewhere_is_refused_only_when_asked() {
        let to = |namespace: &str| Connection {
            auth_secret_ref: SecretReference {
                name: Some("s".to_owned()),
                namespace: Some(namespace.to_owned()),
            },
            ..Connection::default()
        };
        for (own_namespace_only, namespace, allowed) in [
            (false, "there", true),
            (true, "there", false),
            (true, "here", true),
            (true, "", true),
        ] {
            let scoped = Scoped {
                connect: Anyhow,
                own_namespace_only,
            };
            let result = scoped.connect(&to(namespace), "here").await;
            assert_eq!(
                result.is_ok(),
                allowed,
                "{own_namespace_only} {namespace:?}"
            );
            if let Err(error) = result {
                assert!(
                    error.to_string().contains("there is not allowed"),
                    "{error}"
                );
            }
        }
    }
}
