//! The store as the operator sees it; Tasks are noted before they can vanish.

use std::sync::{Arc, Mutex};

use futures_util::Stream;
use rufio_operator::api::Task;
use rufio_operator::store::memory::MemoryStore;
use rufio_operator::store::{Change, Event, Key, Kind, SecretData, Store, StoreError};

use super::history::{History, audit};

#[derive(Clone)]
pub(crate) struct Audited {
    pub(crate) store: MemoryStore,
    pub(crate) history: Arc<Mutex<History>>,
}

impl Store for Audited {
    async fn cached<K: Kind>(&self, key: &Key) -> Option<Arc<K>> {
        self.store.cached(key).await
    }

    async fn cached_all<K: Kind>(&self) -> Vec<Arc<K>> {
        self.store.cached_all().await
    }

    async fn cached_children<K: Kind>(&self, namespace: &str, owner_uid: &str) -> Vec<Arc<K>> {
        self.store.cached_children(namespace, owner_uid).await
    }

    async fn live<K: Kind>(&self, key: &Key) -> Result<Option<K>, StoreError> {
        self.store.live(key).await
    }

    async fn create<K: Kind>(&self, new: &K) -> Result<K, StoreError> {
        self.store.create(new).await
    }

    async fn write_status<K: Kind>(&self, seen: &K, status: K::Status) -> Result<K, StoreError> {
        let kept = self.store.write_status(seen, status).await?;
        let mut history = self.history.lock().unwrap();
        if K::KIND == Task::KIND && !history.has_begun(kept.uid()) {
            // It may be gone already.
            let task = serde_json::from_value(serde_json::to_value(&kept).unwrap()).unwrap();
            history.truth.insert(kept.uid().to_owned(), Arc::new(task));
        }
        Ok(kept)
    }

    async fn delete<K: Kind>(&self, seen: &K) -> Result<(), StoreError> {
        audit(&self.store.user(), &self.history);
        self.store.delete(seen).await
    }

    fn changes<K: Kind>(&self) -> impl Stream<Item = Change<K>> + Send + 'static {
        self.store.changes()
    }

    async fn secret(&self, key: &Key) -> Result<Option<SecretData>, StoreError> {
        self.store.secret(key).await
    }

    fn secret_changes(&self) -> impl Stream<Item = Key> + Send + 'static {
        self.store.secret_changes()
    }

    async fn event(&self, event: Event) {
        self.store.event(event).await;
    }
}
