//! Commands of the Data Center Manageability Interface (DCMI), version 1.5, a group extension of IPMI.
//!
//! "§" is a section of the DCMI specification here. A BMC without DCMI answers with C1h or D6h.

mod activate_power_limit;
mod capabilities;
mod data;
mod get_asset_tag;
mod get_capabilities;
mod get_configuration;
mod get_mc_id_string;
mod get_power_limit;
mod get_power_reading;
mod get_sensor_info;
mod get_temperatures;
mod get_thermal_limit;
mod set_asset_tag;
mod set_configuration;
mod set_mc_id_string;
mod set_power_limit;
mod set_thermal_limit;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

pub use activate_power_limit::ActivatePowerLimit;
pub use capabilities::{DcmiAccess, DcmiController, DcmiLog, DcmiPeriod, DcmiPeriods, DcmiSupport};
pub use data::{DcmiData, DcmiVersion};
pub use get_asset_tag::{AssetTagEncoding, AssetTagPart, GetAssetTag};
pub use get_capabilities::GetDcmiCapabilities;
pub use get_configuration::{DcmiParameter, GetDcmiConfiguration};
pub use get_mc_id_string::{GetMcIdString, McIdStringPart};
pub use get_power_limit::{GetPowerLimit, PowerLimit, PowerLimitAction, PowerLimitStatus};
pub use get_power_reading::{GetPowerReading, PowerReading};
pub use get_sensor_info::{DcmiSensors, GetDcmiSensorInfo};
pub use get_temperatures::{DcmiTemperature, DcmiTemperatures, GetDcmiTemperatures};
pub use get_thermal_limit::{GetThermalLimit, ThermalLimit};
pub use set_asset_tag::SetAssetTag;
pub use set_configuration::SetDcmiConfiguration;
pub use set_mc_id_string::SetMcIdString;
pub use set_power_limit::SetPowerLimit;
pub use set_thermal_limit::SetThermalLimit;

/// The group extension's number: the first byte of every request and every response.
const GROUP: u8 = 0xdc;

/// A response that says nothing but that it belongs to DCMI.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DcmiDone;

/// The length of a text after a part of it was written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DcmiTextLength {
    /// Length in bytes.
    pub total: u8,
}

impl Wire for DcmiDone {
    const NAME: &'static str = "DCMI response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r).map(|()| Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
    }
}

impl Wire for DcmiTextLength {
    const NAME: &'static str = "DCMI text length";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let total = r.u8("total length")?;
        Ok(Self { total })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_u8(self.total);
    }
}

fn group(r: &mut Reader<'_>) -> Result<(), DecodeError> {
    r.expect_u8(GROUP, "group extension")
}

fn put_group(out: &mut impl BufMut) {
    out.put_u8(GROUP);
}

/// Offset and bytes of a part of a text, as they are written.
fn text_part(r: &mut Reader<'_>) -> Result<(u8, Vec<u8>), DecodeError> {
    let [offset, count] = r.array("offset and count")?;
    let data = r.take(count.into(), "data")?.to_vec();
    Ok((offset, data))
}

fn put_text_part(offset: u8, data: &[u8], out: &mut impl BufMut) {
    let count = u8::try_from(data.len()).unwrap_or(u8::MAX);
    out.put_slice(&[offset, count]);
    out.put_slice(data.get(..count.into()).unwrap_or_default());
}
