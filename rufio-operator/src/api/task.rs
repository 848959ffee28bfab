//! Task: one action on one BMC.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Action, Connection};

/// What a Task is to do.
#[derive(
    Clone, CustomResource, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize,
)]
#[kube(
    group = "bmc.tinkerbell.org",
    version = "v1alpha1",
    kind = "Task",
    plural = "tasks",
    singular = "task",
    shortname = "t",
    category = "tinkerbell",
    namespaced,
    status = "TaskStatus",
    doc = "One action on one BMC, done once. A Job makes one for each of its actions; it can also stand alone.",
    printcolumn(
        name = "Host",
        type_ = "string",
        json_path = ".spec.connection.host",
        description = "The BMC"
    ),
    printcolumn(
        name = "Power",
        type_ = "string",
        json_path = ".spec.task.powerAction",
        description = "The power action, if it is one",
        priority = 1
    ),
    printcolumn(
        name = "Started",
        type_ = "date",
        json_path = ".status.startTime",
        description = "Since when the action may have happened"
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
pub struct TaskSpec {
    /// The action.
    pub task: Action,
    /// How to reach the BMC; a Job copies it from its Machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<Connection>,
}

/// How far a Task is.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskStatus {
    /// Conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<TaskCondition>,
    /// Written before the BMC is told to act: from then on the action may have happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Time>,
    /// When the Task completed; not set when it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_time: Option<Time>,
}

/// A condition of a Task.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskCondition {
    /// `Completed` or `Failed`.
    #[serde(rename = "type")]
    pub type_: String,
    /// `True` or `False`.
    pub status: String,
    /// Why, for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}
