//! From a Connection and its Secrets to a BMC handle: the one file that names every protocol crate.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::Bmc;
pub use bmc_ipmi::Transport;

use self::http::HttpClients;
use self::port::IpmiWithFallback;
use self::secrets::Secrets;
use self::way::Way;
use crate::api::{Connection, SecretReference};
use crate::bmc_pool::BmcPool;
use crate::store::{Key, SecretData, Store, StoreError};

mod home_assistant;
mod http;
mod options;
mod port;
mod rpc;
mod secrets;
mod way;

/// Turns a [`Connection`] into a handle. The seam that tests replace.
pub trait Connect: Clone + Send + Sync + 'static {
    /// The handle for this connection; the same handle as long as connection and Secrets are unchanged.
    /// `owner_namespace` is where a Secret reference without a namespace looks.
    fn connect(
        &self,
        connection: &Connection,
        owner_namespace: &str,
    ) -> impl Future<Output = Result<Bmc, ConnectError>> + Send;

    /// This Secret has appeared, changed or gone.
    fn secret_changed(&self, _secret: &Key) {}

    /// Something that the owner of a working connection should know.
    fn notice(&self, _connection: &Connection, _owner_namespace: &str) -> Option<String> {
        None
    }

    /// Logs out everywhere; takes at most `limit`.
    fn close(&self, _limit: Duration) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// Limits of the handles that a [`Connect`] makes.
#[derive(Clone, Copy, Debug)]
pub struct ConnectConfig {
    /// Time that logging in and one operation may take: 20 s by default.
    pub attempt_timeout: Duration,
    /// When a handle that nobody asks for is forgotten; longer than the poll interval. 2 h by default.
    pub idle: Duration,
}

/// Connects by IPMI over one [`Transport`], by webhook, or by Home Assistant. Clones share handles and Secrets.
#[derive(Clone, Debug)]
pub struct Connector<S> {
    shared: Arc<Shared<S>>,
}

#[derive(Debug)]
struct Shared<S> {
    store: S,
    transport: Transport,
    config: ConnectConfig,
    secrets: Secrets,
    http: HttpClients,
    pool: BmcPool<PoolKey, Option<IpmiWithFallback>>,
}

/// One BMC, reached in one way with these Secrets.
type PoolKey = (Way, Vec<Key>);

impl<S: Store> Connector<S> {
    /// Reads Secrets from `store` and reaches BMCs over `transport`.
    pub fn new(store: S, transport: Transport, config: ConnectConfig) -> Self {
        Self {
            shared: Arc::new(Shared {
                store,
                transport,
                config,
                secrets: Secrets::default(),
                http: HttpClients::default(),
                pool: BmcPool::new(config.idle),
            }),
        }
    }

    /// Number of BMCs that a handle is kept for.
    pub fn handles(&self) -> usize {
        self.shared.pool.len()
    }
}

impl<S: Store> Connect for Connector<S> {
    async fn connect(
        &self,
        connection: &Connection,
        owner_namespace: &str,
    ) -> Result<Bmc, ConnectError> {
        let shared = &self.shared;
        let way = Way::of(connection)?;
        let names = secrets_of(connection, owner_namespace);
        let mut secrets = Vec::with_capacity(names.len());
        for name in &names {
            secrets.push(shared.secrets.read(&shared.store, name).await?);
        }
        let versions: Vec<&str> = secrets.iter().map(|it| it.version.as_str()).collect();
        let version = versions.join(",");
        let key = (way, names);
        let handle = shared.pool.get_or_build(&key, &version, || {
            let named: Vec<(&Key, &SecretData)> = key.1.iter().zip(&secrets).collect();
            let bmc = Bmc::builder().attempt_timeout(shared.config.attempt_timeout);
            Ok(match &key.0 {
                Way::Ipmi(options) => {
                    let provider = options.provider(&named, &shared.transport)?;
                    (bmc.provider(provider.clone()).build(), Some(provider))
                }
                Way::Rpc(webhook) => {
                    let provider = webhook.provider(&named, owner_namespace, &shared.http)?;
                    (bmc.provider(provider).build(), None)
                }
                Way::HomeAssistant(switch) => {
                    let provider = switch.provider(&named, &shared.http)?;
                    (bmc.provider(provider).build(), None)
                }
            })
        });
        Ok(handle?.0)
    }

    fn secret_changed(&self, secret: &Key) {
        self.shared.secrets.forget(secret);
    }

    fn notice(&self, connection: &Connection, owner_namespace: &str) -> Option<String> {
        let way = Way::of(connection).ok()?;
        let key = (way, secrets_of(connection, owner_namespace));
        let in_use = self.shared.pool.extra(&key)??.is_in_use();
        match &key.0 {
            Way::Ipmi(options) if in_use => options.notice(),
            _ => None,
        }
    }

    async fn close(&self, limit: Duration) {
        self.shared.pool.close(limit).await;
    }
}

impl Default for ConnectConfig {
    fn default() -> Self {
        Self {
            attempt_timeout: Duration::from_secs(20),
            idle: Duration::from_secs(2 * 3600),
        }
    }
}

/// The Secrets that a connection needs: those that sign its webhook, else the one with the credential.
pub fn secrets_of(connection: &Connection, owner_namespace: &str) -> Vec<Key> {
    let Some(webhook) = connection.webhook() else {
        let reference = &connection.auth_secret_ref;
        return secret_key(reference, owner_namespace).into_iter().collect();
    };
    let references = webhook.hmac.iter().flat_map(|hmac| hmac.secrets.values());
    let keys = references
        .flatten()
        .filter_map(|reference| secret_key(reference, owner_namespace));
    // One Secret may sign with both algorithms.
    keys.collect::<BTreeSet<Key>>().into_iter().collect()
}

/// The field of `spec.connection` that names those Secrets.
pub(crate) fn secrets_field(connection: &Connection) -> &'static str {
    match connection.webhook() {
        Some(_) => "providerOptions.rpc.hmac.secrets",
        None => "authSecretRef.namespace",
    }
}

fn secret_key(reference: &SecretReference, owner_namespace: &str) -> Option<Key> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    Some(Key {
        name: given(&reference.name)?,
        namespace: given(&reference.namespace).unwrap_or_else(|| owner_namespace.to_owned()),
    })
}

/// Why there is no handle. Nothing was sent to the BMC.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ConnectError {
    /// A Secret does not exist (yet).
    #[error("secret {0} not found")]
    SecretMissing(Key),
    /// A Secret lacks a key.
    #[error("secret {secret} has no key {key:?}")]
    SecretKeyMissing {
        /// The Secret.
        secret: Key,
        /// The key that is not there.
        key: &'static str,
    },
    /// A field of the connection is not usable; waiting does not help.
    #[error("spec.connection.{field}: {reason}")]
    Invalid {
        /// Path of the field below `spec.connection`.
        field: &'static str,
        /// What is allowed.
        reason: String,
    },
    /// The Secret could not be read.
    #[error("secret {secret}: {error}")]
    Store {
        /// The Secret.
        secret: Key,
        /// Why.
        error: StoreError,
    },
}

impl ConnectError {
    /// For programs.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::SecretMissing(_) => "SecretMissing",
            Self::SecretKeyMissing { .. } => "SecretInvalid",
            Self::Invalid { .. } => "InvalidSpec",
            Self::Store { .. } => "SecretUnreadable",
        }
    }

    /// Whether it passes by itself, without anybody changing anything.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Store {
                error: StoreError::Unavailable(_) | StoreError::Unknown(_) | StoreError::Conflict,
                ..
            }
        )
    }
}

#[cfg(test)]
mod tests;
