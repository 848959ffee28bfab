//! Read FRU Data, §34.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Reads a part of the inventory of a FRU device. Offset and count are in the units of its
/// [`FruAccess`](super::FruAccess).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReadFruData {
    /// The FRU device ID.
    pub device: u8,
    /// The first unit, from 0.
    pub offset: u16,
    /// Units to read, from 1.
    pub count: u8,
}

impl ReadFruData {
    /// Completion code: the device is busy.
    pub const BUSY: CompletionCode = CompletionCode(0x81);
}

impl Wire for ReadFruData {
    const NAME: &'static str = "Read FRU Data";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            device: r.u8("FRU device ID")?,
            offset: r.u16_le("offset")?,
            count: r.u8("count")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.device);
        out.put_u16_le(self.offset);
        out.put_u8(self.count);
    }
}

impl Command for ReadFruData {
    type Response = FruData;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x11;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A part of an inventory.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FruData {
    /// Units that the BMC says it returns. Some count bytes where they should count words.
    pub count: u8,
    /// The bytes.
    pub data: Vec<u8>,
}

impl Wire for FruData {
    const NAME: &'static str = "Read FRU Data response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            count: r.u8("count returned")?,
            data: r.rest().to_vec(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.count);
        out.put_slice(&self.data);
    }
}
