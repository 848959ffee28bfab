//! Get DCMI Sensor Info, §6.5.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::wire::{EntityId, NetFn, Privilege, SensorType};

/// Asks for the records of an entity's sensors.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDcmiSensorInfo {
    /// What the sensors measure.
    pub sensor_type: SensorType,
    /// What they belong to.
    pub entity: EntityId,
    /// Instance of the entity; 0 for all.
    pub instance: u8,
    /// First instance to tell where there are many, from 1.
    pub start: u8,
}

impl Wire for GetDcmiSensorInfo {
    const NAME: &'static str = "Get DCMI Sensor Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [sensor_type, entity, instance, start] = r.array("sensor type and entity")?;
        Ok(Self {
            sensor_type: SensorType(sensor_type),
            entity: EntityId(entity),
            instance,
            start,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.sensor_type.0, self.entity.0, self.instance, self.start]);
    }
}

impl Command for GetDcmiSensorInfo {
    type Response = DcmiSensors;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x07;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

/// Some of an entity's sensors.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DcmiSensors {
    /// Number of all.
    pub total: u8,
    /// Record IDs in the SDR repository, at most 8.
    pub records: Vec<u16>,
}

impl Wire for DcmiSensors {
    const NAME: &'static str = "Get DCMI Sensor Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [total, count] = r.array("number of sensors")?;
        let records = (0..count).map(|_| r.u16_le("record ID"));
        Ok(Self {
            total,
            records: records.collect::<Result<_, _>>()?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        let count = u8::try_from(self.records.len()).unwrap_or(u8::MAX);
        out.put_slice(&[self.total, count]);
        for record in self.records.iter().take(count.into()) {
            out.put_u16_le(*record);
        }
    }
}
