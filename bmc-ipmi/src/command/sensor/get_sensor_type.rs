//! Get Sensor Type, §35.16.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{EventType, NetFn, Privilege, SensorType};

/// Asks what a sensor watches.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSensorType {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
}

impl Wire for GetSensorType {
    const NAME: &'static str = "Get Sensor Type";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = r.u8("sensor number")?;
        Ok(Self { number })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.number);
    }
}

impl Command for GetSensorType {
    type Response = SensorTypes;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x2f;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// What a sensor watches.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorTypes {
    /// What it measures or watches.
    pub sensor_type: SensorType,
    /// What its states mean.
    pub event_type: EventType,
}

impl Wire for SensorTypes {
    const NAME: &'static str = "Get Sensor Type response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            sensor_type: SensorType(r.u8("sensor type")?),
            event_type: EventType::new(r.u8("event/reading type")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.sensor_type.0, self.event_type.value()]);
    }
}
