//! What a watcher knows of one kind: the objects, an index by owner, and a feed of changes for any number of readers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::Stream;
use futures_util::stream;
use tokio::sync::watch;

use super::{Change, Key, Kind};

/// Changes that a reader may be behind; who is further behind gets a [`Change::Reset`].
const FEED_LIMIT: usize = 8192;

/// The objects of one kind as last heard.
#[derive(Debug)]
pub(super) struct View<K> {
    state: Mutex<State<K>>,
    /// Sequence number of the next change.
    written: watch::Sender<u64>,
    feed_limit: usize,
}

#[derive(Debug)]
struct State<K> {
    objects: BTreeMap<Key, Arc<K>>,
    /// (namespace, uid of the controller owner) to names.
    children: BTreeMap<(String, String), BTreeSet<String>>,
    feed: VecDeque<Entry<K>>,
    /// Sequence number of the first entry of the feed.
    first: u64,
    /// Whether the objects have been listed at least once.
    complete: bool,
}

/// An applied object is looked up when it is delivered, so that the feed keeps no old versions alive.
#[derive(Debug)]
enum Entry<K> {
    Applied(Key),
    Deleted(Arc<K>),
}

impl<K: Kind> View<K> {
    /// A view that has not heard of anything.
    pub(super) fn new() -> Self {
        Self::with_feed_limit(FEED_LIMIT)
    }

    fn with_feed_limit(feed_limit: usize) -> Self {
        Self {
            state: Mutex::new(State {
                objects: BTreeMap::new(),
                children: BTreeMap::new(),
                feed: VecDeque::new(),
                first: 0,
                complete: false,
            }),
            written: watch::Sender::new(0),
            feed_limit,
        }
    }

    pub(super) fn get(&self, key: &Key) -> Option<Arc<K>> {
        self.state().objects.get(key).cloned()
    }

    pub(super) fn all(&self) -> Vec<Arc<K>> {
        self.state().objects.values().cloned().collect()
    }

    pub(super) fn children(&self, namespace: &str, owner_uid: &str) -> Vec<Arc<K>> {
        let state = self.state();
        let owner = (namespace.to_owned(), owner_uid.to_owned());
        let names = state.children.get(&owner).into_iter().flatten();
        names
            .filter_map(|name| {
                state.objects.get(&Key {
                    namespace: namespace.to_owned(),
                    name: name.clone(),
                })
            })
            .cloned()
            .collect()
    }

    /// Waits until the objects have been listed.
    pub(super) async fn listed(&self) {
        let mut written = self.written.subscribe();
        while !self.state().complete {
            // The sender lives in self.
            let _ = written.changed().await;
        }
    }

    /// Replaces all objects of `namespace`, or of all namespaces: a list. If `complete`, readers start over.
    pub(super) fn replace(
        &self,
        namespace: Option<&str>,
        objects: impl IntoIterator<Item = Arc<K>>,
        complete: bool,
    ) {
        let mut state = self.state();
        let gone: Vec<Key> = match namespace {
            None => state.objects.keys().cloned().collect(),
            Some(namespace) => {
                let in_namespace = |key: &&Key| key.namespace == namespace;
                state.objects.keys().filter(in_namespace).cloned().collect()
            }
        };
        for key in gone {
            state.remove(&key);
        }
        for object in objects {
            state.insert(object);
        }
        state.complete |= complete;
        if state.complete {
            state.feed.clear();
            let next = self.next() + 1;
            state.first = next;
            self.written.send_replace(next);
        }
    }

    /// An object is new or has changed.
    pub(super) fn apply(&self, object: Arc<K>) {
        let key = object.key();
        let mut state = self.state();
        let known = state.objects.get(&key);
        if known
            .is_some_and(|known| known.meta().resource_version == object.meta().resource_version)
        {
            return;
        }
        state.insert(object);
        self.tell(&mut state, Entry::Applied(key));
    }

    /// An object is gone.
    pub(super) fn remove(&self, key: &Key) {
        let mut state = self.state();
        if let Some(object) = state.remove(key) {
            self.tell(&mut state, Entry::Deleted(object));
        }
    }

    /// Every change from now on, beginning with all objects once they have been listed.
    pub(super) fn changes(self: &Arc<Self>) -> impl Stream<Item = Change<K>> + Send + use<K> {
        let reader = Reader {
            written: self.written.subscribe(),
            view: Arc::clone(self),
            next: None,
        };
        stream::unfold(reader, |mut reader| async {
            let change = reader.read().await?;
            Some((change, reader))
        })
    }

    fn tell(&self, state: &mut State<K>, entry: Entry<K>) {
        state.feed.push_back(entry);
        if state.feed.len() > self.feed_limit {
            state.feed.pop_front();
            state.first += 1;
        }
        self.written.send_modify(|next| *next += 1);
    }

    fn next(&self) -> u64 {
        *self.written.borrow()
    }

    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Kind> State<K> {
    fn insert(&mut self, object: Arc<K>) {
        let key = object.key();
        self.remove(&key);
        if let Some(uid) = controller_uid(&*object) {
            let owner = (key.namespace.clone(), uid.to_owned());
            let names = self.children.entry(owner).or_default();
            names.insert(key.name.clone());
        }
        self.objects.insert(key, object);
    }

    fn remove(&mut self, key: &Key) -> Option<Arc<K>> {
        let object = self.objects.remove(key)?;
        if let Some(uid) = controller_uid(&*object) {
            let owner = (key.namespace.clone(), uid.to_owned());
            if let Some(names) = self.children.get_mut(&owner) {
                names.remove(&key.name);
                if names.is_empty() {
                    self.children.remove(&owner);
                }
            }
        }
        Some(object)
    }
}

struct Reader<K> {
    view: Arc<View<K>>,
    written: watch::Receiver<u64>,
    /// Sequence number of the next change to read; nothing before the first `Reset`.
    next: Option<u64>,
}

impl<K: Kind> Reader<K> {
    /// `None` once the view can change no more: never, because the reader itself holds it.
    async fn read(&mut self) -> Option<Change<K>> {
        loop {
            self.written.mark_unchanged();
            if let Some(change) = self.poll() {
                return Some(change);
            }
            self.written.changed().await.ok()?;
        }
    }

    fn poll(&mut self) -> Option<Change<K>> {
        let state = self.view.state();
        if !state.complete {
            return None;
        }
        let Some(next) = self.next.filter(|next| *next >= state.first) else {
            self.next = Some(self.view.next());
            return Some(Change::Reset(state.objects.values().cloned().collect()));
        };
        let unread = usize::try_from(next - state.first).unwrap_or(usize::MAX);
        for (entry, read) in state.feed.iter().skip(unread).zip(next + 1..) {
            self.next = Some(read);
            let change = match entry {
                Entry::Deleted(object) => Some(Change::Deleted(Arc::clone(object))),
                // Gone again: the deletion follows.
                Entry::Applied(key) => state.objects.get(key).cloned().map(Change::Applied),
            };
            if change.is_some() {
                return change;
            }
        }
        None
    }
}

/// The uid of the owner that controls the object.
fn controller_uid<K: Kind>(object: &K) -> Option<&str> {
    let owners = object.meta().owner_references.as_deref()?;
    let owner = owners.iter().find(|owner| owner.controller == Some(true))?;
    Some(&owner.uid)
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt};
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

    use super::*;
    use crate::api::{Task, TaskSpec};

    fn task(name: &str, version: u64, owner: Option<&str>) -> Arc<Task> {
        let mut task = Task::new(name, TaskSpec::default());
        task.metadata.namespace = Some("ns".to_owned());
        task.metadata.resource_version = Some(version.to_string());
        task.metadata.owner_references = owner.map(|uid| {
            vec![OwnerReference {
                uid: uid.to_owned(),
                controller: Some(true),
                ..OwnerReference::default()
            }]
        });
        Arc::new(task)
    }

    fn words(change: Option<Option<Change<Task>>>) -> String {
        let name = |task: &Arc<Task>| {
            let version = task.metadata.resource_version.clone().unwrap();
            format!("{}@{version}", task.key().name)
        };
        match change {
            None => "nothing".to_owned(),
            Some(None) => "end".to_owned(),
            Some(Some(Change::Reset(all))) => {
                format!(
                    "reset {}",
                    all.iter().map(name).collect::<Vec<_>>().join(" ")
                )
            }
            Some(Some(Change::Applied(task))) => format!("applied {}", name(&task)),
            Some(Some(Change::Deleted(task))) => format!("deleted {}", name(&task)),
        }
    }

    #[test]
    fn readers_begin_with_everything_and_then_hear_changes() {
        let view = Arc::new(View::new());
        let mut changes = Box::pin(view.changes());
        assert_eq!(words(changes.next().now_or_never()), "nothing");
        view.replace(Some("ns"), [task("a", 1, None)], false);
        assert_eq!(words(changes.next().now_or_never()), "nothing");
        view.replace(Some("other"), [], true);
        assert_eq!(words(changes.next().now_or_never()), "reset a@1");
        assert_eq!(words(changes.next().now_or_never()), "nothing");

        view.apply(task("b", 2, None));
        view.apply(task("b", 2, None));
        view.remove(&task("a", 1, None).key());
        view.apply(task("a", 3, None));
        let mut late = Box::pin(view.changes());
        assert_eq!(words(changes.next().now_or_never()), "applied b@2");
        assert_eq!(words(changes.next().now_or_never()), "deleted a@1");
        assert_eq!(words(changes.next().now_or_never()), "applied a@3");
        assert_eq!(words(changes.next().now_or_never()), "nothing");
        assert_eq!(words(late.next().now_or_never()), "reset a@3 b@2");
        assert_eq!(words(late.next().now_or_never()), "nothing");

        view.replace(None, [task("c", 4, None)], true);
        assert_eq!(words(changes.next().now_or_never()), "reset c@4");
        assert_eq!(words(late.next().now_or_never()), "reset c@4");
        assert_eq!(words(late.next().now_or_never()), "nothing");
    }

    #[test]
    fn a_slow_reader_starts_over_and_the_feed_stays_small() {
        let view = Arc::new(View::with_feed_limit(4));
        view.replace(None, [], true);
        let mut changes = Box::pin(view.changes());
        assert_eq!(words(changes.next().now_or_never()), "reset ");
        for version in 1..=5 {
            view.apply(task("a", version, None));
        }
        assert_eq!(view.state().feed.len(), 4);
        assert_eq!(words(changes.next().now_or_never()), "reset a@5");
        assert_eq!(words(changes.next().now_or_never()), "nothing");
        view.apply(task("a", 6, None));
        assert_eq!(words(changes.next().now_or_never()), "applied a@6");
    }

    #[test]
    fn children_are_found_by_the_owners_uid() {
        let view = View::new();
        view.apply(task("b", 1, Some("u1")));
        view.apply(task("a", 2, Some("u1")));
        view.apply(task("c", 3, Some("u2")));
        let names = |uid: &str| -> Vec<String> {
            let children = view.children("ns", uid);
            children.iter().map(|task| task.key().name).collect()
        };
        assert_eq!(names("u1"), ["a", "b"]);
        view.apply(task("a", 4, Some("u2")));
        view.remove(&task("b", 0, None).key());
        assert_eq!(names("u1"), [""; 0]);
        assert_eq!(names("u2"), ["a", "c"]);
        assert!(view.children("elsewhere", "u2").is_empty());
        assert_eq!(view.state().children.len(), 1);
    }
}
