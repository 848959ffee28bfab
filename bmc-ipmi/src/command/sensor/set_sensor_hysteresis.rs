//! Set Sensor Hysteresis, §35.6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::SensorHysteresis;
use crate::wire::{NetFn, Privilege};

/// Changes the hysteresis of a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetSensorHysteresis {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
    /// The new hysteresis.
    pub hysteresis: SensorHysteresis,
}

impl Wire for SetSensorHysteresis {
    const NAME: &'static str = "Set Sensor Hysteresis";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [number, _] = r.array("sensor number and hysteresis mask")?;
        let hysteresis = SensorHysteresis::decode(r)?;
        Ok(Self { number, hysteresis })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.number, 0xff]);
        self.hysteresis.encode(out);
    }
}

impl Command for SetSensorHysteresis {
    type Response = ();
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x24;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
