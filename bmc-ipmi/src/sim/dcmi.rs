//! The DCMI side of a simulated BMC.

use std::collections::BTreeMap;

use crate::command::{
    DcmiParameter, DcmiPeriod, DcmiTemperature, PowerLimit, PowerReading, ThermalLimit,
};
use crate::wire::{EntityId, Timestamp};

/// What a simulated BMC knows by DCMI; all of it can be changed at any time.
#[derive(Clone, Debug)]
pub struct SimDcmi {
    /// Whether the BMC knows DCMI at all.
    pub supported: bool,
    /// Power that the machine takes.
    pub power: PowerReading,
    /// The periods over which power is averaged.
    pub periods: Vec<DcmiPeriod>,
    /// The limit of power; `None` until somebody sets one.
    pub limit: Option<PowerLimit>,
    /// Whether the limit is active.
    pub limit_active: bool,
    /// Whether an inactive limit is told together with the completion code that says so; one of 0 W while there is none.
    pub tells_inactive_limit: bool,
    /// The limits of power that can be set, in watts.
    pub limit_range: std::ops::RangeInclusive<u16>,
    /// The asset tag, at most 63 bytes.
    pub asset_tag: Vec<u8>,
    /// The completion code by which a tag in another encoding than UTF-8 is told.
    pub asset_tag_code: Option<u8>,
    /// The controller's name, with the zero byte at its end.
    pub mc_id: Vec<u8>,
    /// Temperatures by entity.
    pub temperatures: BTreeMap<EntityId, Vec<DcmiTemperature>>,
    /// Records of temperature sensors by entity.
    pub sensors: BTreeMap<EntityId, Vec<u16>>,
    /// Whether it tells the first sensors and temperatures whatever page is asked for.
    pub repeats_pages: bool,
    /// Limits of temperatures by entity and instance.
    pub thermal_limits: BTreeMap<(EntityId, u8), ThermalLimit>,
    /// Configuration parameters.
    pub configuration: BTreeMap<DcmiParameter, Vec<u8>>,
}

impl Default for SimDcmi {
    fn default() -> Self {
        Self {
            supported: false,
            power: PowerReading {
                current: 0,
                minimum: 0,
                maximum: 0,
                average: 0,
                time: Timestamp(0x6000_0000),
                period: 1000,
                state: 0x40,
            },
            periods: vec![DcmiPeriod(0x05), DcmiPeriod(0x41)],
            limit: None,
            limit_active: false,
            tells_inactive_limit: true,
            limit_range: 50..=2000,
            asset_tag: Vec::new(),
            asset_tag_code: None,
            mc_id: b"bmc\0".to_vec(),
            temperatures: BTreeMap::new(),
            sensors: BTreeMap::new(),
            repeats_pages: false,
            thermal_limits: BTreeMap::new(),
            configuration: BTreeMap::from([
                (DcmiParameter::DISCOVERY, vec![0x01]),
                (DcmiParameter::DHCP_TIMEOUT, vec![4]),
                (DcmiParameter::SERVER_CONTACT_TIMEOUT, vec![120, 0]),
                (DcmiParameter::SERVER_CONTACT_RETRY, vec![64, 0]),
            ]),
        }
    }
}
