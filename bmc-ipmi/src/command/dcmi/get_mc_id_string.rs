//! Get Management Controller Identifier String, §6.4.6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::wire::{NetFn, Privilege};

/// Reads a part of the controller's name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetMcIdString {
    /// First byte.
    pub offset: u8,
    /// Number of bytes, at most 16.
    pub count: u8,
}

impl Wire for GetMcIdString {
    const NAME: &'static str = "Get Management Controller Identifier String";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [offset, count] = r.array("offset and count")?;
        Ok(Self { offset, count })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[self.offset, self.count]);
    }
}

impl Command for GetMcIdString {
    type Response = McIdStringPart;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x09;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A part of the controller's name. It ends with a zero byte.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct McIdStringPart {
    /// Length of the whole in bytes.
    pub total: u8,
    /// The bytes that were asked for, or fewer.
    pub data: Vec<u8>,
}

impl Wire for McIdStringPart {
    const NAME: &'static str = "Get Management Controller Identifier String response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let total = r.u8("total length")?;
        let data = r.rest().to_vec();
        Ok(Self { total, data })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_u8(self.total);
        out.put_slice(&self.data);
    }
}
