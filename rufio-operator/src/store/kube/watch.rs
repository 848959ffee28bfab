//! Watches of one kind, and the cache that they fill.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use kube::api::Api;
use kube::core::DeserializeGuard;
use kube::runtime::WatchStreamExt;
use kube::runtime::watcher::{self, watcher};
use kube::{Client, ResourceExt};
use tokio::task::JoinSet;

use super::Scope;
use crate::store::view::View;
use crate::store::{Key, Kind};

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Starts a watch of a kind for each namespace in scope.
pub(super) fn start<K: Kind>(
    client: &Client,
    scope: &Scope,
    tasks: &mut JoinSet<()>,
) -> Arc<View<K>> {
    let namespaces: BTreeSet<Option<String>> = match scope {
        Scope::All => BTreeSet::from([None]),
        Scope::Namespaces(names) => names.iter().cloned().map(Some).collect(),
    };
    let view = Arc::new(View::new());
    let unlisted = Arc::new(Mutex::new(namespaces.clone()));
    for namespace in namespaces {
        let api = match &namespace {
            None => Api::all(client.clone()),
            Some(namespace) => Api::namespaced(client.clone(), namespace),
        };
        let cache = Cache {
            view: Arc::clone(&view),
            namespace,
            unlisted: Arc::clone(&unlisted),
            listing: Vec::new(),
            malformed: BTreeSet::new(),
        };
        tasks.spawn(watch(api, cache));
    }
    view
}

/// The object without what only costs memory. A status written with it keeps its managedFields: the server takes none for
/// "as before".
pub(super) fn trimmed<K: Kind>(mut object: K) -> K {
    let meta = object.meta_mut();
    meta.managed_fields = None;
    if let Some(annotations) = &mut meta.annotations {
        annotations.remove(LAST_APPLIED);
        if annotations.is_empty() {
            meta.annotations = None;
        }
    }
    object
}

async fn watch<K: Kind>(api: Api<DeserializeGuard<K>>, mut cache: Cache<K>) {
    // In pages and from the most recent state: a list "as old as you like" (any_semantic) could go back in time, and kube
    // silently ignores it for a list in pages.
    let config = watcher::Config::default();
    let mut events = pin!(watcher(api, config).default_backoff());
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => cache.hear(event),
            Err(error) => tracing::warn!(kind = K::KIND, %error, "watch interrupted"),
        }
    }
}

/// The part of a view that one watch fills.
struct Cache<K> {
    view: Arc<View<K>>,
    /// The namespace watched; all if there is none.
    namespace: Option<String>,
    /// Namespaces of the same view that have not been listed yet.
    unlisted: Arc<Mutex<BTreeSet<Option<String>>>>,
    listing: Vec<Arc<K>>,
    /// Objects that were complained about.
    malformed: BTreeSet<Key>,
}

impl<K: Kind> Cache<K> {
    fn hear(&mut self, event: watcher::Event<DeserializeGuard<K>>) {
        match event {
            watcher::Event::Init => self.listing.clear(),
            watcher::Event::InitApply(object) => {
                if let Ok(object) = self.understand(object) {
                    self.listing.push(object);
                }
            }
            watcher::Event::InitDone => {
                let mut unlisted = self.unlisted.lock().unwrap_or_else(PoisonError::into_inner);
                unlisted.remove(&self.namespace);
                let complete = unlisted.is_empty();
                drop(unlisted);
                let listing = std::mem::take(&mut self.listing);
                self.view
                    .replace(self.namespace.as_deref(), listing, complete);
            }
            watcher::Event::Apply(object) => match self.understand(object) {
                Ok(object) => self.view.apply(object),
                Err(key) => self.view.remove(&key),
            },
            watcher::Event::Delete(object) => {
                let key = key_of(&object);
                self.malformed.remove(&key);
                self.view.remove(&key);
            }
        }
    }

    /// The object, or the name of one that cannot be read: complained about once, then left alone until it can be.
    fn understand(&mut self, object: DeserializeGuard<K>) -> Result<Arc<K>, Key> {
        let key = key_of(&object);
        match object.0 {
            Ok(object) => {
                self.malformed.remove(&key);
                Ok(Arc::new(trimmed(object)))
            }
            Err(error) => {
                if self.malformed.insert(key.clone()) {
                    tracing::error!(kind = K::KIND, object = %key, %error, "malformed object ignored");
                }
                Err(key)
            }
        }
    }
}

fn key_of<K: Kind>(object: &DeserializeGuard<K>) -> Key {
    Key {
        namespace: object.namespace().unwrap_or_default(),
        name: object.name_any(),
    }
}

#[cfg(test)]
mod tests {
    use kube::runtime::watcher::Event;
    use serde_json::json;

    use super::*;
    use crate::api::Machine;

    fn cache() -> Cache<Machine> {
        Cache {
            view: Arc::new(View::new()),
            namespace: None,
            unlisted: Arc::new(Mutex::new(BTreeSet::from([None]))),
            listing: Vec::new(),
            malformed: BTreeSet::new(),
        }
    }

    fn guarded(name: &str, version: u64, host: serde_json::Value) -> DeserializeGuard<Machine> {
        serde_json::from_value(json!({
            "apiVersion": "bmc.tinkerbell.org/v1alpha1",
            "kind": "Machine",
            "metadata": {
                "name": name, "namespace": "ns", "resourceVersion": version.to_string(),
                "annotations": {LAST_APPLIED: "{}"},
                "managedFields": [{"manager": "kubectl"}],
            },
            "spec": {"connection": {"host": host, "insecureTLS": true}},
        }))
        .unwrap()
    }

    #[test]
    fn a_malformed_object_is_skipped_and_comes_back_when_mended() {
        let mut cache = cache();
        cache.hear(Event::Init);
        cache.hear(Event::InitApply(guarded("good", 1, json!("h"))));
        cache.hear(Event::InitApply(guarded("bad", 2, json!(7))));
        cache.hear(Event::InitDone);
        let names = |cache: &Cache<Machine>| -> Vec<String> {
            let all = cache.view.all();
            all.iter().map(|machine| machine.key().name).collect()
        };
        assert_eq!(names(&cache), ["good"]);
        assert_eq!(cache.malformed.len(), 1);
        cache.hear(Event::Apply(guarded("bad", 3, json!("h"))));
        assert_eq!(names(&cache), ["bad", "good"]);
        cache.hear(Event::Apply(guarded("good", 4, json!(null))));
        assert_eq!(names(&cache), ["bad"]);
        cache.hear(Event::Delete(guarded("good", 5, json!(null))));
        assert!(cache.malformed.is_empty());
    }

    #[test]
    fn cached_objects_are_trimmed() {
        let mut cache = cache();
        cache.hear(Event::Apply(guarded("m", 1, json!("h"))));
        let machine = cache.view.all().remove(0);
        assert_eq!(machine.metadata.managed_fields, None);
        assert_eq!(machine.metadata.annotations, None);
    }
}
