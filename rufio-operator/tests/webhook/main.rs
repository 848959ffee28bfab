//! The controllers on the memory store against simulated webhook consumers and Home Assistants, over TCP on the loopback.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../support/lab.rs"]
mod lab;
#[path = "../support/relay.rs"]
mod relay;

mod actions;
mod exclusive;
mod fields;
mod switches;
mod tls;

use std::collections::BTreeMap;
use std::time::Duration;

use bmc_core::Secret;
use bmc_rpc::sim::{ConsumerSim, ConsumerSimBuilder};
use bmc_rpc::{Algorithm, Keys, Scheme};
use rufio_operator::api::{Job, Machine, Task};
use rufio_operator::reconcile::Config;
use rufio_operator::store::memory::MemoryStore;
use serde_json::{Value, json};

use lab::{Operator, key, object};

/// Looks at Machines when they are new or poked, and not in between.
fn operator() -> Operator {
    Operator::with(quiet())
}

fn quiet() -> Config {
    Config {
        poll_interval: Duration::from_secs(3600),
        ..Config::default()
    }
}

fn keys() -> Keys {
    Keys::new().secret(Algorithm::Sha256, "s3cret")
}

fn consumer() -> ConsumerSimBuilder {
    ConsumerSim::builder().keys(keys()).scheme(Scheme::rufio())
}

fn put_secret(store: &MemoryStore, name: &str, values: &[(&str, &str)]) {
    let values = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Secret::from(*value)));
    store
        .user()
        .put_secret(key(name), values.collect::<BTreeMap<_, _>>());
}

/// A consumer, an operator that has its Secret, and the connection to a machine of the consumer's.
async fn lab() -> (ConsumerSim, Operator, Value) {
    let consumer = consumer().spawn().await.unwrap();
    let operator = operator();
    put_hook(&operator.store);
    let to_vm = connection("vm-1", &rpc(&consumer.url()));
    (consumer, operator, to_vm)
}

/// The Secret that [`keys`] accept.
fn put_hook(store: &MemoryStore) {
    put_secret(store, "hook", &[("secret", "s3cret")]);
}

fn rpc(url: &str) -> Value {
    json!({"rpc": {"consumerURL": url, "hmac": {"secrets": {"sha256": [{"name": "hook"}]}}}})
}

fn home_assistant(entity: &str, delay: u32) -> Value {
    json!({"homeassistant": {"switchEntityID": entity, "powerOperationDelaySeconds": delay}})
}

fn connection(host: &str, options: &Value) -> Value {
    json!({"host": host, "insecureTLS": true, "authSecretRef": {"name": "token"}, "providerOptions": options})
}

fn machine(name: &str, connection: &Value) -> Machine {
    object("Machine", name, json!({ "connection": connection }))
}

fn job(name: &str, machine: &str, tasks: &Value) -> Job {
    let machine = json!({"name": machine, "namespace": "lab"});
    object("Job", name, json!({"machineRef": machine, "tasks": tasks}))
}

fn task(name: &str, connection: &Value, action: &Value) -> Task {
    object(
        "Task",
        name,
        json!({"task": action, "connection": connection}),
    )
}

fn task_ended(task: &Task) -> bool {
    rufio_operator::status::task_finished(task.status.as_ref())
}

/// Message and reason of a Machine's condition.
fn condition(machine: &Machine) -> (String, Option<String>) {
    let condition = machine.status.as_ref().unwrap().conditions[0].clone();
    (condition.message, condition.reason)
}
