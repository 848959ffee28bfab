//! Chassis commands, §28.

mod boot_flags;
mod chassis_control;
mod chassis_identify;
mod get_chassis_status;
mod get_system_boot_options;
mod get_system_restart_cause;
mod set_system_boot_options;

pub use boot_flags::{BootFlagDevice, BootFlags};
pub use chassis_control::ChassisControl;
pub use chassis_identify::ChassisIdentify;
pub use get_chassis_status::{ChassisStatus, GetChassisStatus};
pub use get_system_boot_options::{GetSystemBootOptions, SystemBootOptions};
pub use get_system_restart_cause::{GetSystemRestartCause, RestartCause, SystemRestartCause};
pub use set_system_boot_options::{BootOption, BootParameter, SetSystemBootOptions};
