//! The error forms of Open Session Response, RAKP Message 2 and RAKP Message 4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::status::Status;

/// A response that only says why a step of the handshake failed.
///
/// §13.18 to §13.23 give 8 bytes. BMCs also send the status alone, tag and status, or the full message filled with
/// zeroes, tag included; so a tag of 0 and a missing session ID do not prove that the reply belongs to somebody else.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Refusal {
    /// Message tag of the request; absent in the one-byte form.
    pub tag: Option<u8>,
    /// Why; a one-byte form may hold a completion code here.
    pub status: Status,
    /// The console's session ID; absent in the short forms.
    pub console_session_id: Option<u32>,
    /// Bytes that follow and mean nothing.
    pub padding: usize,
}

impl Refusal {
    /// The eight-byte form of the specification.
    pub fn new(tag: u8, status: Status, console_session_id: u32) -> Self {
        Self {
            tag: Some(tag),
            status,
            console_session_id: Some(console_session_id),
            padding: 0,
        }
    }
}

impl Wire for Refusal {
    const NAME: &'static str = "RMCP+ refusal";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if r.remaining() == 1 {
            return Ok(Self {
                tag: None,
                status: Status(r.u8("status code")?),
                console_session_id: None,
                padding: 0,
            });
        }
        let tag = Some(r.u8("message tag")?);
        let status = Status(r.u8("status code")?);
        let console_session_id = if r.remaining() >= 6 {
            r.u16_le("reserved bytes")?;
            Some(r.u32_le("console session ID")?)
        } else {
            None
        };
        Ok(Self {
            tag,
            status,
            console_session_id,
            padding: r.rest().len(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        if let Some(tag) = self.tag {
            out.put_u8(tag);
        }
        out.put_u8(self.status.0);
        if let Some(id) = self.console_session_id {
            out.put_u16_le(0);
            out.put_u32_le(id);
        }
        out.put_bytes(0, self.padding);
    }
}

/// The head of a response that reports success: its tag and the console's session ID.
pub(crate) fn accepted_head(r: &mut Reader<'_>) -> Result<(u8, u32), DecodeError> {
    let tag = r.u8("message tag")?;
    r.take(3, "status code and reserved bytes")?;
    Ok((tag, r.u32_le("console session ID")?))
}

/// Writes what [`accepted_head`] reads.
pub(crate) fn put_accepted_head(tag: u8, console_session_id: u32, out: &mut impl BufMut) {
    out.put_slice(&[tag, Status::OK.0, 0, 0]);
    out.put_u32_le(console_session_id);
}

/// Whether a response of at least two bytes reports success.
pub(crate) fn is_accepted(r: &Reader<'_>) -> bool {
    let mut ahead = r.clone();
    ahead.u8("message tag").is_ok() && ahead.u8("status code") == Ok(Status::OK.0)
}
