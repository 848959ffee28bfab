//! Get Sensor Reading, §35.14.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Reads a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSensorReading {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
}

impl Wire for GetSensorReading {
    const NAME: &'static str = "Get Sensor Reading";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = r.u8("sensor number")?;
        Ok(Self { number })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.number);
    }
}

impl Command for GetSensorReading {
    type Response = SensorReading;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x2d;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// What a sensor reads, not yet converted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorReading {
    /// The raw reading; 0 for a sensor that has states only.
    pub raw: u8,
    /// \[7\] events enabled, \[6\] scanning enabled, \[5\] reading or states unavailable.
    pub flags: u8,
    /// With thresholds \[5:0\] those that the reading is at or beyond, else states 0 to 7. Optional on the wire.
    pub states: Option<u8>,
    /// \[6:0\] states 8 to 14. Optional on the wire.
    pub more_states: Option<u8>,
}

impl SensorReading {
    const EVENTS: u8 = 0x80;
    const SCANNING: u8 = 0x40;
    const UNAVAILABLE: u8 = 0x20;

    /// A reading of a sensor that is scanned and generates events.
    pub fn new(raw: u8, states: u16) -> Self {
        let [low, high] = states.to_le_bytes();
        Self {
            raw,
            flags: Self::EVENTS | Self::SCANNING,
            states: Some(low),
            more_states: Some(high | 0x80),
        }
    }

    /// Whether the sensor generates events.
    pub fn events_enabled(&self) -> bool {
        self.flags & Self::EVENTS != 0
    }

    /// Whether the sensor is being scanned.
    pub fn is_scanning(&self) -> bool {
        self.flags & Self::SCANNING != 0
    }

    /// Whether the BMC has no reading.
    pub fn is_unavailable(&self) -> bool {
        self.flags & Self::UNAVAILABLE != 0
    }

    /// The states of a sensor without thresholds, offset 0 in bit 0.
    pub fn discrete_states(&self) -> u16 {
        let (low, high) = (self.states.unwrap_or(0), self.more_states.unwrap_or(0));
        u16::from_le_bytes([low, high & 0x7f])
    }
}

impl Wire for SensorReading {
    const NAME: &'static str = "Get Sensor Reading response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            raw: r.u8("sensor reading")?,
            flags: r.u8("reading availability")?,
            states: r.optional_u8("states 0 to 7")?,
            more_states: r.optional_u8("states 8 to 14")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.raw, self.flags]);
        if let Some(states) = self.states {
            out.put_u8(states);
            if let Some(more) = self.more_states {
                out.put_u8(more);
            }
        }
    }
}
