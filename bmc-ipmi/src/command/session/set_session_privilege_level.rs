//! Set Session Privilege Level, §22.18.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Changes the privilege of the session, which starts at user level; [`Privilege::HIGHEST`] only reads it.
///
/// Request and response have the same form: the response holds the new level.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetSessionPrivilegeLevel(pub Privilege);

impl SetSessionPrivilegeLevel {
    /// Completion code: the level is not available for this user.
    pub const UNAVAILABLE_FOR_USER: CompletionCode = CompletionCode(0x80);
    /// Completion code: the level exceeds the limit of the user or channel.
    pub const ABOVE_LIMIT: CompletionCode = CompletionCode(0x81);
}

impl Wire for SetSessionPrivilegeLevel {
    const NAME: &'static str = "Set Session Privilege Level";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("privilege level")
            .map(|byte| Self(Privilege::new(byte)))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0.value());
    }
}

impl Command for SetSessionPrivilegeLevel {
    type Response = Self;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x3b;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}
