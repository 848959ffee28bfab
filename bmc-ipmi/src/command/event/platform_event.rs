//! Platform Event, §29.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Tells the BMC of an event, which it logs and filters as its own.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PlatformEvent {
    /// Who tells it; only on the system interface. Over LAN it is the requester's software ID.
    pub generator: Option<u8>,
    /// Event message format; 04h in IPMI 1.5 and 2.0.
    pub revision: u8,
    /// Sensor type.
    pub sensor_type: u8,
    /// Sensor number.
    pub sensor_number: u8,
    /// \[7\] deassertion, \[6:0\] event/reading type.
    pub event_type: u8,
    /// Event data 1 to 3.
    pub data: [u8; 3],
}

impl Wire for PlatformEvent {
    const NAME: &'static str = "Platform Event";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            generator: match r.remaining() {
                0..8 => None,
                _ => Some(r.u8("generator ID")?),
            },
            revision: r.u8("event message revision")?,
            sensor_type: r.u8("sensor type")?,
            sensor_number: r.u8("sensor number")?,
            event_type: r.u8("event direction and type")?,
            data: r.array("event data")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        if let Some(generator) = self.generator {
            out.put_u8(generator);
        }
        out.put_slice(&[
            self.revision,
            self.sensor_type,
            self.sensor_number,
            self.event_type,
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
