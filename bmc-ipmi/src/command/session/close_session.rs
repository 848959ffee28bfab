//! Close Session, §22.19.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Ends the session with this BMC session ID.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CloseSession {
    /// The BMC's session ID.
    pub session_id: u32,
}

impl CloseSession {
    /// Completion code: there is no such session.
    pub const INVALID_SESSION_ID: CompletionCode = CompletionCode(0x87);
}

impl Wire for CloseSession {
    const NAME: &'static str = "Close Session";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let session_id = r.u32_le("session ID")?;
        Ok(Self { session_id })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.session_id);
    }
}

impl Command for CloseSession {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x3c;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::CALLBACK;
}
