//! Secrets by name: read once, kept until they change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bmc_core::Secret;
use tokio::sync::OnceCell;

use super::ConnectError;
use crate::store::{Key, SecretData, Store};

/// Values of Secrets. A thousand Machines that share one Secret read it once.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    known: Mutex<BTreeMap<Key, Arc<OnceCell<SecretData>>>>,
}

impl Secrets {
    /// What a Secret holds.
    pub(super) async fn read(
        &self,
        store: &impl Store,
        key: &Key,
    ) -> Result<SecretData, ConnectError> {
        let cell = Arc::clone(self.known().entry(key.clone()).or_default());
        let read = cell.get_or_try_init(|| async {
            let read = store.secret(key).await;
            read.map_err(|error| ConnectError::Store {
                secret: key.clone(),
                error,
            })?
            .ok_or_else(|| ConnectError::SecretMissing(key.clone()))
        });
        read.await.cloned()
    }

    /// The Secret is to be read anew.
    pub(super) fn forget(&self, key: &Key) {
        self.known().remove(key);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Key, Arc<OnceCell<SecretData>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One value of a Secret.
pub(super) fn value(
    secret: (&Key, &SecretData),
    key: &'static str,
) -> Result<Secret, ConnectError> {
    let (name, data) = secret;
    let missing = || ConnectError::SecretKeyMissing {
        secret: name.clone(),
        key,
    };
    data.data.get(key).cloned().ok_or_else(missing)
}

/// One value of the Secret that `authSecretRef` names, which is the only one.
pub(super) fn credential(
    secrets: &[(&Key, &SecretData)],
    key: &'static str,
) -> Result<Secret, ConnectError> {
    let secret = secrets.first().ok_or_else(|| ConnectError::Invalid {
        field: "authSecretRef.name",
        reason: "required: names the Secret with username and password".into(),
    })?;
    value(*secret, key)
}
