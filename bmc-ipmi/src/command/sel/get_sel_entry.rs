//! Get SEL Entry, §31.5.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

use super::SelReservation;

/// Reads an entry, or a part of one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSelEntry {
    /// Needed only where `offset` is not 0.
    pub reservation: SelReservation,
    /// Which entry; [`FIRST`](Self::FIRST) and [`LAST`](Self::LAST) are aliases.
    pub record_id: u16,
    /// First byte to read, from 0.
    pub offset: u8,
    /// Bytes to read; [`ALL`](Self::ALL) for the rest of the record.
    pub count: u8,
}

impl GetSelEntry {
    /// Record ID of the oldest entry.
    pub const FIRST: u16 = 0x0000;
    /// Record ID of the newest entry; as the next ID: there is no further entry.
    pub const LAST: u16 = 0xffff;
    /// Count: up to the record's end.
    pub const ALL: u8 = 0xff;
    /// Completion code: the log is being erased.
    pub const ERASE_IN_PROGRESS: CompletionCode = CompletionCode(0x81);

    /// Reads a whole entry, which needs no reservation.
    pub fn whole(record_id: u16) -> Self {
        Self {
            reservation: SelReservation::default(),
            record_id,
            offset: 0,
            count: Self::ALL,
        }
    }
}

impl Wire for GetSelEntry {
    const NAME: &'static str = "Get SEL Entry";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            reservation: SelReservation::decode(r)?,
            record_id: r.u16_le("record ID")?,
            offset: r.u8("offset")?,
            count: r.u8("bytes to read")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.reservation.encode(out);
        out.put_u16_le(self.record_id);
        out.put_slice(&[self.offset, self.count]);
    }
}

impl Command for GetSelEntry {
    type Response = SelEntryPart;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x43;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// An entry, or a part of one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SelEntryPart {
    /// Record ID of the next entry; [`GetSelEntry::LAST`] at the end of the log.
    pub next: u16,
    /// Bytes of the record, at most sixteen.
    pub data: Vec<u8>,
}

impl Wire for SelEntryPart {
    const NAME: &'static str = "Get SEL Entry response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let next = r.u16_le("next record ID")?;
        // All records have sixteen bytes.
        let length = r.remaining().min(16);
        let data = r.take(length, "record data")?.to_vec();
        Ok(Self { next, data })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.next);
        out.put_slice(&self.data);
    }
}
