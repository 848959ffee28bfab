//! The API server's part: requests with their faults, and what they do to the objects.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::admission::{admit, admit_status, same_spec};
use super::events::Events;
use super::secrets::Secrets;
use super::table::{AnyTable, Table};
use crate::env::Env;
use crate::store::fault::{Faults, Moment, Odds};
use crate::store::view::View;
use crate::store::{Key, Kind, StoreError};

pub(super) struct Server {
    state: Mutex<State>,
    /// Whether the operator's requests wait forever.
    halted: watch::Sender<bool>,
}

pub(super) struct State {
    pub(super) env: Env,
    pub(super) faults: Faults,
    pub(super) garbage_collection: bool,
    pub(super) writes: u64,
    /// At which write, and on which side of it, everything stops.
    pub(super) crash: Option<(u64, Moment)>,
    pub(super) secrets: Secrets,
    pub(super) events: Events,
    /// Counts the writes to all kinds: a name that comes back never has a resourceVersion again.
    revision: u64,
    tables: BTreeMap<&'static str, Box<dyn AnyTable>>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Request {
    Read,
    Create,
    WriteStatus,
    Delete,
}

impl Server {
    pub(super) fn new(env: Env) -> Self {
        Self {
            state: Mutex::new(State {
                env,
                faults: Faults::none(),
                garbage_collection: false,
                writes: 0,
                crash: None,
                secrets: Secrets::new(),
                events: Events::default(),
                revision: 0,
                tables: BTreeMap::new(),
            }),
            halted: watch::Sender::new(false),
        }
    }

    /// One request of the operator, with everything that can happen to it.
    pub(super) async fn request<T>(
        &self,
        request: Request,
        run: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.travel().await;
        let answer = {
            let mut state = self.state();
            let odds = state.faults.odds(request);
            if state.env.chance(odds.unavailable) {
                Some(Err(StoreError::Unavailable("no answer".to_owned())))
            } else if state.env.chance(odds.conflict) {
                Some(Err(StoreError::Conflict))
            } else if state.env.chance(odds.unknown_lost) {
                Some(Err(StoreError::Unknown("no answer".to_owned())))
            } else if *self.halted.borrow() || state.crash_here(request, Moment::BeforeWrite) {
                None
            } else {
                let result = run(&mut state);
                if state.crash_here(request, Moment::AfterWrite) {
                    None
                } else if result.is_ok() && state.env.chance(odds.unknown_written) {
                    Some(Err(StoreError::Unknown("no answer".to_owned())))
                } else {
                    Some(result)
                }
            }
        };
        let Some(answer) = answer else {
            self.halted.send_replace(true);
            return std::future::pending().await;
        };
        self.travel().await;
        answer
    }

    pub(super) fn view<K: Kind>(&self) -> Arc<View<K>> {
        let mut state = self.state();
        let table = state.table::<K>();
        table.settle(Instant::now());
        Arc::clone(&table.view)
    }

    /// Brings the cache of a kind up to date; answers when there is more to do.
    pub(super) fn settle<K: Kind>(&self) -> Option<Instant> {
        self.state().table::<K>().settle(Instant::now())
    }

    /// Told whenever the answer of [`settle`](Self::settle) may have changed.
    pub(super) fn due<K: Kind>(&self) -> watch::Receiver<()> {
        self.state().table::<K>().due.subscribe()
    }

    pub(super) async fn halted(&self) {
        // The sender lives in self: the wait ends only by a halt.
        let _ = self.halted.subscribe().wait_for(|halted| *halted).await;
    }

    pub(super) fn restart(&self) {
        let mut state = self.state();
        state.crash = None;
        for table in state.tables.values_mut() {
            table.relist_now();
        }
        self.halted.send_replace(false);
    }

    pub(super) fn lose_watches(&self) {
        let State {
            env,
            faults,
            tables,
            ..
        } = &mut *self.state();
        for table in tables.values_mut() {
            table.lose_watch(Instant::now() + env.up_to(faults.watch_outage));
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Half of a round trip.
    async fn travel(&self) {
        let time = {
            let state = self.state();
            state.env.up_to(state.faults.latency / 2)
        };
        if !time.is_zero() {
            sleep(time).await;
        }
    }
}

impl State {
    pub(super) fn get<K: Kind>(&mut self, key: &Key) -> Option<K> {
        self.table::<K>()
            .live
            .get(key)
            .map(|object| K::clone(object))
    }

    pub(super) fn create<K: Kind>(&mut self, new: &K) -> Result<K, StoreError> {
        let mut object = admit(new, &self.faults.pruned)?;
        let key = object.key();
        if self.table::<K>().live.contains_key(&key) {
            return Err(StoreError::AlreadyExists);
        }
        let meta = object.meta_mut();
        meta.uid = Some(self.env.uuid());
        meta.creation_timestamp = Some(self.env.time());
        meta.generation = Some(1);
        meta.deletion_timestamp = None;
        meta.resource_version = Some(self.next_revision());
        self.put(object.clone());
        Ok(object)
    }

    /// Replaces the status: a compare-and-swap on resourceVersion and uid.
    pub(super) fn write_status<K: Kind>(
        &mut self,
        seen: &K,
        status: &K::Status,
    ) -> Result<K, StoreError> {
        let Some(mut object) = self.get::<K>(&seen.key()) else {
            return Err(StoreError::Gone);
        };
        let (meta, seen_meta) = (object.meta(), seen.meta());
        if meta.uid != seen_meta.uid || meta.resource_version != seen_meta.resource_version {
            return Err(StoreError::Conflict);
        }
        let status = admit_status::<K>(status, &self.faults.pruned)?;
        if object.status() == Some(&status) {
            return Ok(object);
        }
        object.set_status(status);
        object.meta_mut().resource_version = Some(self.next_revision());
        self.put(object.clone());
        Ok(object)
    }

    /// Replaces everything but the status, if the resourceVersion still fits or there is none.
    pub(super) fn replace<K: Kind>(&mut self, new: &K) -> Result<K, StoreError> {
        let key = new.key();
        let Some(old) = self.get::<K>(&key) else {
            return Err(StoreError::Gone);
        };
        let (meta, old_meta) = (new.meta(), old.meta());
        let differs = |new: &Option<String>, old| new.is_some() && new != old;
        if differs(&meta.resource_version, &old_meta.resource_version)
            || differs(&meta.uid, &old_meta.uid)
        {
            return Err(StoreError::Conflict);
        }
        let mut object = admit(new, &self.faults.pruned)?;
        if let Some(status) = old.status() {
            object.set_status(status.clone());
        }
        let same_spec = same_spec(&old, &object)?;
        let meta = object.meta_mut();
        meta.uid = old_meta.uid.clone();
        meta.creation_timestamp = old_meta.creation_timestamp.clone();
        meta.deletion_timestamp = old_meta.deletion_timestamp.clone();
        meta.resource_version = old_meta.resource_version.clone();
        meta.generation = old_meta.generation;
        if same_spec && meta == old_meta {
            return Ok(old);
        }
        if !same_spec {
            meta.generation = meta.generation.map(|generation| generation + 1);
        }
        meta.resource_version = Some(self.next_revision());
        let meta = object.meta();
        if meta.deletion_timestamp.is_some() && meta.finalizers.iter().flatten().count() == 0 {
            self.remove::<K>(&key);
        } else {
            self.put(object.clone());
        }
        Ok(object)
    }

    /// Deletes the object, or marks it deleted if it has finalizers.
    pub(super) fn delete<K: Kind>(
        &mut self,
        key: &Key,
        uid: Option<&str>,
    ) -> Result<(), StoreError> {
        let Some(mut object) = self.get::<K>(key) else {
            return Err(StoreError::Gone);
        };
        if uid.is_some_and(|uid| uid != object.uid()) {
            return Err(StoreError::Conflict);
        }
        if object.meta().finalizers.iter().flatten().count() == 0 {
            self.remove::<K>(key);
        } else if object.meta().deletion_timestamp.is_none() {
            let meta = object.meta_mut();
            meta.deletion_timestamp = Some(self.env.time());
            meta.generation = meta.generation.map(|generation| generation + 1);
            meta.resource_version = Some(self.next_revision());
            self.put(object);
        }
        Ok(())
    }

    #[expect(clippy::expect_used, reason = "a table is stored under its own kind")]
    pub(super) fn table<K: Kind>(&mut self) -> &mut Table<K> {
        let table: &mut dyn Any = &mut **self
            .tables
            .entry(K::KIND)
            .or_insert_with(|| Box::new(Table::<K>::new()));
        table.downcast_mut().expect("the table of this kind")
    }

    pub(super) fn next_revision(&mut self) -> String {
        self.revision += 1;
        self.revision.to_string()
    }

    fn put<K: Kind>(&mut self, object: K) {
        let (faults, env) = (self.faults.clone(), self.env.clone());
        self.table::<K>().put(object, &faults, &env);
    }

    fn remove<K: Kind>(&mut self, key: &Key) {
        self.revision += 1;
        let (faults, env) = (self.faults.clone(), self.env.clone());
        let uid = self.table::<K>().remove(key, &faults, &env);
        if self.garbage_collection {
            let mut owners: Vec<String> = uid.into_iter().collect();
            while let Some(owner) = owners.pop() {
                for table in self.tables.values_mut() {
                    for key in table.controlled_by(&key.namespace, &owner) {
                        self.revision += 1;
                        owners.extend(table.remove(&key, &faults, &env));
                    }
                }
            }
        }
    }

    /// Whether everything stops here. Counts the write.
    fn crash_here(&mut self, request: Request, moment: Moment) -> bool {
        if request == Request::Read {
            return false;
        }
        if moment == Moment::BeforeWrite {
            self.writes += 1;
        }
        self.crash == Some((self.writes, moment))
    }
}

impl Faults {
    fn odds(&self, request: Request) -> Odds {
        match request {
            Request::Read => Odds {
                unavailable: self.read_unavailable,
                ..Odds::default()
            },
            Request::Create => Odds {
                conflict: 0.0,
                ..self.create
            },
            Request::WriteStatus => self.write_status,
            Request::Delete => self.delete,
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}
