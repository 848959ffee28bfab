//! Secrets.

use std::collections::BTreeMap;
use std::sync::Arc;

use bmc_core::Secret;
use futures_util::Stream;

use crate::store::key_feed::KeyFeed;
use crate::store::{Key, SecretData};

#[derive(Debug)]
pub(super) struct Secrets {
    data: BTreeMap<Key, SecretData>,
    feed: Arc<KeyFeed>,
}

impl Secrets {
    pub(super) fn new() -> Self {
        Self {
            data: BTreeMap::new(),
            feed: Arc::new(KeyFeed::new()),
        }
    }

    pub(super) fn read(&self, key: &Key) -> Option<SecretData> {
        self.feed.want(key);
        self.data.get(key).cloned()
    }

    pub(super) fn put(&mut self, key: Key, data: BTreeMap<String, Secret>, version: String) {
        self.feed.touch(&key);
        self.data.insert(key, SecretData { data, version });
    }

    pub(super) fn delete(&mut self, key: &Key) -> bool {
        let existed = self.data.remove(key).is_some();
        if existed {
            self.feed.touch(key);
        }
        existed
    }

    pub(super) fn changes(&self) -> impl Stream<Item = Key> + Send + use<> {
        self.feed.changes()
    }
}
