//! Access for everybody but the operator: people, manifests, tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use bmc_core::Secret;

use super::server::Server;
use crate::store::{Key, Kind, StoreError};

/// Reads and writes without faults; every call takes effect at once. Clones are the same user.
#[derive(Clone, Debug)]
pub struct User {
    server: Arc<Server>,
}

impl User {
    pub(super) fn new(server: Arc<Server>) -> Self {
        Self { server }
    }

    /// The object as it is.
    pub fn get<K: Kind>(&self, key: &Key) -> Option<K> {
        self.server.state().get(key)
    }

    /// All objects of a kind, in order of key.
    pub fn list<K: Kind>(&self) -> Vec<Arc<K>> {
        let mut state = self.server.state();
        state.table::<K>().live.values().cloned().collect()
    }

    /// Creates an object; its status is dropped, as by a server.
    pub fn create<K: Kind>(&self, new: &K) -> Result<K, StoreError> {
        self.server.state().create(new)
    }

    /// Changes metadata and spec; a changed spec has a new generation.
    pub fn edit<K: Kind>(&self, key: &Key, edit: impl FnOnce(&mut K)) -> Result<K, StoreError> {
        let mut state = self.server.state();
        let mut object = state.get::<K>(key).ok_or(StoreError::Gone)?;
        edit(&mut object);
        state.replace(&object)
    }

    /// Sets an annotation.
    pub fn annotate<K: Kind>(&self, key: &Key, name: &str, value: &str) -> Result<K, StoreError> {
        self.edit(key, |object: &mut K| {
            let annotations = object.meta_mut().annotations.get_or_insert_default();
            annotations.insert(name.to_owned(), value.to_owned());
        })
    }

    /// Replaces the status, whatever it was: another program that writes it.
    pub fn set_status<K: Kind>(&self, key: &Key, status: K::Status) -> Result<K, StoreError> {
        let mut state = self.server.state();
        let seen = state.get::<K>(key).ok_or(StoreError::Gone)?;
        state.write_status(&seen, &status)
    }

    /// Deletes an object.
    pub fn delete<K: Kind>(&self, key: &Key) -> Result<(), StoreError> {
        self.server.state().delete::<K>(key, None)
    }

    /// Creates or replaces a Secret.
    pub fn put_secret(&self, key: Key, data: BTreeMap<String, Secret>) {
        let mut state = self.server.state();
        let version = state.next_revision();
        state.secrets.put(key, data, version);
    }

    /// Deletes a Secret.
    pub fn delete_secret(&self, key: &Key) -> Result<(), StoreError> {
        if self.server.state().secrets.delete(key) {
            Ok(())
        } else {
            Err(StoreError::Gone)
        }
    }
}
