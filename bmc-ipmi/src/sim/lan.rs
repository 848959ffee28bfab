//! The LAN channel's configuration and counters.

use std::collections::BTreeMap;

use crate::codec::Reader;
use crate::command::{ArpSuspension, IpStatistics, LanParameter, LanSetting, SetLanConfiguration};
use crate::crypto::CipherSuite;
use crate::wire::CompletionCode;

/// The LAN configuration of a simulated BMC; all of it can be changed at any time.
#[derive(Debug)]
pub struct SimLanConfiguration {
    /// Data of each parameter, by number and set selector.
    settings: BTreeMap<(LanParameter, u8), Vec<u8>>,
    is_in_progress: bool,
    /// A change of the address takes the BMC away from where it is.
    pub moves_away: bool,
    /// Parameters that the BMC does not know.
    pub unsupported: Vec<LanParameter>,
    pub(super) has_moved: bool,
    pub(super) arps: ArpSuspension,
    pub(super) statistics: IpStatistics,
}

/// Parameters that can only be read.
const READ_ONLY: &[LanParameter] = &[
    LanParameter::AUTHENTICATION_TYPES,
    LanParameter::MAC_ADDRESS,
    LanParameter::DESTINATION_COUNT,
    LanParameter::CIPHER_SUITE_COUNT,
    LanParameter::CIPHER_SUITES,
    LanParameter::IPV6_SUPPORT,
    LanParameter::IPV6_LIMITS,
    LanParameter::IPV6_DYNAMIC_ADDRESS,
];

impl Default for SimLanConfiguration {
    fn default() -> Self {
        use LanParameter as P;
        let one = |parameter, data: &[u8]| ((parameter, 0), data.to_vec());
        let mut settings = BTreeMap::from([
            one(P::AUTHENTICATION_TYPES, &[0]),
            one(P::AUTHENTICATION_ENABLES, &[0; 5]),
            one(P::IPV4_ADDRESS, &[192, 0, 2, 10]),
            one(P::IPV4_SOURCE, &[1]),
            one(P::MAC_ADDRESS, &[0x02, 0, 0, 0, 0, 0x0a]),
            one(P::SUBNET_MASK, &[255, 255, 255, 0]),
            one(P::IPV4_HEADER, &[64, 0x40, 0x10]),
            one(P::PRIMARY_PORT, &[0x6f, 0x02]),
            one(P::SECONDARY_PORT, &[0x98, 0x02]),
            one(P::ARP_CONTROL, &[2]),
            one(P::GRATUITOUS_ARP_INTERVAL, &[4]),
            one(P::GATEWAY, &[192, 0, 2, 1]),
            one(P::GATEWAY_MAC, &[0; 6]),
            one(P::BACKUP_GATEWAY, &[0; 4]),
            one(P::BACKUP_GATEWAY_MAC, &[0; 6]),
            one(P::COMMUNITY, b"public\0\0\0\0\0\0\0\0\0\0\0\0"),
            one(P::DESTINATION_COUNT, &[1]),
            one(P::VLAN_ID, &[0, 0]),
            one(P::VLAN_PRIORITY, &[0]),
            one(
                P::CIPHER_SUITE_PRIVILEGES,
                &[0, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44],
            ),
            one(P::BAD_PASSWORD_THRESHOLD, &[0, 3, 6, 0, 6, 0]),
            one(P::IPV6_SUPPORT, &[6]),
            one(P::ADDRESSING, &[2]),
            one(P::IPV6_TRAFFIC_CLASS, &[0]),
            one(P::IPV6_HOP_LIMIT, &[64]),
            one(P::IPV6_FLOW_LABEL, &[0, 0, 0]),
            one(P::IPV6_LIMITS, &[2, 1, 3]),
            one(P::IPV6_ROUTER_CONTROL, &[1]),
            one(P::IPV6_ROUTER_1, &[0; 16]),
            one(P::IPV6_ROUTER_1_MAC, &[0; 6]),
            one(P::IPV6_ROUTER_1_PREFIX_LENGTH, &[0]),
            one(P::IPV6_ROUTER_1_PREFIX, &[0; 16]),
            one(P::IPV6_ROUTER_2, &[0; 16]),
            one(P::IPV6_ROUTER_2_MAC, &[0; 6]),
            one(P::IPV6_ROUTER_2_PREFIX_LENGTH, &[0]),
            one(P::IPV6_ROUTER_2_PREFIX, &[0; 16]),
        ]);
        let mut several = |parameter, sets: u8, rest: &[u8]| {
            for set in 0..sets {
                settings.insert((parameter, set), [&[set], rest].concat());
            }
        };
        several(P::DESTINATION, 2, &[0, 3, 0]);
        several(P::DESTINATION_ADDRESS, 2, &[0; 12]);
        several(P::DESTINATION_VLAN, 2, &[0; 3]);
        several(P::IPV6_STATIC_ADDRESS, 2, &[&[0; 18][..], &[1]].concat());
        several(
            P::IPV6_DYNAMIC_ADDRESS,
            1,
            &[&[1][..], &[0; 17], &[2]].concat(),
        );
        Self {
            settings,
            is_in_progress: false,
            moves_away: false,
            unsupported: Vec::new(),
            has_moved: false,
            arps: ArpSuspension::default(),
            statistics: IpStatistics::default(),
        }
    }
}

impl SimLanConfiguration {
    /// What a parameter is now; `set` is 0 where there is one only.
    pub fn get(&self, parameter: LanParameter, set: u8) -> Option<LanSetting> {
        let data = self.settings.get(&(parameter, set))?;
        LanSetting::decode(parameter, &mut Reader::new("LAN configuration", data)).ok()
    }

    /// Changes a parameter, also one that can only be read over the LAN.
    pub fn put(&mut self, setting: &LanSetting) {
        let mut data = Vec::new();
        setting.encode(&mut data);
        let parameter = setting.parameter();
        let set = match parameter.has_sets() {
            true => data.first().copied().unwrap_or_default(),
            false => 0,
        };
        self.settings.insert((parameter, set), data);
    }

    /// Whether somebody has begun to write and not ended.
    pub fn is_in_progress(&self) -> bool {
        self.is_in_progress
    }

    /// Begins to write for a console that this simulation knows nothing of.
    pub fn begin(&mut self) {
        self.is_in_progress = true;
    }

    /// Which ARPs are suspended.
    pub fn suspended_arps(&self) -> ArpSuspension {
        self.arps
    }

    pub(super) fn data(
        &self,
        parameter: LanParameter,
        set: u8,
        suites: &[CipherSuite],
    ) -> Result<Vec<u8>, CompletionCode> {
        if self.unsupported.contains(&parameter) {
            return Err(SetLanConfiguration::UNSUPPORTED);
        }
        let ids = suites.iter().map(|suite| suite.id());
        match parameter {
            LanParameter::SET_IN_PROGRESS => return Ok(vec![self.is_in_progress.into()]),
            LanParameter::CIPHER_SUITE_COUNT => {
                return Ok(vec![u8::try_from(suites.len()).unwrap_or(16).min(16)]);
            }
            LanParameter::CIPHER_SUITES => {
                return Ok([0].into_iter().chain(ids.take(16)).collect());
            }
            _ => {}
        }
        if let Some(data) = self.settings.get(&(parameter, set)) {
            return Ok(data.clone());
        }
        match self.settings.contains_key(&(parameter, 0)) {
            true => Err(CompletionCode::OUT_OF_RANGE),
            false => Err(SetLanConfiguration::UNSUPPORTED),
        }
    }

    pub(super) fn set(&mut self, setting: &LanSetting) -> Result<(), CompletionCode> {
        let parameter = setting.parameter();
        if self.unsupported.contains(&parameter) {
            return Err(SetLanConfiguration::UNSUPPORTED);
        }
        if READ_ONLY.contains(&parameter) {
            return Err(SetLanConfiguration::READ_ONLY);
        }
        match setting {
            LanSetting::SetInProgress(1) if self.is_in_progress => {
                return Err(SetLanConfiguration::SET_IN_PROGRESS);
            }
            LanSetting::SetInProgress(progress) => {
                self.is_in_progress = *progress == 1;
                return Ok(());
            }
            _ => {}
        }
        let mut data = Vec::new();
        setting.encode(&mut data);
        let set = match parameter.has_sets() {
            true => data.first().copied().unwrap_or_default(),
            false => 0,
        };
        let Some(place) = self.settings.get_mut(&(parameter, set)) else {
            return Err(match parameter.has_sets() {
                true => CompletionCode::OUT_OF_RANGE,
                false => SetLanConfiguration::UNSUPPORTED,
            });
        };
        let is_address = matches!(
            parameter,
            LanParameter::IPV4_ADDRESS | LanParameter::IPV4_SOURCE | LanParameter::VLAN_ID
        );
        self.has_moved |= self.moves_away && is_address && *place != data;
        if parameter == LanParameter::IPV6_STATIC_ADDRESS {
            set_status(&mut data);
        }
        *place = data;
        Ok(())
    }

    /// Counts a datagram that has arrived.
    pub(super) fn count_received(&mut self, is_rmcp: bool) {
        let counters = &mut self.statistics;
        counters.ip_received = counters.ip_received.saturating_add(1);
        counters.udp_received = counters.udp_received.saturating_add(1);
        if is_rmcp {
            counters.rmcp_received = counters.rmcp_received.saturating_add(1);
        }
    }

    /// Counts datagrams that have been sent.
    pub(super) fn count_sent(&mut self, count: usize) {
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        let sent = &mut self.statistics.ip_sent;
        *sent = sent.saturating_add(count);
    }
}

/// A static address is active as soon as it is enabled.
fn set_status(data: &mut [u8]) {
    let is_enabled = data.get(1).is_some_and(|source| source & 0x80 != 0);
    if let Some(status) = data.last_mut() {
        *status = u8::from(!is_enabled);
    }
}
