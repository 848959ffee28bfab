//! Get SDR, §33.12.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Reads a record of the repository, or a part of one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSdr(pub SdrRange);

/// A part of a record.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SdrRange {
    /// A reservation; 0 will do where `offset` is 0.
    pub reservation: u16,
    /// The record; [`FIRST`](Self::FIRST) for the first one.
    pub record: u16,
    /// First byte.
    pub offset: u8,
    /// Number of bytes; [`WHOLE`](Self::WHOLE) for all of them.
    pub count: u8,
}

impl SdrRange {
    /// Record ID of the first record.
    pub const FIRST: u16 = 0x0000;
    /// Record ID of the last record; as the next record it means that there is none.
    pub const LAST: u16 = 0xffff;
    /// Count for everything up to the end of the record.
    pub const WHOLE: u8 = 0xff;

    /// A whole record.
    pub fn whole(record: u16) -> Self {
        Self {
            reservation: 0,
            record,
            offset: 0,
            count: Self::WHOLE,
        }
    }
}

impl Wire for GetSdr {
    const NAME: &'static str = "Get SDR";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        SdrRange::decode(r).map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.0.encode(out);
    }
}

impl Wire for SdrRange {
    const NAME: &'static str = "part of an SDR";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            reservation: r.u16_le("reservation ID")?,
            record: r.u16_le("record ID")?,
            offset: r.u8("offset")?,
            count: r.u8("bytes to read")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.reservation);
        out.put_u16_le(self.record);
        out.put_slice(&[self.offset, self.count]);
    }
}

impl Command for GetSdr {
    type Response = SdrPart;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x23;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// A part of a record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SdrPart {
    /// The record behind this one; [`SdrRange::LAST`] if there is none.
    pub next: u16,
    /// The bytes that were asked for, or fewer.
    pub data: Vec<u8>,
}

impl Wire for SdrPart {
    const NAME: &'static str = "Get SDR response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let next = r.u16_le("next record ID")?;
        let data = r.rest().to_vec();
        Ok(Self { next, data })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.next);
        out.put_slice(&self.data);
    }
}
