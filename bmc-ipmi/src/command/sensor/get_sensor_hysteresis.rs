//! Get Sensor Hysteresis, §35.7.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks for the hysteresis of a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSensorHysteresis {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
}

impl Wire for GetSensorHysteresis {
    const NAME: &'static str = "Get Sensor Hysteresis";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [number, _] = r.array("sensor number and hysteresis mask")?;
        Ok(Self { number })
    }

    fn encode(&self, out: &mut impl BufMut) {
        // The mask is reserved and always FFh.
        out.put_slice(&[self.number, 0xff]);
    }
}

impl Command for GetSensorHysteresis {
    type Response = SensorHysteresis;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x25;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// By how much a reading must come back over a threshold before it counts as back; in raw counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorHysteresis {
    /// Of thresholds that are crossed upwards.
    pub positive: u8,
    /// Of thresholds that are crossed downwards.
    pub negative: u8,
}

impl Wire for SensorHysteresis {
    const NAME: &'static str = "Get Sensor Hysteresis response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [positive, negative] = r.array("hysteresis")?;
        Ok(Self { positive, negative })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.positive, self.negative]);
    }
}
