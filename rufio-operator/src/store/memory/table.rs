//! The objects of one kind: as they are, and as the cache will hear of them.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::env::Env;
use crate::store::fault::Faults;
use crate::store::view::View;
use crate::store::{Key, Kind};

pub(super) struct Table<K> {
    pub(super) live: BTreeMap<Key, Arc<K>>,
    pub(super) view: Arc<View<K>>,
    /// On its way to the cache, in order.
    pending: VecDeque<(Instant, News<K>)>,
    /// The watch is lost; then the cache is listed anew.
    relist: Option<Instant>,
    /// Told whenever the next thing to settle may have changed.
    pub(super) due: watch::Sender<()>,
}

enum News<K> {
    Applied(Arc<K>),
    Deleted(Key),
}

/// What can be done to a table without knowing its kind.
pub(super) trait AnyTable: Any + Send {
    /// The cache is up to date at once.
    fn relist_now(&mut self);
    /// The watch is lost until then.
    fn lose_watch(&mut self, until: Instant);
    /// Keys of the objects of a namespace that this owner controls.
    fn controlled_by(&self, namespace: &str, owner_uid: &str) -> Vec<Key>;
    /// Takes the object away.
    fn remove(&mut self, key: &Key, faults: &Faults, env: &Env) -> Option<String>;
}

impl<K: Kind> Table<K> {
    pub(super) fn new() -> Self {
        let view = View::new();
        view.replace(None, [], true);
        Self {
            live: BTreeMap::new(),
            view: Arc::new(view),
            pending: VecDeque::new(),
            relist: None,
            due: watch::Sender::new(()),
        }
    }

    /// Stores the object and sends word to the cache.
    pub(super) fn put(&mut self, object: K, faults: &Faults, env: &Env) {
        let object = Arc::new(object);
        self.live.insert(object.key(), Arc::clone(&object));
        self.publish(News::Applied(object), faults, env);
    }

    /// Brings the cache to where it should be now; answers when there is more to do.
    pub(super) fn settle(&mut self, now: Instant) -> Option<Instant> {
        if let Some(relist) = self.relist {
            if relist > now {
                return Some(relist);
            }
            self.relist_now();
        }
        while let Some((due, news)) = self.pending.pop_front() {
            if due > now {
                self.pending.push_front((due, news));
                return Some(due);
            }
            self.hear(news);
        }
        None
    }

    fn publish(&mut self, news: News<K>, faults: &Faults, env: &Env) {
        let now = Instant::now();
        if self.relist.is_some() {
            return;
        }
        if env.chance(faults.watch_lost) {
            return self.lose_watch(now + env.up_to(faults.watch_outage));
        }
        let after = self.pending.back().map_or(now, |(due, _)| *due);
        let due = after.max(now + env.up_to(faults.lag));
        if due <= now && self.pending.is_empty() {
            self.hear(news);
        } else {
            self.pending.push_back((due, news));
            self.due.send_replace(());
        }
    }

    fn hear(&self, news: News<K>) {
        match news {
            News::Applied(object) => self.view.apply(object),
            News::Deleted(key) => self.view.remove(&key),
        }
    }
}

impl<K: Kind> AnyTable for Table<K> {
    fn relist_now(&mut self) {
        self.relist = None;
        self.pending.clear();
        self.view.replace(None, self.live.values().cloned(), true);
    }

    fn lose_watch(&mut self, until: Instant) {
        self.pending.clear();
        self.relist = Some(until);
        self.due.send_replace(());
    }

    fn controlled_by(&self, namespace: &str, owner_uid: &str) -> Vec<Key> {
        let controls = |object: &K| {
            let owners = object.meta().owner_references.iter().flatten();
            object.key().namespace == namespace && { owners }.any(|owner| owner.uid == owner_uid)
        };
        let objects = self.live.iter().filter(|(_, object)| controls(object));
        objects.map(|(key, _)| key.clone()).collect()
    }

    fn remove(&mut self, key: &Key, faults: &Faults, env: &Env) -> Option<String> {
        let object = self.live.remove(key)?;
        self.publish(News::Deleted(key.clone()), faults, env);
        object.meta().uid.clone()
    }
}
