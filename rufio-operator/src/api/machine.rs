//! Machine: a BMC and what is known of its host.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Connection;

/// What is wanted of a Machine.
#[derive(
    Clone, CustomResource, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize,
)]
#[kube(
    group = "bmc.tinkerbell.org",
    version = "v1alpha1",
    kind = "Machine",
    plural = "machines",
    singular = "machine",
    category = "tinkerbell",
    namespaced,
    status = "MachineStatus",
    doc = "A machine's BMC: how to reach it, and what it says of its host.",
    label("clusterctl.cluster.x-k8s.io", ""),
    label("clusterctl.cluster.x-k8s.io/move", ""),
    printcolumn(
        name = "Host",
        type_ = "string",
        json_path = ".spec.connection.host",
        description = "The BMC"
    ),
    printcolumn(
        name = "Power",
        type_ = "string",
        json_path = ".status.powerState",
        description = "Power state at the last look"
    ),
    printcolumn(
        name = "Contactable",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Contactable')].status",
        description = "Whether the BMC answers and accepts the credential"
    ),
    printcolumn(
        name = "Reason",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Contactable')].reason",
        description = "Why it is not contactable"
    ),
    printcolumn(
        name = "Message",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Contactable')].message",
        description = "Why it is not contactable, in words",
        priority = 1
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    derive = "Default",
    derive = "PartialEq"
)]
#[serde(rename_all = "camelCase")]
pub struct MachineSpec {
    /// How to reach the BMC.
    pub connection: Connection,
}

/// What is known of a Machine.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineStatus {
    /// Power state at the last look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_state: Option<PowerState>,
    /// Conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<MachineCondition>,
}

/// Power state at the last look.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PowerState {
    /// On.
    On,
    /// Off.
    Off,
    /// The BMC could not be asked, or gave no usable answer.
    Unknown,
}

/// A condition of a Machine.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineCondition {
    /// `Contactable`.
    #[serde(rename = "type")]
    pub type_: String,
    /// `True` or `False`.
    pub status: String,
    /// When the status last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_update_time: Option<Time>,
    /// Why, for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Why, for a program. An addition to Rufio's schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
