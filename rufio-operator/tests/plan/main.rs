//! The decisions, without I/O: tables, Rufio's golden objects, and properties.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod action;
mod job;
mod machine;
mod media;
mod outcome;
mod properties;
mod task;

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use rufio_operator::store::Kind;
use serde_json::{Value, json};

/// When every object was created.
const CREATED: &str = "2026-01-01T00:00:00Z";
const TIMEOUT: Duration = Duration::from_secs(600);

/// So many seconds after the creation.
fn at(seconds: i64) -> Timestamp {
    let created: Timestamp = CREATED.parse().unwrap();
    Timestamp::from_second(created.as_second() + seconds).unwrap()
}

/// An object as a server would have it.
fn stored<K: Kind>(name: &str, spec: Value, status: Value) -> K {
    let mut object = json!({
        "apiVersion": "bmc.tinkerbell.org/v1alpha1",
        "kind": K::KIND,
        "metadata": {
            "name": name, "namespace": "ns", "uid": format!("uid-of-{name}"), "resourceVersion": "7", "generation": 1,
            "creationTimestamp": CREATED,
        },
        "spec": spec,
    });
    if !status.is_null() {
        object["status"] = status;
    }
    serde_json::from_value(object).unwrap()
}

fn connection() -> Value {
    json!({"host": "h", "port": 623, "insecureTLS": true, "authSecretRef": {"name": "s", "namespace": "ns"}})
}
