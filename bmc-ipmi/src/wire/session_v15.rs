//! IPMI v1.5 session header with authentication type "none", §13.6: the commands before a session.

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader};
use crate::wire::rmcp::{RmcpHeader, expect_ipmi};

/// A v1.5 datagram without authentication; `message` is the LAN message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SessionV15<'a> {
    /// Session sequence number; 0 outside a session.
    pub sequence: u32,
    /// Session ID; 0 outside a session.
    pub session_id: u32,
    /// The LAN message, at most 255 bytes.
    pub message: &'a [u8],
}

impl<'a> SessionV15<'a> {
    /// Value of the authentication type field: none.
    pub const AUTH_TYPE: u8 = 0x00;
    /// Longest message.
    pub const MAX_MESSAGE: usize = 255;
    const NAME: &'static str = "IPMI v1.5 datagram";

    /// A datagram outside a session.
    pub fn sessionless(message: &'a [u8]) -> Self {
        Self {
            sequence: 0,
            session_id: 0,
            message,
        }
    }

    /// Reads a whole datagram. One byte behind the message is the legacy pad and is ignored.
    pub fn decode(datagram: &'a [u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(Self::NAME, datagram);
        expect_ipmi(&mut r)?;
        r.expect_u8(Self::AUTH_TYPE, "authentication type")?;
        let sequence = r.u32_le("session sequence number")?;
        let session_id = r.u32_le("session ID")?;
        let length = r.u8("message length")?;
        let message = r.take(length.into(), "message")?;
        if r.remaining() > 1 {
            let extra = r.remaining();
            return Err(r.error("trailing bytes:", DecodeErrorKind::Trailing { extra }));
        }
        Ok(Self {
            sequence,
            session_id,
            message,
        })
    }

    /// Writes the whole datagram, without a legacy pad. A message beyond 255 bytes is cut there.
    pub fn encode(&self, out: &mut impl BufMut) {
        let length = u8::try_from(self.message.len()).unwrap_or(u8::MAX);
        crate::codec::Wire::encode(&RmcpHeader::IPMI, out);
        out.put_u8(Self::AUTH_TYPE);
        out.put_u32_le(self.sequence);
        out.put_u32_le(self.session_id);
        out.put_u8(length);
        out.put_slice(self.message.get(..length.into()).unwrap_or(self.message));
    }
}
