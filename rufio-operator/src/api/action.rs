//! One thing to do to a machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing to do to a machine: exactly one of the fields.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("maxProperties" = 1))]
pub struct Action {
    /// Switch or read the power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_action: Option<PowerAction>,
    /// Boot once from a device. Deprecated upstream in favour of bootDevice, still what the workflow engine sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_time_boot_device_action: Option<OneTimeBootDeviceAction>,
    /// Boot from a device, once or until changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot_device: Option<BootDeviceAction>,
    /// Insert or eject virtual media.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtual_media_action: Option<VirtualMediaAction>,
}

/// What to do with the power.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PowerAction {
    /// Power up.
    On,
    /// Power down at once.
    Off,
    /// Ask the operating system to shut down.
    Soft,
    /// Read the power state.
    Status,
    /// Power down, then up.
    Cycle,
    /// Hard reset.
    Reset,
}

/// Boot once from a device.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OneTimeBootDeviceAction {
    /// Devices; the first counts.
    pub device: Vec<String>,
    /// Boot with EFI firmware.
    #[serde(default, skip_serializing_if = "is_false")]
    pub efi_boot: bool,
}

/// Boot from a device.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BootDeviceAction {
    /// Device.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub device: String,
    /// Until changed, instead of once.
    #[serde(default, skip_serializing_if = "is_false")]
    pub persistent: bool,
    /// Boot with EFI firmware.
    #[serde(default, skip_serializing_if = "is_false")]
    pub efi_boot: bool,
}

/// Insert or eject virtual media.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VirtualMediaAction {
    /// URL of the image; empty ejects.
    #[serde(default, rename = "mediaURL", skip_serializing_if = "String::is_empty")]
    pub media_url: String,
    /// Kind of the media, such as `CD`.
    pub kind: String,
}

fn is_false(value: &bool) -> bool {
    !value
}
