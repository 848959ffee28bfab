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

    fn decode_answer(
        code: CompletionCode,
        data: &[u8],
    ) -> Option<Result<AssetTagPart, DecodeError>> {
        let encoding = match code {
            CompletionCode::OK => AssetTagEncoding::Plain,
            Self::BINARY => AssetTagEncoding::Binary,
            Self::BCD_PLUS => AssetTagEncoding::BcdPlus,
            Self::SIX_BIT => AssetTagEncoding::SixBit,
            Self::UTF_16 => AssetTagEncoding::Utf16,
            _ => return None,
        };
        let part = AssetTagPart::from_prefix(data);
        Some(part.map(|part| AssetTagPart { encoding, ..part }))
    }
}

/// How an asset tag is stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AssetTagEncoding {
    /// UTF-8 behind the mark EF BB BF, else Latin-1.
    Plain,
    /// Bytes without a meaning.
    Binary,
    /// Two digits a byte.
    BcdPlus,
    /// Four characters in three bytes.
    SixBit,
    /// UTF-16, least significant byte first.
    Utf16,
}

/// A part of the asset tag.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AssetTagPart {
    /// How the tag is stored; the completion code tells it.
    pub encoding: AssetTagEncoding,
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
        Ok(Self {
            encoding: AssetTagEncoding::Plain,
            total,
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_u8(self.total);
        out.put_slice(&self.data);
    }
}
