//! The controllers on the memory store, shared by the tests that run them against simulated peers.
#![allow(missing_docs, unreachable_pub, dead_code)]

use std::time::Duration;

use bmc_ipmi::Transport;
use futures_util::StreamExt;
use rufio_operator::api::{Job, Machine};
use rufio_operator::connect::{ConnectConfig, Connector};
use rufio_operator::env::Env;
use rufio_operator::reconcile::{Config, Controllers};
use rufio_operator::store::memory::MemoryStore;
use rufio_operator::store::{Change, Key, Kind, Store};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The controllers on the memory store, in this process.
pub struct Operator {
    pub store: MemoryStore,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

impl Operator {
    pub fn start() -> Self {
        Self::with(Config {
            poll_interval: Duration::from_secs(3600),
            ..Config::default()
        })
    }

    pub fn with(config: Config) -> Self {
        Self::on(MemoryStore::new(Env::system()), config)
    }

    /// On a store that there is: after a crash, say.
    pub fn on(store: MemoryStore, config: Config) -> Self {
        let env = Env::system();
        let connect = Connector::new(store.clone(), Transport::new(), ConnectConfig::default());
        let (stop, stopped) = oneshot::channel();
        let controllers = Controllers::new(store.clone(), connect, env, config);
        let running = tokio::spawn(controllers.run(async {
            let _ = stopped.await;
        }));
        Self {
            store,
            stop: Some(stop),
            running,
        }
    }

    /// Waits for an object to look as wanted.
    pub async fn until<K: Kind>(&self, name: &str, wanted: impl Fn(&K) -> bool) -> K {
        let mut changes = Box::pin(self.store.changes::<K>());
        let found = timeout(Duration::from_secs(20), async {
            loop {
                let objects = match changes.next().await.unwrap() {
                    Change::Reset(objects) => objects,
                    Change::Applied(object) => vec![object],
                    Change::Deleted(_) => vec![],
                };
                for object in objects {
                    if object.key().name == name && wanted(&object) {
                        return K::clone(&object);
                    }
                }
            }
        });
        found
            .await
            .unwrap_or_else(|_| panic!("{name}: {:?}", self.store.user().get::<K>(&key(name))))
    }

    /// Ends it without a farewell.
    pub async fn kill(self) -> MemoryStore {
        self.running.abort();
        let _ = self.running.await;
        self.store
    }

    /// Asks it to stop, and waits for that.
    pub async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        timeout(Duration::from_secs(5), self.running)
            .await
            .unwrap()
            .unwrap();
    }
}

pub fn key(name: &str) -> Key {
    Key {
        namespace: "lab".into(),
        name: name.into(),
    }
}

pub fn object<K: Kind>(kind: &str, name: &str, spec: serde_json::Value) -> K {
    serde_json::from_value(json!({
        "apiVersion": "bmc.tinkerbell.org/v1alpha1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "lab"},
        "spec": spec,
    }))
    .unwrap()
}

/// The first condition's status of a Machine that was looked at.
pub fn contactable(machine: &Machine) -> Option<&str> {
    let condition = machine.status.as_ref()?.conditions.first()?;
    Some(&condition.status)
}

/// Type and message of every condition.
pub fn conditions(job: &Job) -> Vec<(String, String)> {
    let conditions = job.status.iter().flat_map(|status| &status.conditions);
    conditions
        .map(|condition| (condition.type_.clone(), condition.message.clone()))
        .collect()
}

pub fn ended(job: &Job) -> bool {
    conditions(job)
        .iter()
        .any(|(type_, _)| type_ == "Completed" || type_ == "Failed")
}
