//! PEF configuration parameters, §30.4 table 30-6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

use super::{AlertPolicy, EventFilter};

/// Number of a PEF parameter: seven bits.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct PefParameter(u8);

impl PefParameter {
    /// Set in progress.
    pub const SET_IN_PROGRESS: Self = Self(0);
    /// What PEF as a whole does.
    pub const CONTROL: Self = Self(1);
    /// Which actions are enabled.
    pub const ACTIONS: Self = Self(2);
    /// How long PEF waits after the start of the system.
    pub const STARTUP_DELAY: Self = Self(3);
    /// How long alerts wait after the start of the system.
    pub const ALERT_STARTUP_DELAY: Self = Self(4);
    /// Number of event filters.
    pub const FILTERS: Self = Self(5);
    /// Event filters, one a set, from 1.
    pub const FILTER: Self = Self(6);
    /// Number of alert policies.
    pub const POLICIES: Self = Self(8);
    /// Alert policies, one a set, from 1.
    pub const POLICY: Self = Self(9);
    /// The system's GUID in alerts.
    pub const SYSTEM_GUID: Self = Self(10);
    /// Number of alert strings.
    pub const STRINGS: Self = Self(11);
    /// Which filter and which policy set use an alert string, one a set.
    pub const STRING_KEY: Self = Self(12);
    /// Alert strings: one a set, 16 bytes a block, from 1.
    pub const STRING: Self = Self(13);

    /// The number in the low seven bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x7f)
    }

    /// The seven bits.
    pub const fn value(self) -> u8 {
        self.0
    }
}

/// A PEF parameter and its value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PefSetting {
    /// \[3\] alert startup delay on, \[2\] startup delay on, \[1\] PEF sends event messages, \[0\] PEF on.
    Control(u8),
    /// Enabled actions: \[5\] diagnostic interrupt, \[4\] OEM, \[3\] power cycle, \[2\] reset, \[1\] power down, \[0\] alert.
    Actions(u8),
    /// Seconds; 0 is none.
    StartupDelay(u8),
    /// Seconds; 0 is none.
    AlertStartupDelay(u8),
    /// Number of event filters.
    Filters(u8),
    /// One event filter.
    Filter {
        /// Its number, from 1.
        set: u8,
        /// The filter.
        filter: EventFilter,
    },
    /// Number of alert policies.
    Policies(u8),
    /// One alert policy.
    Policy {
        /// Its number, from 1.
        set: u8,
        /// The policy.
        policy: AlertPolicy,
    },
    /// The system's GUID in alerts.
    SystemGuid {
        /// Whether alerts carry this GUID instead of the answer to Get System GUID.
        used: bool,
        /// The GUID, in the order of the wire.
        guid: [u8; 16],
    },
    /// Number of alert strings.
    Strings(u8),
    /// Any other parameter.
    Other {
        /// Its number.
        parameter: PefParameter,
        /// Its data.
        data: Vec<u8>,
    },
}

impl PefSetting {
    /// The parameter's number.
    pub fn parameter(&self) -> PefParameter {
        match self {
            Self::Control(_) => PefParameter::CONTROL,
            Self::Actions(_) => PefParameter::ACTIONS,
            Self::StartupDelay(_) => PefParameter::STARTUP_DELAY,
            Self::AlertStartupDelay(_) => PefParameter::ALERT_STARTUP_DELAY,
            Self::Filters(_) => PefParameter::FILTERS,
            Self::Filter { .. } => PefParameter::FILTER,
            Self::Policies(_) => PefParameter::POLICIES,
            Self::Policy { .. } => PefParameter::POLICY,
            Self::SystemGuid { .. } => PefParameter::SYSTEM_GUID,
            Self::Strings(_) => PefParameter::STRINGS,
            Self::Other { parameter, .. } => *parameter,
        }
    }

    /// Reads the data of `parameter`.
    ///
    /// # Errors
    /// The data is shorter than the parameter.
    pub fn decode(parameter: PefParameter, data: &[u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new("PEF parameter", data);
        Ok(match parameter {
            PefParameter::CONTROL => Self::Control(r.u8("PEF control")?),
            PefParameter::ACTIONS => Self::Actions(r.u8("PEF action global control")?),
            PefParameter::STARTUP_DELAY => Self::StartupDelay(r.u8("PEF startup delay")?),
            PefParameter::ALERT_STARTUP_DELAY => {
                Self::AlertStartupDelay(r.u8("PEF alert startup delay")?)
            }
            PefParameter::FILTERS => Self::Filters(r.u8("number of event filters")? & 0x7f),
            PefParameter::FILTER => Self::Filter {
                set: r.u8("set selector")? & 0x7f,
                filter: EventFilter::decode(&mut r)?,
            },
            PefParameter::POLICIES => Self::Policies(r.u8("number of alert policies")? & 0x7f),
            PefParameter::POLICY => Self::Policy {
                set: r.u8("set selector")? & 0x7f,
                policy: AlertPolicy::decode(&mut r)?,
            },
            PefParameter::SYSTEM_GUID => Self::SystemGuid {
                used: r.u8("use of the GUID")? & 1 != 0,
                guid: r.array("system GUID")?,
            },
            PefParameter::STRINGS => Self::Strings(r.u8("number of alert strings")? & 0x7f),
            parameter => Self::Other {
                parameter,
                data: r.rest().to_vec(),
            },
        })
    }

    /// Appends the data.
    pub fn encode(&self, out: &mut impl BufMut) {
        match self {
            Self::Control(value)
            | Self::Actions(value)
            | Self::StartupDelay(value)
            | Self::AlertStartupDelay(value)
            | Self::Filters(value)
            | Self::Policies(value)
            | Self::Strings(value) => out.put_u8(*value),
            Self::Filter { set, filter } => {
                out.put_u8(*set);
                filter.encode(out);
            }
            Self::Policy { set, policy } => {
                out.put_u8(*set);
                policy.encode(out);
            }
            Self::SystemGuid { used, guid } => {
                out.put_u8((*used).into());
                out.put_slice(guid);
            }
            Self::Other { data, .. } => out.put_slice(data),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Filter 2: any generator's temperature sensor going beyond its upper critical or non-recoverable threshold.
    const FILTER: [u8; 21] = [
        0x02, 0x80, 0x02, 0x01, 0x10, 0xff, 0xff, 0x01, 0xff, 0x01, 0x00, 0x0a, 0, 0xff, 0, 0,
        0xff, 0, 0, 0xff, 0,
    ];

    #[test]
    fn a_filter_is_the_same_bytes_again() {
        let setting = PefSetting::decode(PefParameter::FILTER, &FILTER).unwrap();
        let PefSetting::Filter { set: 2, filter } = &setting else {
            unreachable!("parameter 6 is a filter");
        };
        assert!(filter.is_enabled());
        assert_eq!(filter.offsets, 0x0a00);
        let mut again = Vec::new();
        setting.encode(&mut again);
        assert_eq!(again, FILTER);
    }

    #[test]
    fn short_data_names_what_is_missing() {
        let error = PefSetting::decode(PefParameter::POLICY, &[1, 0x18]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "PEF parameter: channel and destination needs 1 bytes, 0 are left"
        );
    }
}
