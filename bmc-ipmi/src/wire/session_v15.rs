//! IPMI v1.5 session header, §13.6: v1.5 sessions, and the commands before any session.

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};
use crate::wire::auth_type::AuthType;
use crate::wire::rmcp::{RmcpHeader, expect_ipmi};
use crate::wire::session::SessionHeader;

/// A v1.5 datagram; `message` is the LAN message. Nothing of it is verified here.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SessionV15<'a> {
    /// How the message is authenticated.
    pub auth_type: AuthType,
    /// Session sequence number; 0 outside a session.
    pub sequence: u32,
    /// Session ID, the same in both directions; 0 outside a session.
    pub session_id: u32,
    /// What authenticates the message; zeroes, and not sent, with [`AuthType::NONE`].
    pub auth_code: [u8; 16],
    /// The LAN message, at most 255 bytes.
    pub message: &'a [u8],
}

impl<'a> SessionV15<'a> {
    /// Longest message.
    pub const MAX_MESSAGE: usize = 255;
    const NAME: &'static str = "IPMI v1.5 datagram";

    /// A datagram outside a session.
    pub fn sessionless(message: &'a [u8]) -> Self {
        Self {
            auth_type: AuthType::NONE,
            sequence: 0,
            session_id: 0,
            auth_code: [0; 16],
            message,
        }
    }

    /// Reads a whole datagram. One byte behind the message is the legacy pad and is ignored.
    pub fn decode(datagram: &'a [u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(Self::NAME, datagram);
        expect_ipmi(&mut r)?;
        let auth_type = r.u8("authentication type")?;
        if auth_type == SessionHeader::AUTH_TYPE || auth_type > 0x0f {
            let (found, expected) = (auth_type.into(), AuthType::NONE.value().into());
            let kind = DecodeErrorKind::Value { found, expected };
            return Err(r.error("authentication type", kind));
        }
        let auth_type = AuthType::new(auth_type);
        let sequence = r.u32_le("session sequence number")?;
        let session_id = r.u32_le("session ID")?;
        let auth_code = match auth_type {
            AuthType::NONE => [0; 16],
            _ => r.array("AuthCode")?,
        };
        let length = r.u8("message length")?;
        let message = r.take(length.into(), "message")?;
        if r.remaining() > 1 {
            let extra = r.remaining();
            return Err(r.error("trailing bytes:", DecodeErrorKind::Trailing { extra }));
        }
        Ok(Self {
            auth_type,
            sequence,
            session_id,
            auth_code,
            message,
        })
    }

    /// Writes the whole datagram, without a legacy pad. A message beyond 255 bytes is cut there.
    pub fn encode(&self, out: &mut impl BufMut) {
        let length = u8::try_from(self.message.len()).unwrap_or(u8::MAX);
        RmcpHeader::IPMI.encode(out);
        out.put_u8(self.auth_type.value());
        out.put_u32_le(self.sequence);
        out.put_u32_le(self.session_id);
        if self.auth_type != AuthType::NONE {
            out.put_slice(&self.auth_code);
        }
        out.put_u8(length);
        out.put_slice(self.message.get(..length.into()).unwrap_or(self.message));
    }
}
