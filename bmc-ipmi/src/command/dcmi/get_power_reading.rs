//! Get Power Reading, §6.6.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::DcmiPeriod;
use crate::command::dcmi::{group, put_group};
use crate::wire::{NetFn, Privilege, Timestamp};

/// Asks how much power the machine takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetPowerReading {
    /// The period of the statistics, one of [`DcmiPeriods`](crate::command::DcmiPeriods); `None`: since the last reset.
    pub period: Option<DcmiPeriod>,
}

impl GetPowerReading {
    const STATISTICS: u8 = 1;
    const ENHANCED_STATISTICS: u8 = 2;
}

impl Wire for GetPowerReading {
    const NAME: &'static str = "Get Power Reading";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [mode, attributes, _] = r.array("mode and attributes")?;
        let enhanced = mode == Self::ENHANCED_STATISTICS;
        Ok(Self {
            period: enhanced.then_some(DcmiPeriod(attributes)),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        match self.period {
            None => out.put_slice(&[Self::STATISTICS, 0, 0]),
            Some(period) => out.put_slice(&[Self::ENHANCED_STATISTICS, period.0, 0]),
        }
    }
}

impl Command for GetPowerReading {
    type Response = PowerReading;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x02;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How much power the machine takes, in watts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PowerReading {
    /// Now.
    pub current: u16,
    /// Least in the period.
    pub minimum: u16,
    /// Most in the period.
    pub maximum: u16,
    /// Average of the period.
    pub average: u16,
    /// When it was measured; with a period the end of it.
    pub time: Timestamp,
    /// The period: milliseconds if none was asked for, else its code.
    pub period: u32,
    /// \[6\] power is being measured.
    pub state: u8,
}

impl PowerReading {
    /// Whether power is being measured.
    pub const fn is_active(&self) -> bool {
        self.state & 0x40 != 0
    }
}

impl Wire for PowerReading {
    const NAME: &'static str = "Get Power Reading response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        Ok(Self {
            current: r.u16_le("current power")?,
            minimum: r.u16_le("minimum power")?,
            maximum: r.u16_le("maximum power")?,
            average: r.u16_le("average power")?,
            time: Timestamp(r.u32_le("timestamp")?),
            period: r.u32_le("period")?,
            state: r.u8("state")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        for watts in [self.current, self.minimum, self.maximum, self.average] {
            out.put_u16_le(watts);
        }
        out.put_u32_le(self.time.0);
        out.put_u32_le(self.period);
        out.put_u8(self.state);
    }
}
