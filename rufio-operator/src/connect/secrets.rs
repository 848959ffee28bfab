//! Secrets by name: read once, kept until they change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bmc_core::Credentials;
use tokio::sync::OnceCell;

use super::ConnectError;
use crate::store::{Key, SecretData, Store};

/// Values of Secrets. A thousand Machines that share one Secret read it once.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    known: Mutex<BTreeMap<Key, Arc<OnceCell<SecretData>>>>,
}

impl Secrets {
    /// The credentials in a Secret, and its version.
    pub(super) async fn credentials(
        &self,
        store: &impl Store,
        key: &Key,
    ) -> Result<(Credentials, String), ConnectError> {
        let cell = Arc::clone(self.known().entry(key.clone()).or_default());
        let read = cell.get_or_try_init(|| async {
            let read = store.secret(key).await;
            read.map_err(|error| ConnectError::Store {
                secret: key.clone(),
                error,
            })?
            .ok_or_else(|| ConnectError::SecretMissing(key.clone()))
        });
        let secret = read.await?;
        let value = |name: &'static str| {
            secret
                .data
                .get(name)
                .ok_or_else(|| ConnectError::SecretKeyMissing {
                    secret: key.clone(),
                    key: name,
                })
        };
        let username = String::from_utf8(value("username")?.expose().to_vec());
        let username = username.map_err(|_| ConnectError::Invalid {
            field: "authSecretRef",
            reason: format!("the username in secret {key} is not valid UTF-8"),
        })?;
        let credentials = Credentials::new(username, value("password")?.clone());
        Ok((credentials, secret.version.clone()))
    }

    /// The Secret is to be read anew.
    pub(super) fn forget(&self, key: &Key) {
        self.known().remove(key);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Key, Arc<OnceCell<SecretData>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
