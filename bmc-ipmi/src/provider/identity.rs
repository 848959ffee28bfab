//! The BMC's identity by Get Device ID.

use async_trait::async_trait;
use bmc_core::{BmcIdentity, Error as CoreError, Identity};

use super::session::IpmiSession;

#[async_trait]
impl Identity for IpmiSession {
    async fn identity(&self) -> Result<BmcIdentity, CoreError> {
        let device = self.read_device().await?;
        let (major, minor) = device.ipmi();
        Ok(BmcIdentity {
            manufacturer: Some(manufacturer(device.manufacturer)),
            product: Some(format!("{:#06x}", device.product)),
            firmware: Some(device.firmware()),
            protocol: Some(format!("IPMI {major}.{minor}")),
        })
    }
}

/// IANA private enterprise numbers that BMCs carry.
pub(super) fn manufacturer(number: u32) -> String {
    let name = match number {
        2 => "IBM",
        11 => "Hewlett-Packard",
        343 => "Intel",
        674 => "Dell",
        5771 => "Cisco",
        7244 => "Quanta",
        10368 => "Fujitsu",
        10876 => "Supermicro",
        15370 => "Gigabyte",
        19046 => "Lenovo",
        42817 => "OpenPOWER",
        47196 => "Hewlett Packard Enterprise",
        _ => return format!("IANA {number}"),
    };
    name.to_owned()
}
