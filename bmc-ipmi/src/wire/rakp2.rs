//! RAKP Message 2, §13.21.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::auth_code::AuthCode;
use crate::wire::refusal::{Refusal, accepted_head, is_accepted, put_accepted_head};

/// BMC to console: the BMC's random number and proof that it knows the password, or why not.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Rakp2 {
    /// The BMC knows the user.
    Accepted(Rakp2Accepted),
    /// The BMC refuses.
    Refused(Refusal),
}

/// The successful form of [`Rakp2`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rakp2Accepted {
    /// The tag of RAKP Message 1.
    pub tag: u8,
    /// The console's session ID.
    pub console_session_id: u32,
    /// The BMC's random number, R_C.
    pub bmc_random: [u8; 16],
    /// The BMC's GUID, as sent.
    pub bmc_guid: [u8; 16],
    /// Key exchange authentication code.
    pub auth_code: AuthCode,
}

impl Wire for Rakp2 {
    const NAME: &'static str = "RAKP Message 2";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if !is_accepted(r) {
            return Refusal::decode(r).map(Self::Refused);
        }
        let (tag, console_session_id) = accepted_head(r)?;
        Ok(Self::Accepted(Rakp2Accepted {
            tag,
            console_session_id,
            bmc_random: r.array("BMC random number")?,
            bmc_guid: r.array("BMC GUID")?,
            auth_code: AuthCode::decode_rest(r, "key exchange authentication code")?,
        }))
    }

    fn encode(&self, out: &mut impl BufMut) {
        let accepted = match self {
            Self::Accepted(accepted) => accepted,
            Self::Refused(refusal) => return refusal.encode(out),
        };
        put_accepted_head(accepted.tag, accepted.console_session_id, out);
        out.put_slice(&accepted.bmc_random);
        out.put_slice(&accepted.bmc_guid);
        out.put_slice(accepted.auth_code.as_bytes());
    }
}
