//! Deactivate Payload, §24.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, PayloadType, Privilege};

/// Ends a payload, in this session or in whichever it is active.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeactivatePayload {
    /// The payload.
    pub payload_type: PayloadType,
    /// Its instance, 1 to 15.
    pub instance: u8,
    /// More, by payload; zeroes for SOL.
    pub auxiliary: [u8; 4],
}

impl DeactivatePayload {
    /// Ends the first, usually only, instance of SOL.
    pub const SOL: Self = Self {
        payload_type: PayloadType::SOL,
        instance: 1,
        auxiliary: [0; 4],
    };
    /// Completion code: not active.
    pub const ALREADY_INACTIVE: CompletionCode = CompletionCode(0x80);
    /// Completion code: the payload is disabled.
    pub const DISABLED: CompletionCode = CompletionCode(0x81);
}

impl Wire for DeactivatePayload {
    const NAME: &'static str = "Deactivate Payload";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            payload_type: PayloadType::new(r.u8("payload type")?),
            instance: r.u8("payload instance")? & 0x0f,
            auxiliary: r.array("payload auxiliary data")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.payload_type.value(), self.instance & 0x0f]);
        out.put_slice(&self.auxiliary);
    }
}

impl Command for DeactivatePayload {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x49;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}
