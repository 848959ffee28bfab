//! Get Device SDR Info, §35.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks how many sensors or records a device has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDeviceSdrInfo {
    /// Whether to count records instead of sensors.
    pub records: bool,
}

impl Wire for GetDeviceSdrInfo {
    const NAME: &'static str = "Get Device SDR Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let operation = r.optional_u8("operation")?;
        let records = operation.is_some_and(|operation| operation & 1 != 0);
        Ok(Self { records })
    }

    fn encode(&self, out: &mut impl BufMut) {
        // Devices of IPMI v1.5 know no operation.
        if self.records {
            out.put_u8(1);
        }
    }
}

impl Command for GetDeviceSdrInfo {
    type Response = DeviceSdrInfo;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x20;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How many sensors or records a device has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeviceSdrInfo {
    /// Number of sensors on the LUN that was asked, or of records.
    pub count: u8,
    /// \[7\] sensors come and go, \[3:0\] LUNs that have sensors.
    pub flags: u8,
    /// Changes whenever sensors have come or gone. Optional on the wire.
    pub population_change: Option<u32>,
}

impl DeviceSdrInfo {
    /// Whether sensors come and go.
    pub fn is_dynamic(&self) -> bool {
        self.flags & 0x80 != 0
    }
}

impl Wire for DeviceSdrInfo {
    const NAME: &'static str = "Get Device SDR Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = r.u8("count")?;
        let flags = r.u8("flags")?;
        let population_change = match r.remaining() {
            0..4 => None,
            _ => Some(r.u32_le("sensor population change indicator")?),
        };
        Ok(Self {
            count,
            flags,
            population_change,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.count, self.flags]);
        if let Some(change) = self.population_change {
            out.put_u32_le(change);
        }
    }
}
