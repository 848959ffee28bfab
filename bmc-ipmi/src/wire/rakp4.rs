//! RAKP Message 4, §13.23.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::auth_code::AuthCode;
use crate::wire::refusal::{Refusal, is_accepted};
use crate::wire::status::Status;

/// BMC to console: the session is active, or why not.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Rakp4 {
    /// The session is active.
    Accepted(Rakp4Accepted),
    /// The BMC refuses.
    Refused(Refusal),
}

/// The successful form of [`Rakp4`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rakp4Accepted {
    /// The tag of RAKP Message 3.
    pub tag: u8,
    /// The console's session ID.
    pub console_session_id: u32,
    /// Integrity check value: the BMC derived the same session integrity key.
    pub integrity_check: AuthCode,
}

impl Wire for Rakp4 {
    const NAME: &'static str = "RAKP Message 4";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if !is_accepted(r) {
            return Refusal::decode(r).map(Self::Refused);
        }
        let tag = r.u8("message tag")?;
        r.take(3, "status code and reserved bytes")?;
        Ok(Self::Accepted(Rakp4Accepted {
            tag,
            console_session_id: r.u32_le("console session ID")?,
            integrity_check: AuthCode::decode_rest(r, "integrity check value")?,
        }))
    }

    fn encode(&self, out: &mut impl BufMut) {
        let accepted = match self {
            Self::Accepted(accepted) => accepted,
            Self::Refused(refusal) => return refusal.encode(out),
        };
        out.put_slice(&[accepted.tag, Status::OK.0, 0, 0]);
        out.put_u32_le(accepted.console_session_id);
        out.put_slice(accepted.integrity_check.as_bytes());
    }
}
