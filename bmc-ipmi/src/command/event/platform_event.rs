//! Platform Event, §29.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, bit};
use crate::wire::{EventType, NetFn, Privilege, SensorType};

/// Tells the BMC of an event, which it logs and filters as its own.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PlatformEvent {
    /// Who tells it; only on the system interface. Over LAN it is the requester's software ID.
    pub generator: Option<u8>,
    /// Event message format; 04h in IPMI 1.5 and 2.0.
    pub revision: u8,
    /// What the sensor measures or watches.
    pub sensor_type: SensorType,
    /// Sensor number.
    pub sensor_number: u8,
    /// Whether the state ended; else it began.
    pub deassertion: bool,
    /// What the offset in event data 1 means.
    pub event_type: EventType,
    /// Event data 1 to 3.
    pub data: [u8; 3],
}

impl PlatformEvent {
    const DEASSERTION: u8 = 0x80;
}

impl Wire for PlatformEvent {
    const NAME: &'static str = "Platform Event";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let generator = match r.remaining() {
            0..8 => None,
            _ => Some(r.u8("generator ID")?),
        };
        let revision = r.u8("event message revision")?;
        let sensor_type = SensorType(r.u8("sensor type")?);
        let sensor_number = r.u8("sensor number")?;
        let kind = r.u8("event direction and type")?;
        Ok(Self {
            generator,
            revision,
            sensor_type,
            sensor_number,
            deassertion: kind & Self::DEASSERTION != 0,
            event_type: EventType::new(kind),
            data: r.array("event data")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        if let Some(generator) = self.generator {
            out.put_u8(generator);
        }
        out.put_slice(&[
            self.revision,
            self.sensor_type.0,
            self.sensor_number,
            bit(self.deassertion, Self::DEASSERTION) | self.event_type.value(),
        ]);
        out.put_slice(&self.data);
    }
}

impl Command for PlatformEvent {
    type Response = ();
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x02;
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
