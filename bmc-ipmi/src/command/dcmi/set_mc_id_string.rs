//! Set Management Controller Identifier String, §6.4.6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::DcmiTextLength;
use crate::command::dcmi::{group, put_group};
use crate::wire::{NetFn, Privilege};

/// Writes a part of the controller's name. Parts are written in order; the last one ends with a zero byte.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetMcIdString {
    /// First byte.
    pub offset: u8,
    /// The bytes, at most 16.
    pub data: Vec<u8>,
}

impl Wire for SetMcIdString {
    const NAME: &'static str = "Set Management Controller Identifier String";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [offset, count] = r.array("offset and count")?;
        let data = r.take(count.into(), "data")?.to_vec();
        Ok(Self { offset, data })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        let count = u8::try_from(self.data.len()).unwrap_or(u8::MAX);
        out.put_slice(&[self.offset, count]);
        out.put_slice(self.data.get(..count.into()).unwrap_or_default());
    }
}

impl Command for SetMcIdString {
    type Response = DcmiTextLength;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x0a;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}
