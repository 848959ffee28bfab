//! Delete SEL Entry, §31.8.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

use super::SelReservation;

/// Deletes an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeleteSelEntry {
    /// The reservation.
    pub reservation: SelReservation,
    /// Which entry; 0000h is the first, FFFFh the last.
    pub record_id: u16,
}

impl DeleteSelEntry {
    /// Completion code: entries of this type cannot be deleted.
    pub const UNSUPPORTED_TYPE: CompletionCode = CompletionCode(0x80);
    /// Completion code: the log is being erased.
    pub const ERASE_IN_PROGRESS: CompletionCode = CompletionCode(0x81);
}

impl Wire for DeleteSelEntry {
    const NAME: &'static str = "Delete SEL Entry";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            reservation: SelReservation::decode(r)?,
            record_id: r.u16_le("record ID")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.reservation.encode(out);
        out.put_u16_le(self.record_id);
    }
}

impl Command for DeleteSelEntry {
    type Response = DeletedSelEntry;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x46;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;

    /// The aliases mean another entry each time.
    fn is_idempotent(&self) -> bool {
        !matches!(self.record_id, 0x0000 | 0xffff)
    }
}

/// The entry that was deleted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeletedSelEntry {
    /// Its record ID.
    pub record_id: u16,
}

impl Wire for DeletedSelEntry {
    const NAME: &'static str = "Delete SEL Entry response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let record_id = r.u16_le("record ID")?;
        Ok(Self { record_id })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.record_id);
    }
}
