//! Get Session Challenge, §22.16.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{AuthType, CompletionCode, NetFn, Privilege, Username};

/// Begins an IPMI v1.5 session; answered without one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSessionChallenge {
    /// How the session shall be authenticated.
    pub auth_type: AuthType,
    /// Who wants to log in; zeroes behind a name do not belong to it.
    pub username: Username,
}

/// What Activate Session must repeat.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SessionChallenge {
    /// Session ID for Activate Session only.
    pub temporary_id: u32,
    /// Random bytes.
    pub challenge: [u8; 16],
}

impl GetSessionChallenge {
    /// Completion code: there is no user of this name.
    pub const INVALID_USER: CompletionCode = CompletionCode(0x81);
    /// Completion code: there is no user without a name.
    pub const NULL_USER_DISABLED: CompletionCode = CompletionCode(0x82);
}

impl Wire for GetSessionChallenge {
    const NAME: &'static str = "Get Session Challenge";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let auth_type = AuthType::new(r.u8("authentication type")?);
        let name = r.take(Username::MAX, "user name")?;
        let length = name.iter().rposition(|byte| *byte != 0);
        let name = name.get(..length.map_or(0, |last| last + 1));
        Ok(Self {
            auth_type,
            username: Username::new(name.unwrap_or_default()).unwrap_or_default(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.auth_type.value());
        out.put_slice(self.username.padded().as_bytes());
    }
}

impl Wire for SessionChallenge {
    const NAME: &'static str = "Get Session Challenge response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            temporary_id: r.u32_le("temporary session ID")?,
            challenge: r.array("challenge")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.temporary_id);
        out.put_slice(&self.challenge);
    }
}

impl Command for GetSessionChallenge {
    type Response = SessionChallenge;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x39;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}
