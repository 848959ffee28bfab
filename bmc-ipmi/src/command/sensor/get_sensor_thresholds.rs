//! Get Sensor Thresholds, §35.9.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, RawThresholds, ThresholdMask};

/// Asks for the thresholds of a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSensorThresholds {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
}

impl Wire for GetSensorThresholds {
    const NAME: &'static str = "Get Sensor Thresholds";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = r.u8("sensor number")?;
        Ok(Self { number })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.number);
    }
}

impl Command for GetSensorThresholds {
    type Response = SensorThresholds;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x27;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The thresholds of a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorThresholds {
    /// The ones that can be read; the others are meaningless.
    pub readable: ThresholdMask,
    /// Raw readings.
    pub raw: RawThresholds,
}

impl Wire for SensorThresholds {
    const NAME: &'static str = "Get Sensor Thresholds response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            readable: ThresholdMask::new(r.u8("readable thresholds")?),
            raw: RawThresholds(r.array("thresholds")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.readable.bits());
        out.put_slice(&self.raw.0);
    }
}
