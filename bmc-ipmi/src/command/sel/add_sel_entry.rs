//! Add SEL Entry, §31.6.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Adds an entry. The BMC chooses its record ID and, unless the type is OEM without a time, its time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AddSelEntry {
    /// The record.
    pub record: [u8; 16],
}

impl AddSelEntry {
    /// Completion code: the BMC does not take records of this type.
    pub const UNSUPPORTED_TYPE: CompletionCode = CompletionCode(0x80);
    /// Completion code: the log is being erased.
    pub const ERASE_IN_PROGRESS: CompletionCode = CompletionCode(0x81);
}

impl Wire for AddSelEntry {
    const NAME: &'static str = "Add SEL Entry";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let record = r.array("record data")?;
        Ok(Self { record })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.record);
    }
}

impl Command for AddSelEntry {
    type Response = AddedSelEntry;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x44;
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

/// The entry that was added.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AddedSelEntry {
    /// Its record ID.
    pub record_id: u16,
}

impl Wire for AddedSelEntry {
    const NAME: &'static str = "Add SEL Entry response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let record_id = r.u16_le("record ID")?;
        Ok(Self { record_id })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.record_id);
    }
}
