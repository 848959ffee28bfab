//! The custom resources of `bmc.tinkerbell.org/v1alpha1`: Machine, Job and Task, JSON-identical to Rufio's.
#![allow(clippy::duplicated_attributes)] // Each printcolumn of kube has its own type_.

mod action;
mod conditions;
mod connection;
mod job;
mod machine;
mod provider_options;
mod schema;
mod task;

pub use action::{
    Action, BootDeviceAction, OneTimeBootDeviceAction, PowerAction, VirtualMediaAction,
};
pub use conditions::{ConditionStatus, JobConditionType, MachineConditionType, TaskConditionType};
pub use connection::{Connection, DEFAULT_PORT, SecretReference};
pub use job::{Job, JobCondition, JobSpec, JobStatus, MachineRef};
pub use machine::{Machine, MachineCondition, MachineSpec, MachineStatus, PowerState};
pub use provider_options::{
    HmacOptions, HomeAssistantOptions, HostScheme, IntelAmtOptions, IpmitoolOptions,
    ProviderOptions, RedfishOptions, RpcExperimental, RpcOptions, RpcRequest, RpcSignature,
};
pub use task::{Task, TaskCondition, TaskSpec, TaskStatus};

/// The label on a Task that holds the name of the Job that made it; clients delete Tasks by it.
pub const OWNER_NAME_LABEL: &str = "owner-name";
