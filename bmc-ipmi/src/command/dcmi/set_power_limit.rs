//! Set Power Limit, §6.6.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::command::{DcmiDone, PowerLimit};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Changes the limit of power, without making it active.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetPowerLimit(pub PowerLimit);

impl SetPowerLimit {
    /// Completion code: the limit is out of range.
    pub const LIMIT_OUT_OF_RANGE: CompletionCode = CompletionCode(0x84);
    /// Completion code: the correction time is out of range.
    pub const CORRECTION_OUT_OF_RANGE: CompletionCode = CompletionCode(0x85);
    /// Completion code: the sampling period is out of range.
    pub const SAMPLING_OUT_OF_RANGE: CompletionCode = CompletionCode(0x89);
}

impl Wire for SetPowerLimit {
    const NAME: &'static str = "Set Power Limit";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        r.take(3, "reserved")?;
        PowerLimit::decode_body(r).map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[0; 3]);
        self.0.encode_body(out);
    }
}

impl Command for SetPowerLimit {
    type Response = DcmiDone;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x04;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
