//! Write FRU Data, §34.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Writes a part of the inventory of a FRU device.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WriteFruData {
    /// The FRU device ID.
    pub device: u8,
    /// The first unit, from 0, in the units of its [`FruAccess`](super::FruAccess).
    pub offset: u16,
    /// The bytes.
    pub data: Vec<u8>,
}

impl WriteFruData {
    /// Completion code: the offset is write-protected.
    pub const PROTECTED: CompletionCode = CompletionCode(0x80);
    /// Completion code: the device is busy.
    pub const BUSY: CompletionCode = CompletionCode(0x81);
}

impl Wire for WriteFruData {
    const NAME: &'static str = "Write FRU Data";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            device: r.u8("FRU device ID")?,
            offset: r.u16_le("offset")?,
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.device);
        out.put_u16_le(self.offset);
        out.put_slice(&self.data);
    }
}

impl Command for WriteFruData {
    type Response = WrittenFruData;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x12;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

/// How much of the data was written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WrittenFruData {
    /// Units written.
    pub count: u8,
}

impl Wire for WrittenFruData {
    const NAME: &'static str = "Write FRU Data response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = r.u8("count written")?;
        Ok(Self { count })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.count);
    }
}
