//! Global and application commands, network function App, §20, and information about the system, §22.14.

mod acpi_power_state;
mod get_device_id;
mod get_self_test_results;
mod guid;
mod reset;
mod system_info;

pub use acpi_power_state::{
    AcpiDeviceState, AcpiPowerState, AcpiSystemState, GetAcpiPowerState, SetAcpiPowerState,
};
pub use get_device_id::{DeviceId, GetDeviceId};
pub use get_self_test_results::{GetSelfTestResults, SelfTestResult, SelfTestResults};
pub use guid::{GetDeviceGuid, GetSystemGuid, Guid, GuidOrder};
pub use reset::{ColdReset, WarmReset};
pub use system_info::{GetSystemInfo, SetSystemInfo, SystemInfoParameter};
