//! Event-only sensor record, §43.3 table 43-3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::Text;
use crate::record::sdr::{SensorKey, Sharing, name};
use crate::wire::{Entity, EventType, SensorType};

/// One or several alike sensors that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct EventOnlySensor {
    /// Where the first one is.
    pub key: SensorKey,
    /// What it belongs to.
    pub entity: Entity,
    /// What it watches.
    pub sensor_type: SensorType,
    /// What its events mean.
    pub event_type: EventType,
    /// How many there are.
    pub sharing: Sharing,
    /// The manufacturer's own.
    pub oem: u8,
    /// Name that they share.
    pub name: Text,
}

impl Wire for EventOnlySensor {
    const NAME: &'static str = "event-only sensor record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let key = SensorKey::decode(r)?;
        let entity = Entity::decode(r)?;
        let sensor_type = SensorType(r.u8("sensor type")?);
        let event_type = EventType::new(r.u8("event/reading type")?);
        let sharing = Sharing::decode(r)?;
        let [_, oem] = r.array("OEM")?;
        Ok(Self {
            key,
            entity,
            sensor_type,
            event_type,
            sharing,
            oem,
            name: name::read(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.key.encode(out);
        self.entity.encode(out);
        out.put_slice(&[self.sensor_type.0, self.event_type.value()]);
        self.sharing.encode(out);
        out.put_slice(&[0, self.oem]);
        name::write(&self.name, out);
    }
}
