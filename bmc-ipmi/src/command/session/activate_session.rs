//! Activate Session, §22.17.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{AuthType, CompletionCode, NetFn, Privilege};

/// Proves the password and opens the IPMI v1.5 session; sent with the temporary session ID of the challenge.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ActivateSession {
    /// As in Get Session Challenge.
    pub auth_type: AuthType,
    /// Highest privilege that the session may reach.
    pub privilege: Privilege,
    /// The challenge.
    pub challenge: [u8; 16],
    /// Number of the BMC's first message, not 0.
    pub initial_outbound: u32,
}

/// The session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ActivatedSession {
    /// How the messages of the session are authenticated; none if the BMC does without.
    pub auth_type: AuthType,
    /// Session ID.
    pub session_id: u32,
    /// Number of the console's first message, not 0.
    pub initial_inbound: u32,
    /// Highest privilege that the session may reach.
    pub privilege: Privilege,
}

impl ActivateSession {
    /// Completion code: the BMC has no room for another session.
    pub const NO_SLOT: CompletionCode = CompletionCode(0x81);
    /// Completion code: the user has all the sessions that it may have.
    pub const NO_SLOT_FOR_USER: CompletionCode = CompletionCode(0x82);
    /// Completion code: there are all the sessions that there may be of this privilege.
    pub const NO_SLOT_FOR_PRIVILEGE: CompletionCode = CompletionCode(0x83);
    /// Completion code: the session ID is not that of a challenge.
    pub const INVALID_SESSION_ID: CompletionCode = CompletionCode(0x85);
    /// Completion code: the privilege is above what user or channel may have.
    pub const ABOVE_LIMIT: CompletionCode = CompletionCode(0x86);
}

impl Wire for ActivateSession {
    const NAME: &'static str = "Activate Session";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            auth_type: AuthType::new(r.u8("authentication type")?),
            privilege: Privilege::new(r.u8("maximum privilege level")?),
            challenge: r.array("challenge")?,
            initial_outbound: r.u32_le("initial outbound sequence number")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.auth_type.value(), self.privilege.value()]);
        out.put_slice(&self.challenge);
        out.put_u32_le(self.initial_outbound);
    }
}

impl Wire for ActivatedSession {
    const NAME: &'static str = "Activate Session response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            auth_type: AuthType::new(r.u8("authentication type")?),
            session_id: r.u32_le("session ID")?,
            initial_inbound: r.u32_le("initial inbound sequence number")?,
            privilege: Privilege::new(r.u8("maximum privilege level")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.auth_type.value());
        out.put_u32_le(self.session_id);
        out.put_u32_le(self.initial_inbound);
        out.put_u8(self.privilege.value());
    }
}

impl Command for ActivateSession {
    type Response = ActivatedSession;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x3a;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}
