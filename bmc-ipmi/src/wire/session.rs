//! RMCP+ (IPMI v2.0) session header, §13.6.

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};
use crate::wire::payload::PayloadType;
use crate::wire::rmcp::{RmcpHeader, expect_ipmi};

/// The header between the RMCP header and the payload.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SessionHeader {
    /// What the payload is.
    pub payload_type: PayloadType,
    /// Whether the payload is encrypted.
    pub encrypted: bool,
    /// Whether a session trailer with an AuthCode follows the payload.
    pub authenticated: bool,
    /// The receiver's session ID; 0 outside a session.
    pub session_id: u32,
    /// Session sequence number; 0 outside a session.
    pub sequence: u32,
    /// Length of the payload as sent, in bytes.
    pub payload_length: u16,
}

impl SessionHeader {
    /// Value of the authentication type field that announces this header.
    pub const AUTH_TYPE: u8 = 0x06;
    /// Length on the wire.
    pub const LENGTH: usize = 12;
    /// Value of the trailer's next header field.
    pub const NEXT_HEADER: u8 = 0x07;
    const ENCRYPTED: u8 = 0x80;
    const AUTHENTICATED: u8 = 0x40;

    /// Whether `datagram` has this header rather than that of IPMI v1.5.
    pub fn announced_by(datagram: &[u8]) -> bool {
        datagram.get(RmcpHeader::LENGTH) == Some(&Self::AUTH_TYPE)
    }

    /// Writes a datagram outside a session: the handshake messages, and sessionless commands.
    ///
    /// Payloads beyond 65535 bytes do not exist in IPMI and are cut there.
    pub fn encode_sessionless(payload_type: PayloadType, payload: &[u8], out: &mut impl BufMut) {
        let payload_length = u16::try_from(payload.len()).unwrap_or(u16::MAX);
        RmcpHeader::IPMI.encode(out);
        let header = Self {
            payload_type,
            encrypted: false,
            authenticated: false,
            session_id: 0,
            sequence: 0,
            payload_length,
        };
        header.encode(out);
        out.put_slice(payload.get(..payload_length.into()).unwrap_or(payload));
    }

    /// Splits a datagram into header, payload and what follows it. Nothing is verified or decrypted.
    pub fn split(datagram: &[u8]) -> Result<(Self, &[u8], &[u8]), DecodeError> {
        let mut r = Reader::new("RMCP+ datagram", datagram);
        expect_ipmi(&mut r)?;
        let header = Self::decode(&mut r)?;
        let payload = r.take(header.payload_length.into(), "payload")?;
        Ok((header, payload, r.rest()))
    }
}

impl Wire for SessionHeader {
    const NAME: &'static str = "RMCP+ session header";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.expect_u8(Self::AUTH_TYPE, "authentication type")?;
        let byte = r.u8("payload type")?;
        let payload_type = PayloadType::new(byte);
        if payload_type == PayloadType::OEM_EXPLICIT {
            // Its header has six bytes more; no command of this crate uses it.
            let (found, expected) = (byte.into(), PayloadType::IPMI.0.into());
            return Err(r.error("payload type", DecodeErrorKind::Value { found, expected }));
        }
        Ok(Self {
            payload_type,
            encrypted: byte & Self::ENCRYPTED != 0,
            authenticated: byte & Self::AUTHENTICATED != 0,
            session_id: r.u32_le("session ID")?,
            sequence: r.u32_le("session sequence number")?,
            payload_length: r.u16_le("payload length")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let encrypted = if self.encrypted { Self::ENCRYPTED } else { 0 };
        let authenticated = if self.authenticated {
            Self::AUTHENTICATED
        } else {
            0
        };
        out.put_u8(Self::AUTH_TYPE);
        out.put_u8(self.payload_type.0 | encrypted | authenticated);
        out.put_u32_le(self.session_id);
        out.put_u32_le(self.sequence);
        out.put_u16_le(self.payload_length);
    }
}
