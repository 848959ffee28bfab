//! Set Asset Tag, §6.4.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::dcmi::{group, put_group, put_text_part, text_part};
use crate::command::{Command, DcmiTextLength};
use crate::wire::{NetFn, Privilege};

/// Writes a part of the asset tag. The tag then ends behind this part, so parts are written in order.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetAssetTag {
    /// First byte.
    pub offset: u8,
    /// The bytes, at most 16.
    pub data: Vec<u8>,
}

impl Wire for SetAssetTag {
    const NAME: &'static str = "Set Asset Tag";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let (offset, data) = text_part(r)?;
        Ok(Self { offset, data })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        put_text_part(self.offset, &self.data, out);
    }
}

impl Command for SetAssetTag {
    type Response = DcmiTextLength;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x08;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
