//! RAKP Message 4, §13.23.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::auth_code::AuthCode;
use crate::wire::refusal::{Refusal, accepted_head, is_accepted, put_accepted_head};

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
        let (tag, console_session_id) = accepted_head(r)?;
        Ok(Self::Accepted(Rakp4Accepted {
            tag,
            console_session_id,
            integrity_check: AuthCode::decode_rest(r, "integrity check value")?,
        }))
    }

    fn encode(&self, out: &mut impl BufMut) {
        let accepted = match self {
            Self::Accepted(accepted) => accepted,
            Self::Refused(refusal) => return refusal.encode(out),
        };
        put_accepted_head(accepted.tag, accepted.console_session_id, out);
        out.put_slice(accepted.integrity_check.as_bytes());
    }
}
