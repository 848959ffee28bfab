//! Keys that somebody has asked for, and which of them have changed since a reader looked last.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::Stream;
use futures_util::stream;
use tokio::sync::watch;

use super::Key;

/// Bounded by the keys that were asked for: a key that changes twice before it is read is told once.
#[derive(Debug)]
pub(super) struct KeyFeed {
    state: Mutex<State>,
    written: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    /// Wanted keys, with the number of their last change; 0 if there was none.
    wanted: BTreeMap<Key, u64>,
    /// The same changes in their order.
    changes: BTreeMap<u64, Key>,
    last: u64,
}

impl KeyFeed {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::default(),
            written: watch::Sender::new(0),
        }
    }

    /// From now on changes of this key are told.
    pub(super) fn want(&self, key: &Key) {
        let mut state = self.state();
        if !state.wanted.contains_key(key) {
            state.wanted.insert(key.clone(), 0);
        }
    }

    /// The key has changed; told if it is wanted.
    pub(super) fn touch(&self, key: &Key) {
        let mut state = self.state();
        let next = state.last + 1;
        let Some(previous) = state.wanted.get_mut(key) else {
            return;
        };
        let previous = std::mem::replace(previous, next);
        state.changes.remove(&previous);
        state.changes.insert(next, key.clone());
        state.last = next;
        self.written.send_replace(next);
    }

    /// Keys that change from now on.
    pub(super) fn changes(self: &Arc<Self>) -> impl Stream<Item = Key> + Send + use<> {
        let reader = Reader {
            next: self.state().last + 1,
            written: self.written.subscribe(),
            feed: Arc::clone(self),
        };
        stream::unfold(reader, |mut reader| async {
            let key = reader.read().await?;
            Some((key, reader))
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Reader {
    feed: Arc<KeyFeed>,
    written: watch::Receiver<u64>,
    next: u64,
}

impl Reader {
    async fn read(&mut self) -> Option<Key> {
        loop {
            self.written.mark_unchanged();
            let unread = {
                let state = self.feed.state();
                let entry = state.changes.range(self.next..).next();
                entry.map(|(number, key)| (*number, key.clone()))
            };
            if let Some((number, key)) = unread {
                self.next = number + 1;
                return Some(key);
            }
            self.written.changed().await.ok()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt};

    use super::*;

    fn key(namespace: &str, name: &str) -> Key {
        Key {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn only_wanted_keys_are_told_and_each_once() {
        let feed = Arc::new(KeyFeed::new());
        let mut changes = Box::pin(feed.changes());
        feed.touch(&key("n", "a"));
        assert!(changes.next().now_or_never().is_none());
        feed.want(&key("n", "a"));
        feed.want(&key("n", "b"));
        for name in ["a", "b", "a"] {
            feed.touch(&key("n", name));
        }
        assert_eq!(changes.next().now_or_never(), Some(Some(key("n", "b"))));
        assert_eq!(changes.next().now_or_never(), Some(Some(key("n", "a"))));
        assert!(changes.next().now_or_never().is_none());
        assert!(Box::pin(feed.changes()).next().now_or_never().is_none());
    }
}
