//! Objects in a cluster.
//!
//! One watch for each kind and namespace in scope fills a cache of trimmed objects; everything else is a request of its own,
//! with a time limit and without repetition: whoever asked knows best whether to ask again.

mod definitions;
mod events;
mod request;
mod secrets;
mod watch;

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::Stream;
use kube::api::{Api, DeleteParams, PostParams, Preconditions};
use kube::{Client, Config};
use tokio::task::JoinSet;

pub use self::definitions::{INSTALL_DEFINITIONS, Missing, await_definitions};
use self::events::Recorder;
use self::request::Requests;
use self::secrets::Secrets;
use super::view::View;
use super::{Change, Event, Key, Kind, SecretData, Store, StoreError};
use crate::api::{Job, Machine, Task};

/// Which namespaces are served.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Scope {
    /// All.
    #[default]
    All,
    /// These.
    Namespaces(BTreeSet<String>),
}

/// Objects in a cluster. Clones are the same store; its watches end with the last one.
#[derive(Clone)]
pub struct KubeStore {
    inner: Arc<Inner>,
}

struct Inner {
    client: Client,
    requests: Arc<Requests>,
    machines: Arc<View<Machine>>,
    jobs: Arc<View<Job>>,
    tasks: Arc<View<Task>>,
    secrets: Secrets,
    recorder: Recorder,
    /// Ends the watches when dropped.
    _watches: Mutex<JoinSet<()>>,
}

/// A client fit for [`KubeStore`]: a connection is accepted within `connect_timeout` or not at all, and a refused request is
/// not repeated behind our back.
pub fn client(mut config: Config, connect_timeout: Duration) -> Result<Client, kube::Error> {
    config.default_retry = false;
    config.connect_timeout = Some(connect_timeout);
    Client::try_from(config)
}

impl KubeStore {
    /// Starts the watches and waits until every object is in the cache. The definitions must exist
    /// ([`await_definitions`]): without them this waits, too.
    pub async fn new(client: Client, scope: impl Into<Scope>) -> Self {
        let scope = scope.into();
        let requests = Arc::new(Requests::new());
        let mut watches = JoinSet::new();
        let store = Self {
            inner: Arc::new(Inner {
                machines: watch::start(&client, &scope, &mut watches),
                jobs: watch::start(&client, &scope, &mut watches),
                tasks: watch::start(&client, &scope, &mut watches),
                secrets: Secrets::new(client.clone(), Arc::clone(&requests)),
                recorder: Recorder::new(client.clone()),
                requests,
                client,
                _watches: Mutex::new(watches),
            }),
        };
        store.inner.machines.listed().await;
        store.inner.jobs.listed().await;
        store.inner.tasks.listed().await;
        store
    }

    /// Waits until the Events so far are published or given up.
    pub async fn flush_events(&self) {
        self.inner.recorder.flush().await;
    }

    fn api<K: Kind>(&self, namespace: &str) -> Api<K> {
        Api::namespaced(self.inner.client.clone(), namespace)
    }

    #[expect(clippy::expect_used, reason = "the kinds of the trait are these three")]
    fn view<K: Kind>(&self) -> &Arc<View<K>> {
        let views: [&dyn Any; 3] = [&self.inner.machines, &self.inner.jobs, &self.inner.tasks];
        let mut views = views.into_iter();
        let view = views.find_map(|view| view.downcast_ref());
        view.expect("a view of this kind")
    }
}

impl Store for KubeStore {
    async fn cached<K: Kind>(&self, key: &Key) -> Option<Arc<K>> {
        self.view().get(key)
    }

    async fn cached_all<K: Kind>(&self) -> Vec<Arc<K>> {
        self.view().all()
    }

    async fn cached_children<K: Kind>(&self, namespace: &str, owner_uid: &str) -> Vec<Arc<K>> {
        self.view().children(namespace, owner_uid)
    }

    async fn live<K: Kind>(&self, key: &Key) -> Result<Option<K>, StoreError> {
        let api = self.api::<K>(&key.namespace);
        let object = self.inner.requests.read(api.get_opt(&key.name)).await?;
        Ok(object.map(watch::trimmed))
    }

    async fn create<K: Kind>(&self, new: &K) -> Result<K, StoreError> {
        let api = self.api::<K>(&new.key().namespace);
        let params = PostParams::default();
        let created = self.inner.requests.write(api.create(&params, new)).await;
        match created {
            Ok(object) => Ok(watch::trimmed(object)),
            // Of the namespace or the definition; either may come.
            Err(StoreError::Gone) => Err(StoreError::Unavailable(
                "namespace or definition not found".to_owned(),
            )),
            Err(error) => Err(error),
        }
    }

    async fn write_status<K: Kind>(&self, seen: &K, status: K::Status) -> Result<K, StoreError> {
        if seen.meta().resource_version.is_none() {
            // The server would take it for "whatever is there".
            return Err(StoreError::Invalid(
                "metadata.resourceVersion: required".to_owned(),
            ));
        }
        let key = seen.key();
        let mut object = seen.clone();
        object.set_status(status);
        let api = self.api::<K>(&key.namespace);
        let params = PostParams::default();
        let written = api.replace_status(&key.name, &params, &object);
        self.inner.requests.write(written).await.map(watch::trimmed)
    }

    async fn delete<K: Kind>(&self, seen: &K) -> Result<(), StoreError> {
        let key = seen.key();
        let params = DeleteParams {
            preconditions: Some(Preconditions {
                uid: Some(seen.uid().to_owned()),
                resource_version: None,
            }),
            ..DeleteParams::default()
        };
        let api = self.api::<K>(&key.namespace);
        let deleted = api.delete(&key.name, &params);
        self.inner.requests.write(deleted).await.map(drop)
    }

    fn changes<K: Kind>(&self) -> impl Stream<Item = Change<K>> + Send + 'static {
        self.view().changes()
    }

    async fn secret(&self, key: &Key) -> Result<Option<SecretData>, StoreError> {
        self.inner.secrets.read(key).await
    }

    fn secret_changes(&self) -> impl Stream<Item = Key> + Send + 'static {
        self.inner.secrets.changes()
    }

    async fn event(&self, event: Event) {
        self.inner.recorder.record(event);
    }
}

impl From<Option<&str>> for Scope {
    fn from(namespace: Option<&str>) -> Self {
        namespace.map_or(Self::All, |name| {
            Self::Namespaces(BTreeSet::from([name.to_owned()]))
        })
    }
}

impl fmt::Debug for KubeStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KubeStore").finish_non_exhaustive()
    }
}
