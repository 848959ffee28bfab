//! Global and application commands, network function App, §20.

mod get_device_id;
mod reset;

pub use get_device_id::{DeviceId, GetDeviceId};
pub use reset::{ColdReset, WarmReset};
