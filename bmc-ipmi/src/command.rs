//! Commands: typed requests and responses, one command a file, both directions.

use crate::codec::{DecodeError, Wire};
use crate::wire::{NetFn, Privilege};

pub mod boot_flags;
pub mod chassis_control;
pub mod cipher_suite_records;
pub mod close_session;
pub mod get_channel_auth_capabilities;
pub mod get_channel_cipher_suites;
pub mod get_chassis_status;
pub mod get_device_id;
pub mod get_system_boot_options;
pub mod set_session_privilege_level;
pub mod set_system_boot_options;

pub use boot_flags::{BootFlagDevice, BootFlags};
pub use chassis_control::ChassisControl;
pub use close_session::CloseSession;
pub use get_channel_auth_capabilities::{ChannelAuthCapabilities, GetChannelAuthCapabilities};
pub use get_channel_cipher_suites::{ChannelCipherSuites, GetChannelCipherSuites};
pub use get_chassis_status::{ChassisStatus, GetChassisStatus};
pub use get_device_id::{DeviceId, GetDeviceId};
pub use get_system_boot_options::{GetSystemBootOptions, SystemBootOptions};
pub use set_session_privilege_level::SetSessionPrivilegeLevel;
pub use set_system_boot_options::{BootOption, BootParameter, SetSystemBootOptions};

/// The channel that a request arrives on.
pub const THIS_CHANNEL: u8 = 0x0e;

/// A command: the request's data is [`Wire`], the name is [`Wire::NAME`].
pub trait Command: Wire {
    /// The response's data behind the completion code.
    type Response: Wire;
    /// Network function of the request.
    const NETFN: NetFn;
    /// Command number.
    const CMD: u8;
    /// Whether executing a repeated request makes no difference.
    const IDEMPOTENT: bool;
    /// Lowest privilege at which a BMC executes it; [`Privilege::HIGHEST`] (0) for none.
    const PRIVILEGE: Privilege;

    /// Whether executing this request twice makes no difference, where it depends on the data.
    fn is_idempotent(&self) -> bool {
        Self::IDEMPOTENT
    }

    /// Reads the response's data. Bytes behind it are ignored, as BMCs send them.
    fn decode_response(data: &[u8]) -> Result<Self::Response, DecodeError> {
        Self::Response::from_prefix(data)
    }
}
