//! Get Sensor Event Status, §35.13.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::sensor::event_masks::{masks, put_masks};
use crate::wire::{NetFn, Privilege};

/// Asks which events of a sensor have happened and are not yet re-armed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSensorEventStatus {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
}

impl Wire for GetSensorEventStatus {
    const NAME: &'static str = "Get Sensor Event Status";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = r.u8("sensor number")?;
        Ok(Self { number })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.number);
    }
}

impl Command for GetSensorEventStatus {
    type Response = SensorEventStatus;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x2b;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// Which events have happened.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorEventStatus {
    /// \[7\] events enabled, \[6\] scanning enabled, \[5\] status unavailable.
    pub flags: u8,
    /// Events by offset, offset 0 in bit 0, of states that began. Optional on the wire.
    pub assertion: Option<u16>,
    /// The same of states that ended. Optional on the wire.
    pub deassertion: Option<u16>,
}

impl SensorEventStatus {
    /// Whether the BMC does not know, for instance because it has just started.
    pub fn is_unavailable(&self) -> bool {
        self.flags & 0x20 != 0
    }
}

impl Wire for SensorEventStatus {
    const NAME: &'static str = "Get Sensor Event Status response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let flags = r.u8("event status flags")?;
        let (assertion, deassertion) = masks(r)?;
        Ok(Self {
            flags,
            assertion,
            deassertion,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.flags);
        put_masks(self.assertion, self.deassertion, out);
    }
}
