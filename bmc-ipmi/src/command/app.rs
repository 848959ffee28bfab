//! Global and application commands, network function App, §20.

mod get_device_id;

pub use get_device_id::{DeviceId, GetDeviceId};
