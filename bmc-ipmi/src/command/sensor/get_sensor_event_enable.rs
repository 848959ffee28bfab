//! Get Sensor Event Enable, §35.11.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::sensor::event_masks::{masks, put_masks};
use crate::wire::{NetFn, Privilege};

/// Asks which events a sensor generates.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSensorEventEnable {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
}

impl Wire for GetSensorEventEnable {
    const NAME: &'static str = "Get Sensor Event Enable";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = r.u8("sensor number")?;
        Ok(Self { number })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.number);
    }
}

impl Command for GetSensorEventEnable {
    type Response = SensorEventMasks;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x29;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// Which events a sensor generates.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorEventMasks {
    /// \[7\] events enabled, \[6\] scanning enabled.
    pub flags: u8,
    /// Events by offset, offset 0 in bit 0, for states that begin. Optional on the wire.
    pub assertion: Option<u16>,
    /// The same for states that end. Optional on the wire.
    pub deassertion: Option<u16>,
}

impl SensorEventMasks {
    /// Whether the sensor generates events at all.
    pub fn events_enabled(&self) -> bool {
        self.flags & 0x80 != 0
    }

    /// Whether the sensor is being scanned.
    pub fn is_scanning(&self) -> bool {
        self.flags & 0x40 != 0
    }
}

impl Wire for SensorEventMasks {
    const NAME: &'static str = "Get Sensor Event Enable response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let flags = r.u8("event enable flags")?;
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
