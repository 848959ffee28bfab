//! RAKP Message 1, §13.20.

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};
use crate::wire::privilege::Role;
use crate::wire::username::Username;

/// Console to BMC: who wants to log in, and the console's random number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rakp1 {
    /// Chosen by the console; the response repeats it.
    pub tag: u8,
    /// The BMC's session ID.
    pub bmc_session_id: u32,
    /// The console's random number, R_M.
    pub console_random: [u8; 16],
    /// Requested privilege and kind of user lookup.
    pub role: Role,
    /// The user name; may be empty.
    pub username: Username,
}

impl Rakp1 {
    /// Length with the longest user name.
    pub const LONGEST: usize = 28 + Username::MAX;
}

impl Wire for Rakp1 {
    const NAME: &'static str = "RAKP Message 1";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let tag = r.u8("message tag")?;
        r.take(3, "reserved bytes")?;
        let bmc_session_id = r.u32_le("BMC session ID")?;
        let console_random = r.array("console random number")?;
        let role = Role(r.u8("requested privilege level")?);
        r.u16_le("reserved bytes")?;
        let length = r.u8("user name length")?.into();
        let name = r.take(length, "user name")?;
        let username = Username::new(name).ok_or_else(|| {
            let maximum = Username::MAX;
            r.error("user name", DecodeErrorKind::Long { length, maximum })
        })?;
        Ok(Self {
            tag,
            bmc_session_id,
            console_random,
            role,
            username,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.tag, 0, 0, 0]);
        out.put_u32_le(self.bmc_session_id);
        out.put_slice(&self.console_random);
        out.put_slice(&[self.role.0, 0, 0, self.username.length()]);
        out.put_slice(self.username.as_bytes());
    }
}
