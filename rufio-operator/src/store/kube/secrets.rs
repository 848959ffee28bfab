//! Secrets: read by name when needed, and kept until a watch of metadata says that they have changed.
//!
//! A namespace is watched once one of its Secrets was asked for. Where listing is forbidden nothing is kept, and what was
//! missing is looked for every [`REREAD_INTERVAL`] as long as somebody keeps asking.

mod known;

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bmc_core::Secret as SecretBytes;
use futures_util::{Stream, StreamExt};
use k8s_openapi::api::core::v1::Secret;
use kube::Client;
use kube::api::{Api, PartialObjectMeta};
use kube::runtime::WatchStreamExt;
use kube::runtime::watcher::{self, Event, watcher};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use self::known::Known;
use super::request::Requests;
use crate::store::key_feed::KeyFeed;
use crate::store::{Key, SecretData, StoreError};

/// How often a missing Secret is looked for where there is no watch.
const REREAD_INTERVAL: Duration = Duration::from_secs(3);
/// For how long after it was asked for.
const REREAD_FOR: Duration = Duration::from_secs(15 * 60);
/// Helm keeps its releases in Secrets that are large and never ours.
const FIELDS: &str = "type!=helm.sh/release.v1";

pub(super) struct Secrets {
    reader: Reader,
    watches: Mutex<Watches>,
}

#[derive(Default)]
struct Watches {
    namespaces: BTreeSet<String>,
    tasks: JoinSet<()>,
}

/// Shared with the watches.
#[derive(Clone)]
struct Reader {
    client: Client,
    requests: Arc<Requests>,
    known: Arc<Mutex<Known>>,
    feed: Arc<KeyFeed>,
}

impl Secrets {
    pub(super) fn new(client: Client, requests: Arc<Requests>) -> Self {
        Self {
            reader: Reader {
                client,
                requests,
                known: Arc::default(),
                feed: Arc::new(KeyFeed::new()),
            },
            watches: Mutex::default(),
        }
    }

    pub(super) async fn read(&self, key: &Key) -> Result<Option<SecretData>, StoreError> {
        self.reader.feed.want(key);
        self.watch(&key.namespace);
        if let Some(kept) = self.reader.known().ask(key, Instant::now()) {
            return Ok(kept);
        }
        self.reader.fetch(key).await
    }

    pub(super) fn changes(&self) -> impl Stream<Item = Key> + Send + use<> {
        self.reader.feed.changes()
    }

    fn watch(&self, namespace: &str) {
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        if !watches.namespaces.contains(namespace) {
            watches.namespaces.insert(namespace.to_owned());
            let reader = self.reader.clone();
            watches.tasks.spawn(reader.watch(namespace.to_owned()));
        }
    }
}

impl Reader {
    /// Reads the Secret and keeps it, unless it has changed meanwhile.
    async fn fetch(&self, key: &Key) -> Result<Option<SecretData>, StoreError> {
        let changes = self.known().changes(key);
        let api: Api<Secret> = Api::namespaced(self.client.clone(), &key.namespace);
        let secret = self.requests.read(api.get_opt(&key.name)).await?;
        let data = secret.map(into_data);
        self.known().keep(key, changes, data.clone());
        Ok(data)
    }

    async fn watch(self, namespace: String) {
        let api: Api<PartialObjectMeta<Secret>> = Api::namespaced(self.client.clone(), &namespace);
        let config = watcher::Config::default().fields(FIELDS);
        let mut events = pin!(watcher(api, config).default_backoff());
        let mut reread = interval(REREAD_INTERVAL);
        reread.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut listing = Vec::new();
        let mut watched = false;
        let mut complained = false;
        loop {
            let event = tokio::select! {
                biased;
                event = events.next() => event,
                _ = reread.tick(), if !watched => {
                    self.look_for_missing(&namespace).await;
                    continue;
                }
            };
            match event {
                None => return,
                Some(Ok(Event::Init)) => {
                    watched = false;
                    self.known().lose(&namespace);
                    listing.clear();
                }
                Some(Ok(Event::InitApply(secret))) => listing.push(name_and_version(secret)),
                Some(Ok(Event::InitDone)) => {
                    watched = true;
                    complained = false;
                    let listed = std::mem::take(&mut listing).into_iter().collect();
                    let changed = self.known().listed(&namespace, &listed);
                    changed.iter().for_each(|key| self.feed.touch(key));
                }
                Some(Ok(Event::Apply(secret))) => {
                    let (name, version) = name_and_version(secret);
                    self.heard(&namespace, name, Some(&version));
                }
                Some(Ok(Event::Delete(secret))) => {
                    self.heard(&namespace, name_and_version(secret).0, None);
                }
                Some(Err(error)) => {
                    if !complained {
                        complained = true;
                        tracing::warn!(
                            %namespace, %error,
                            "Secrets cannot be watched; until they can, each is read whenever it is needed",
                        );
                    }
                }
            }
        }
    }

    fn heard(&self, namespace: &str, name: String, version: Option<&str>) {
        let key = Key {
            namespace: namespace.to_owned(),
            name,
        };
        if self.known().heard(&key, version) {
            self.feed.touch(&key);
        }
    }

    async fn look_for_missing(&self, namespace: &str) {
        let since = Instant::now().checked_sub(REREAD_FOR);
        let missing = self.known().missing(namespace, since);
        for key in missing {
            if let Ok(Some(_)) = self.fetch(&key).await {
                self.feed.touch(&key);
            }
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn into_data(secret: Secret) -> SecretData {
    SecretData {
        version: secret.metadata.resource_version.unwrap_or_default(),
        data: secret
            .data
            .unwrap_or_default()
            .into_iter()
            .map(|(key, value)| (key, SecretBytes::new(value.0)))
            .collect(),
    }
}

fn name_and_version(secret: PartialObjectMeta<Secret>) -> (String, String) {
    let meta = secret.metadata;
    (
        meta.name.unwrap_or_default(),
        meta.resource_version.unwrap_or_default(),
    )
}
