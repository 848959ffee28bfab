//! SOL configuration parameters, §26.3 table 26-5.

use std::fmt;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader};
use crate::wire::Privilege;

/// Number of a SOL configuration parameter.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SolParameter(pub u8);

impl SolParameter {
    /// Set in progress.
    pub const SET_IN_PROGRESS: Self = Self(0);
    /// Whether SOL is enabled.
    pub const ENABLE: Self = Self(1);
    /// Who may use SOL, and how it is protected.
    pub const AUTHENTICATION: Self = Self(2);
    /// When characters are sent.
    pub const ACCUMULATION: Self = Self(3);
    /// How often, and when, packets are sent again.
    pub const RETRY: Self = Self(4);
    /// Bit rate after the next start of the BMC.
    pub const NON_VOLATILE_BIT_RATE: Self = Self(5);
    /// Bit rate now.
    pub const VOLATILE_BIT_RATE: Self = Self(6);
    /// The serial channel.
    pub const CHANNEL: Self = Self(7);
    /// The UDP port.
    pub const PORT: Self = Self(8);

    /// All that the specification names, in order.
    pub const ALL: [Self; 9] = [
        Self::SET_IN_PROGRESS,
        Self::ENABLE,
        Self::AUTHENTICATION,
        Self::ACCUMULATION,
        Self::RETRY,
        Self::NON_VOLATILE_BIT_RATE,
        Self::VOLATILE_BIT_RATE,
        Self::CHANNEL,
        Self::PORT,
    ];
}

/// A SOL configuration parameter and its value.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SolSetting {
    /// 0: 0 set complete, 1 set in progress, 2 commit write.
    SetInProgress(u8),
    /// 1.
    Enable(bool),
    /// 2.
    Authentication(SolAuthentication),
    /// 3.
    Accumulation {
        /// After so long characters are sent, in units of 5 ms; 0 is reserved.
        interval: u8,
        /// So many characters are sent at once; 0: only the interval counts.
        threshold: u8,
    },
    /// 4.
    Retry {
        /// Repeats of a packet, three bits; 0: none.
        count: u8,
        /// Pause before each, in units of 10 ms; 0: none.
        interval: u8,
    },
    /// 5.
    NonVolatileBitRate(SolBitRate),
    /// 6.
    VolatileBitRate(SolBitRate),
    /// 7, read only.
    Channel(u8),
    /// 8.
    Port(u16),
    /// Any other parameter.
    Other {
        /// Its number.
        parameter: SolParameter,
        /// Its data.
        data: Vec<u8>,
    },
}

/// Who may use SOL, and how it is protected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SolAuthentication {
    /// Whether payloads must be encrypted.
    pub force_encryption: bool,
    /// Whether payloads must be authenticated.
    pub force_authentication: bool,
    /// Lowest privilege.
    pub privilege: Privilege,
}

/// Bit rate of the serial port: four bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SolBitRate(u8);

impl SolBitRate {
    /// As the serial port is configured.
    pub const SERIAL: Self = Self(0);
    /// 9600 bit/s.
    pub const BPS_9600: Self = Self(6);
    /// 19200 bit/s.
    pub const BPS_19200: Self = Self(7);
    /// 38400 bit/s.
    pub const BPS_38400: Self = Self(8);
    /// 57600 bit/s.
    pub const BPS_57600: Self = Self(9);
    /// 115200 bit/s.
    pub const BPS_115200: Self = Self(10);
    const RATES: [(Self, u32); 5] = [
        (Self::BPS_9600, 9600),
        (Self::BPS_19200, 19200),
        (Self::BPS_38400, 38400),
        (Self::BPS_57600, 57600),
        (Self::BPS_115200, 115_200),
    ];

    /// The rate in the low four bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x0f)
    }

    /// The four bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The rate of so many bits a second, if SOL has it.
    pub fn from_bps(bps: u32) -> Option<Self> {
        let found = Self::RATES.iter().find(|(_, other)| *other == bps);
        found.map(|(rate, _)| *rate)
    }

    /// Bits a second; `None` where the serial port decides or the code is unknown.
    pub fn bps(self) -> Option<u32> {
        let found = Self::RATES.iter().find(|(rate, _)| *rate == self);
        found.map(|(_, bps)| *bps)
    }
}

impl fmt::Display for SolBitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.bps(), *self) {
            (Some(bps), _) => write!(f, "{bps} bit/s"),
            (None, Self::SERIAL) => f.write_str("as the serial port"),
            (None, Self(other)) => write!(f, "bit rate {other:X}h"),
        }
    }
}

impl SolSetting {
    /// Value of [`SolSetting::SetInProgress`]: set complete.
    pub const SET_COMPLETE: Self = Self::SetInProgress(0);
    /// Value of [`SolSetting::SetInProgress`]: set in progress.
    pub const SET_BEGUN: Self = Self::SetInProgress(1);

    /// The parameter's number.
    pub fn parameter(&self) -> SolParameter {
        match self {
            Self::SetInProgress(_) => SolParameter::SET_IN_PROGRESS,
            Self::Enable(_) => SolParameter::ENABLE,
            Self::Authentication(_) => SolParameter::AUTHENTICATION,
            Self::Accumulation { .. } => SolParameter::ACCUMULATION,
            Self::Retry { .. } => SolParameter::RETRY,
            Self::NonVolatileBitRate(_) => SolParameter::NON_VOLATILE_BIT_RATE,
            Self::VolatileBitRate(_) => SolParameter::VOLATILE_BIT_RATE,
            Self::Channel(_) => SolParameter::CHANNEL,
            Self::Port(_) => SolParameter::PORT,
            Self::Other { parameter, .. } => *parameter,
        }
    }

    /// Reads the data of a parameter; all of it where the number is unknown.
    ///
    /// # Errors
    /// The data end too early.
    pub fn decode(parameter: SolParameter, r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match parameter {
            SolParameter::SET_IN_PROGRESS => Self::SetInProgress(r.u8("set in progress")? & 0x03),
            SolParameter::ENABLE => Self::Enable(r.u8("SOL enable")? & 1 != 0),
            SolParameter::AUTHENTICATION => {
                Self::Authentication(SolAuthentication::from_byte(r.u8("SOL authentication")?))
            }
            SolParameter::ACCUMULATION => Self::Accumulation {
                interval: r.u8("character accumulate interval")?,
                threshold: r.u8("character send threshold")?,
            },
            SolParameter::RETRY => Self::Retry {
                count: r.u8("retry count")? & 0x07,
                interval: r.u8("retry interval")?,
            },
            SolParameter::NON_VOLATILE_BIT_RATE => {
                Self::NonVolatileBitRate(SolBitRate::new(r.u8("non-volatile bit rate")?))
            }
            SolParameter::VOLATILE_BIT_RATE => {
                Self::VolatileBitRate(SolBitRate::new(r.u8("volatile bit rate")?))
            }
            SolParameter::CHANNEL => Self::Channel(r.u8("payload channel")?),
            SolParameter::PORT => Self::Port(r.u16_le("payload port number")?),
            parameter => Self::Other {
                parameter,
                data: r.rest().to_vec(),
            },
        })
    }

    /// Appends the data.
    pub fn encode(&self, out: &mut impl BufMut) {
        match self {
            Self::SetInProgress(value) => out.put_u8(value & 0x03),
            Self::Enable(enabled) => out.put_u8((*enabled).into()),
            Self::Authentication(authentication) => out.put_u8(authentication.to_byte()),
            Self::Accumulation {
                interval,
                threshold,
            } => out.put_slice(&[*interval, *threshold]),
            Self::Retry { count, interval } => out.put_slice(&[count & 0x07, *interval]),
            Self::NonVolatileBitRate(rate) | Self::VolatileBitRate(rate) => out.put_u8(rate.0),
            Self::Channel(channel) => out.put_u8(*channel),
            Self::Port(port) => out.put_u16_le(*port),
            Self::Other { data, .. } => out.put_slice(data),
        }
    }
}

impl SolAuthentication {
    const ENCRYPTION: u8 = 0x80;
    const AUTHENTICATION: u8 = 0x40;

    const fn from_byte(byte: u8) -> Self {
        Self {
            force_encryption: byte & Self::ENCRYPTION != 0,
            force_authentication: byte & Self::AUTHENTICATION != 0,
            privilege: Privilege::new(byte),
        }
    }

    fn to_byte(self) -> u8 {
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        bit(self.force_encryption, Self::ENCRYPTION)
            | bit(self.force_authentication, Self::AUTHENTICATION)
            | self.privilege.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_rates_have_numbers() {
        assert_eq!(SolBitRate::from_bps(115_200), Some(SolBitRate::BPS_115200));
        assert_eq!(SolBitRate::from_bps(300), None);
        assert_eq!(SolBitRate::new(0x17).to_string(), "19200 bit/s");
    }
}
