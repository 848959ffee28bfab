//! The boot override: which device the host boots next, once or until changed.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::vocabulary::{UnknownWord, word};

/// Reads and sets the boot override.
#[async_trait]
pub trait BootControl: Send + Sync {
    /// Reads the override that the BMC holds. [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) where the
    /// protocol can only set one.
    async fn boot_override(&self) -> Result<BootReading, Error>;

    /// Sets the override; [`BootDevice::None`] clears it.
    async fn set_boot_override(&self, wanted: BootOverride) -> Result<(), Error>;
}

/// A boot override as somebody wants it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BootOverride {
    /// The device to boot from.
    pub device: BootDevice,
    /// For the next boot only, or until changed.
    pub persistence: Persistence,
    /// The firmware interface to boot with.
    pub mode: BootMode,
}

/// A boot override as the BMC reports it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BootReading {
    /// The settings; BMCs keep them, or part of them, even when they are not valid.
    pub settings: BootOverride,
    /// Whether the host's firmware will honour them at the next boot.
    pub valid: bool,
    /// The protocol's own words for them (bytes, property values), for a person to read.
    pub raw: String,
}

/// A device to boot from.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BootDevice {
    /// No override.
    None,
    /// Network boot (PXE).
    Pxe,
    /// Default hard disk.
    Disk,
    /// Default hard disk in safe mode.
    Safe,
    /// Diagnostic partition.
    Diag,
    /// CD or DVD, local or virtual.
    Cdrom,
    /// Firmware setup.
    Bios,
    /// Floppy or primary removable medium.
    Floppy,
    /// USB device.
    Usb,
    /// SD card.
    SdCard,
    /// Remote drive.
    RemoteDrive,
    /// The firmware's utilities.
    Utilities,
    /// UEFI HTTP boot.
    UefiHttp,
}

/// How long an override lasts.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Persistence {
    /// For the next boot only.
    #[default]
    Once,
    /// Until it is changed.
    Persistent,
}

/// The firmware interface that a boot uses.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BootMode {
    /// PC-compatible boot.
    #[default]
    Legacy,
    /// Extensible Firmware Interface boot.
    Efi,
}

word!(BootDevice, "boot device" {
    None => "none", Pxe => "pxe", Disk => "disk", Safe => "safe", Diag => "diag", Cdrom => "cdrom", Bios => "bios",
    Floppy => "floppy", Usb => "usb", SdCard => "sd_card", RemoteDrive => "remote_drive", Utilities => "utilities",
    UefiHttp => "uefi_http",
});
word!(Persistence, "persistence" { Once => "once", Persistent => "persistent" });
word!(BootMode, "boot mode" { Legacy => "legacy", Efi => "efi" });

impl BootOverride {
    /// `device` for the next boot, in legacy mode.
    pub fn once(device: BootDevice) -> Self {
        Self {
            device,
            persistence: Persistence::Once,
            mode: BootMode::Legacy,
        }
    }
}

impl fmt::Display for BootOverride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.device, self.persistence, self.mode)
    }
}
