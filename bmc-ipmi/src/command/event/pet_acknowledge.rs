//! PET Acknowledge, §30.8.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, Timestamp};

/// Tells the BMC that a platform event trap arrived, so that it stops to repeat it. The fields are those of the trap.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PetAcknowledge {
    /// Sequence number of the trap.
    pub sequence: u16,
    /// Local time of the trap.
    pub timestamp: Timestamp,
    /// Event source type of the trap.
    pub event_source: u8,
    /// Sensor device of the trap.
    pub sensor_device: u8,
    /// Sensor number of the trap.
    pub sensor_number: u8,
    /// Event data 1 to 3 of the trap.
    pub data: [u8; 3],
}

impl Wire for PetAcknowledge {
    const NAME: &'static str = "PET Acknowledge";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            sequence: r.u16_le("sequence number")?,
            timestamp: Timestamp(r.u32_le("local timestamp")?),
            event_source: r.u8("event source type")?,
            sensor_device: r.u8("sensor device")?,
            sensor_number: r.u8("sensor number")?,
            data: r.array("event data")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.sequence);
        out.put_u32_le(self.timestamp.0);
        out.put_slice(&[self.event_source, self.sensor_device, self.sensor_number]);
        out.put_slice(&self.data);
    }
}

impl Command for PetAcknowledge {
    type Response = ();
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x17;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}
