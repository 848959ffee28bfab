//! Get Payload Instance Info, §24.5.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, PayloadType, Privilege};

/// Asks which session an instance of a payload runs in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetPayloadInstanceInfo {
    /// The payload.
    pub payload_type: PayloadType,
    /// The instance, from 1.
    pub instance: u8,
}

impl Wire for GetPayloadInstanceInfo {
    const NAME: &'static str = "Get Payload Instance Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            payload_type: PayloadType::new(r.u8("payload type")?),
            instance: r.u8("payload instance")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.payload_type.value(), self.instance]);
    }
}

impl Command for GetPayloadInstanceInfo {
    type Response = PayloadInstanceInfo;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x4b;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// Which session an instance of a payload runs in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PayloadInstanceInfo {
    /// The BMC's session ID; 0 if the instance is not active.
    pub session_id: u32,
    /// More, by payload; the first byte is the port number of SOL.
    pub information: [u8; 8],
}

impl PayloadInstanceInfo {
    /// Whether the instance is active.
    pub fn is_active(&self) -> bool {
        self.session_id != 0
    }
}

impl Wire for PayloadInstanceInfo {
    const NAME: &'static str = "Get Payload Instance Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            session_id: r.u32_le("session ID")?,
            information: r.array("payload-specific information")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.session_id);
        out.put_slice(&self.information);
    }
}
