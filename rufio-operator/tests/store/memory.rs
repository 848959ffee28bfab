//! The store in memory.

use std::collections::BTreeMap;

use bmc_core::Secret;
use rufio_operator::api::Machine;
use rufio_operator::env::Env;
use rufio_operator::store::Key;
use rufio_operator::store::fault::{Faults, Pruned};
use rufio_operator::store::memory::MemoryStore;

use crate::contract::{World, keeps};

struct Memory(MemoryStore);

impl World for Memory {
    type Store = MemoryStore;

    fn store(&self) -> &MemoryStore {
        &self.0
    }

    async fn add_namespace(&self, _: &str) {}

    async fn annotate(&self, machine: &Key, name: &str, value: &str) {
        let user = self.0.user();
        user.annotate::<Machine>(machine, name, value).unwrap();
    }

    async fn delete_machine(&self, key: &Key) {
        self.0.user().delete::<Machine>(key).unwrap();
    }

    async fn put_secret(&self, key: &Key, data: BTreeMap<String, String>) {
        let data = data.into_iter();
        let data = data.map(|(key, value)| (key, Secret::from(value)));
        self.0.user().put_secret(key.clone(), data.collect());
    }

    async fn delete_secret(&self, key: &Key) {
        self.0.user().delete_secret(key).unwrap();
    }

    async fn prune_reasons(&self) {
        self.0.set_faults(Faults {
            pruned: vec![Pruned {
                kind: "Machine",
                path: "status.conditions[].reason",
            }],
            ..Faults::none()
        });
    }
}

#[tokio::test(start_paused = true)]
async fn the_store_in_memory_keeps_every_promise() {
    keeps(&Memory(MemoryStore::new(Env::simulated(1)))).await;
}
