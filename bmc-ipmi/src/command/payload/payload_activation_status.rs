//! Get Payload Activation Status, §24.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, PayloadType, Privilege};

/// Asks which instances of a payload are active.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetPayloadActivationStatus(pub PayloadType);

impl Wire for GetPayloadActivationStatus {
    const NAME: &'static str = "Get Payload Activation Status";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("payload type")
            .map(|payload| Self(PayloadType::new(payload)))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0.value());
    }
}

impl Command for GetPayloadActivationStatus {
    type Response = PayloadActivationStatus;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x4a;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// Which instances of a payload are active.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PayloadActivationStatus {
    /// How many there can be, four bits.
    pub capacity: u8,
    /// Active instances, one bit each; bit 0 is instance 1.
    pub active: u16,
}

impl PayloadActivationStatus {
    /// Numbers of the active instances.
    pub fn instances(self) -> impl Iterator<Item = u8> {
        (1..=16).filter(move |instance| self.active & 1 << (instance - 1) != 0)
    }
}

impl Wire for PayloadActivationStatus {
    const NAME: &'static str = "Get Payload Activation Status response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            capacity: r.u8("instance capacity")? & 0x0f,
            active: r.u16_le("activation status")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.capacity & 0x0f);
        out.put_u16_le(self.active);
    }
}
