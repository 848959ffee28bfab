//! Objects without a cluster, with the semantics of Kubernetes where reconcilers depend on them.
//!
//! A [`MemoryStore`] is API server and client in one. The [`Store`] methods are the operator's side, with the faults that
//! [`set_faults`](MemoryStore::set_faults) switches on; [`user`](MemoryStore::user) is everybody else's side, without.

mod admission;
mod events;
mod secrets;
mod server;
mod table;
mod user;

use std::sync::Arc;

use futures_util::{Stream, StreamExt, stream};
use tokio::time::sleep_until;

pub use self::events::Recorded;
use self::server::{Request, Server};
pub use self::user::User;
use super::fault::{Faults, Moment};
use super::{Change, Event, Key, Kind, SecretData, Store, StoreError};
use crate::env::Env;

/// Objects in memory. Clones are the same store.
#[derive(Clone, Debug)]
pub struct MemoryStore {
    server: Arc<Server>,
}

impl MemoryStore {
    /// An empty store. `env` gives uids, timestamps and the luck of the faults.
    pub fn new(env: Env) -> Self {
        Self {
            server: Arc::new(Server::new(env)),
        }
    }

    /// Everybody else's access: never fails by a fault, never counts as a write of the operator.
    pub fn user(&self) -> User {
        User::new(Arc::clone(&self.server))
    }

    /// Replaces the faults, from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.server.state().faults = faults;
    }

    /// Whether deleting an object deletes those that it controls too. Off at first, as in a cluster whose API server is all
    /// there is.
    pub fn set_garbage_collection(&self, on: bool) {
        self.server.state().garbage_collection = on;
    }

    /// How many writes of the operator the server has been asked for.
    pub fn writes(&self) -> u64 {
        self.server.state().writes
    }

    /// At the `write`-th write from now (1 is the next), or on its way back, everything stops: this request and all later ones
    /// of the operator wait forever. Then [`crashed`](Self::crashed) is ready.
    pub fn crash_at(&self, write: u64, moment: Moment) {
        let mut state = self.server.state();
        state.crash = Some((state.writes + write, moment));
    }

    /// Waits until the crash has come. Then drop whatever ran, and [`restart`](Self::restart).
    pub async fn crashed(&self) {
        self.server.halted().await;
    }

    /// Ends a crash, or forgets the one to come. The cache is listed anew, as by a process that starts.
    pub fn restart(&self) {
        self.server.restart();
    }

    /// Loses the watches of all kinds; they come back within [`Faults::watch_outage`].
    pub fn lose_watches(&self) {
        self.server.lose_watches();
    }

    /// The Events, oldest first; identical ones are one with a count. Of very many the oldest are dropped.
    pub fn events(&self) -> Vec<Recorded> {
        self.server.state().events.all()
    }
}

impl Store for MemoryStore {
    async fn cached<K: Kind>(&self, key: &Key) -> Option<Arc<K>> {
        self.server.view::<K>().get(key)
    }

    async fn cached_all<K: Kind>(&self) -> Vec<Arc<K>> {
        self.server.view::<K>().all()
    }

    async fn cached_children<K: Kind>(&self, namespace: &str, owner_uid: &str) -> Vec<Arc<K>> {
        self.server.view::<K>().children(namespace, owner_uid)
    }

    async fn live<K: Kind>(&self, key: &Key) -> Result<Option<K>, StoreError> {
        self.server
            .request(Request::Read, |state| Ok(state.get::<K>(key)))
            .await
    }

    async fn create<K: Kind>(&self, new: &K) -> Result<K, StoreError> {
        self.server
            .request(Request::Create, |state| state.create(new))
            .await
    }

    async fn write_status<K: Kind>(&self, seen: &K, status: K::Status) -> Result<K, StoreError> {
        self.server
            .request(Request::WriteStatus, |state| {
                state.write_status(seen, &status)
            })
            .await
    }

    async fn delete<K: Kind>(&self, seen: &K) -> Result<(), StoreError> {
        self.server
            .request(Request::Delete, |state| {
                state.delete::<K>(&seen.key(), Some(seen.uid()))
            })
            .await
    }

    fn changes<K: Kind>(&self) -> impl Stream<Item = Change<K>> + Send + 'static {
        let server = Arc::clone(&self.server);
        let due = server.due::<K>();
        let changes = Box::pin(server.view::<K>().changes());
        stream::unfold(
            (server, due, changes),
            |(server, mut due, mut changes)| async move {
                loop {
                    due.mark_unchanged();
                    let next = server.settle::<K>();
                    let wait = async {
                        match next {
                            Some(next) => sleep_until(next).await,
                            None => std::future::pending().await,
                        }
                    };
                    tokio::select! {
                        biased;
                        change = changes.next() => return change.map(|change| (change, (server, due, changes))),
                        () = wait => {}
                        _ = due.changed() => {}
                    }
                }
            },
        )
    }

    async fn secret(&self, key: &Key) -> Result<Option<SecretData>, StoreError> {
        self.server
            .request(Request::Read, |state| Ok(state.secrets.read(key)))
            .await
    }

    fn secret_changes(&self) -> impl Stream<Item = Key> + Send + 'static {
        self.server.state().secrets.changes()
    }

    async fn event(&self, event: Event) {
        self.server.state().events.record(event);
    }
}

#[cfg(test)]
mod tests;
