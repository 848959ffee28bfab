//! The parameters of Get DCMI Capabilities Info, §6.1 table 6-3.

use std::time::Duration;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// Parameter 1: supported functions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DcmiSupport {
    /// \[0\] power management.
    pub platform: u8,
    /// \[2\] second LAN channel, \[1\] terminal mode, \[0\] in-band.
    pub access: u8,
}

impl DcmiSupport {
    /// Number of the parameter.
    pub const PARAMETER: u8 = 1;

    /// Whether power can be read and limited.
    pub const fn has_power_management(&self) -> bool {
        self.platform & 1 != 0
    }
}

/// Parameter 2: the event log, and how often temperatures are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DcmiLog {
    /// \[15\] the log rolls over, \[14\] it is then cleared as a whole, \[13\] record by record, \[11:0\] entries.
    pub attributes: u16,
    /// Seconds between readings of temperatures.
    pub temperature_interval: u8,
}

impl DcmiLog {
    /// Number of the parameter.
    pub const PARAMETER: u8 = 2;

    /// Entries that the log can hold.
    pub const fn entries(&self) -> u16 {
        self.attributes & 0x0fff
    }
}

/// Parameter 3: who manages power.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DcmiController {
    /// Slave address of the controller; 20h is the BMC.
    pub address: u8,
    /// \[7:4\] channel, \[3:0\] revision.
    pub channel: u8,
}

impl DcmiController {
    /// Number of the parameter.
    pub const PARAMETER: u8 = 3;
}

/// Parameter 4: channels to reach the BMC by; FFh is none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DcmiAccess {
    /// Primary LAN channel.
    pub primary_lan: u8,
    /// Secondary LAN channel.
    pub secondary_lan: u8,
    /// Serial channel.
    pub serial: u8,
}

impl DcmiAccess {
    /// Number of the parameter.
    pub const PARAMETER: u8 = 4;
}

/// Parameter 5: the periods over which power can be averaged.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DcmiPeriods {
    /// The periods, at most 255.
    pub periods: Vec<DcmiPeriod>,
}

impl DcmiPeriods {
    /// Number of the parameter.
    pub const PARAMETER: u8 = 5;
}

/// A period: \[7:6\] 0 seconds, 1 minutes, 2 hours, 3 days; \[5:0\] how many. 0 is now.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct DcmiPeriod(pub u8);

impl DcmiPeriod {
    /// How long it is.
    pub fn duration(self) -> Duration {
        let unit = match self.0 >> 6 {
            0 => 1,
            1 => 60,
            2 => 3600,
            _ => 86_400,
        };
        Duration::from_secs(unit * u64::from(self.0 & 0x3f))
    }
}

impl Wire for DcmiSupport {
    const NAME: &'static str = "DCMI supported capabilities";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [_, platform, access] = r.array("supported capabilities")?;
        Ok(Self { platform, access })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[0, self.platform, self.access]);
    }
}

impl Wire for DcmiLog {
    const NAME: &'static str = "DCMI mandatory platform attributes";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let attributes = r.u16_le("SEL attributes")?;
        let [_, _, temperature_interval] = r.array("temperature sampling")?;
        Ok(Self {
            attributes,
            temperature_interval,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.attributes);
        out.put_slice(&[0, 0, self.temperature_interval]);
    }
}

impl Wire for DcmiController {
    const NAME: &'static str = "DCMI optional platform attributes";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [address, channel] = r.array("power management controller")?;
        Ok(Self { address, channel })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.address, self.channel]);
    }
}

impl Wire for DcmiAccess {
    const NAME: &'static str = "DCMI manageability access attributes";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [primary_lan, secondary_lan, serial] = r.array("channels")?;
        Ok(Self {
            primary_lan,
            secondary_lan,
            serial,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.primary_lan, self.secondary_lan, self.serial]);
    }
}

impl Wire for DcmiPeriods {
    const NAME: &'static str = "DCMI enhanced power statistics attributes";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = r.u8("number of periods")?;
        let periods = r.take(count.into(), "periods")?;
        Ok(Self {
            periods: periods.iter().copied().map(DcmiPeriod).collect(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let count = u8::try_from(self.periods.len()).unwrap_or(u8::MAX);
        out.put_u8(count);
        for period in self.periods.iter().take(count.into()) {
            out.put_u8(period.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_have_four_units() {
        let lengths = [0x05, 0x45, 0x85, 0xc5].map(|code| DcmiPeriod(code).duration().as_secs());
        assert_eq!(lengths, [5, 300, 18_000, 432_000]);
    }
}
