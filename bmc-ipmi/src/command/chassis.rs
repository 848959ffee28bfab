//! Chassis commands, §28.

mod boot_flags;
mod boot_initiator;
mod boot_option;
mod chassis_control;
mod chassis_identify;
mod get_chassis_capabilities;
mod get_chassis_status;
mod get_poh_counter;
mod get_system_boot_options;
mod get_system_restart_cause;
mod keep_boot_flags;
mod set_front_panel_enables;
mod set_power_cycle_interval;
mod set_power_restore_policy;
mod set_system_boot_options;

pub use boot_flags::{BootFlagDevice, BootFlags};
pub use boot_initiator::{BootAgents, BootInitiatorInfo, BootMailbox};
pub use boot_option::{BootOption, BootParameter};
pub use chassis_control::ChassisControl;
pub use chassis_identify::ChassisIdentify;
pub use get_chassis_capabilities::{ChassisCapabilities, GetChassisCapabilities};
pub use get_chassis_status::{ChassisStatus, GetChassisStatus};
pub use get_poh_counter::{GetPohCounter, PohCounter};
pub use get_system_boot_options::{GetSystemBootOptions, SystemBootOptions};
pub use get_system_restart_cause::{GetSystemRestartCause, RestartCause, SystemRestartCause};
pub use keep_boot_flags::KeepBootFlags;
pub use set_front_panel_enables::SetFrontPanelEnables;
pub use set_power_cycle_interval::SetPowerCycleInterval;
pub use set_power_restore_policy::{
    PowerRestorePolicies, PowerRestorePolicy, SetPowerRestorePolicy,
};
pub use set_system_boot_options::SetSystemBootOptions;
