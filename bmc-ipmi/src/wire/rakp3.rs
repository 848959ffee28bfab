//! RAKP Message 3, §13.22.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::auth_code::AuthCode;
use crate::wire::status::Status;

/// Console to BMC: proof that the console knows the password, or why it gives up.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rakp3 {
    /// Chosen by the console; the response repeats it.
    pub tag: u8,
    /// Not [`Status::OK`] if the console refuses RAKP Message 2.
    pub status: Status,
    /// The BMC's session ID.
    pub bmc_session_id: u32,
    /// Key exchange authentication code; empty on refusal.
    pub auth_code: AuthCode,
}

impl Wire for Rakp3 {
    const NAME: &'static str = "RAKP Message 3";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let tag = r.u8("message tag")?;
        let status = Status(r.u8("status code")?);
        r.u16_le("reserved bytes")?;
        Ok(Self {
            tag,
            status,
            bmc_session_id: r.u32_le("BMC session ID")?,
            auth_code: AuthCode::decode_rest(r, "key exchange authentication code")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.tag, self.status.0, 0, 0]);
        out.put_u32_le(self.bmc_session_id);
        out.put_slice(self.auth_code.as_bytes());
    }
}
