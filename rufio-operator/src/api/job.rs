//! Job: an ordered list of actions on one Machine.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Action;

/// What a Job is to do.
#[derive(
    Clone, CustomResource, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize,
)]
#[kube(
    group = "bmc.tinkerbell.org",
    version = "v1alpha1",
    kind = "Job",
    plural = "jobs",
    singular = "job",
    shortname = "j",
    category = "tinkerbell",
    namespaced,
    status = "JobStatus",
    doc = "An ordered list of actions on one Machine, done once.",
    printcolumn(
        name = "Machine",
        type_ = "string",
        json_path = ".spec.machineRef.name",
        description = "The Machine to act on"
    ),
    printcolumn(
        name = "State",
        type_ = "string",
        json_path = ".status.conditions[-1:].type",
        description = "The newest condition"
    ),
    printcolumn(
        name = "Message",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Failed')].message",
        description = "Why it failed",
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
pub struct JobSpec {
    /// The Machine to act on, in any namespace.
    pub machine_ref: MachineRef,
    /// The actions, in order; each becomes a Task once its predecessor has completed.
    #[schemars(length(min = 1))]
    pub tasks: Vec<Action>,
}

/// Names a Machine.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "camelCase")]
pub struct MachineRef {
    /// Name of the Machine.
    pub name: String,
    /// Namespace of the Machine.
    pub namespace: String,
}

/// How far a Job is.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobStatus {
    /// Conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<JobCondition>,
    /// When the Job began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Time>,
    /// When the Job completed; not set when it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_time: Option<Time>,
}

/// A condition of a Job.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobCondition {
    /// `Running`, `Completed` or `Failed`.
    #[serde(rename = "type")]
    pub type_: String,
    /// `True` or `False`.
    pub status: String,
    /// Why, for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}
