//! Get Asset Tag, §6.4.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Reads a part of the asset tag.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetAssetTag {
    /// First byte.
    pub offset: u8,
    /// Number of bytes, at most 16.
    pub count: u8,
}

impl GetAssetTag {
    /// Completion code: the tag is stored as binary; data follow.
    pub const BINARY: CompletionCode = CompletionCode(0x80);
    /// Completion code: the tag is stored as BCD plus; data follow.
    pub const BCD_PLUS: CompletionCode = CompletionCode(0x81);
    /// Completion code: the tag is stored as 6-bit ASCII; data follow.
    pub const SIX_BIT: CompletionCode = CompletionCode(0x82);
    /// Completion code: the tag is stored as UTF-16; data follow.
    pub const UTF_16: CompletionCode = CompletionCode(0x83);
}

impl Wire for GetAssetTag {
    const NAME: &'static str = "Get Asset Tag";

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

impl Command for GetAssetTag {
    type Response = AssetTagPart;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x06;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A part of the asset tag.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AssetTagPart {
    /// Length of the whole in bytes.
    pub total: u8,
    /// The bytes that were asked for, or fewer.
    pub data: Vec<u8>,
}

impl Wire for AssetTagPart {
    const NAME: &'static str = "Get Asset Tag response";

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
