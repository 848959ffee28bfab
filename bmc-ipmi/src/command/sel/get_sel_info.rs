//! Get SEL Info, §31.2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, Timestamp};

/// Asks how full the event log is and when it changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSelInfo;

without_data!(GetSelInfo, "Get SEL Info");

impl Command for GetSelInfo {
    type Response = SelInfo;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x40;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How full the event log is and when it changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelInfo {
    /// Version of the SEL commands; 51h in IPMI 1.5 and 2.0.
    pub version: u8,
    /// Entries in the log.
    pub entries: u16,
    /// Bytes that are free; FFFFh is 65535 or more.
    pub free_bytes: u16,
    /// When an entry was last added.
    pub last_addition: Timestamp,
    /// When an entry was last deleted, or the log cleared.
    pub last_erase: Timestamp,
    /// \[7\] overflow; supported: \[3\] delete, \[2\] partial add, \[1\] reserve, \[0\] allocation info.
    pub operations: u8,
}

impl SelInfo {
    /// Bit of `operations`: events were dropped because the log was full.
    pub const OVERFLOW: u8 = 0x80;
    /// Bit of `operations`: Delete SEL Entry is supported.
    pub const DELETE: u8 = 0x08;
    /// Bit of `operations`: Partial Add SEL Entry is supported.
    pub const PARTIAL_ADD: u8 = 0x04;
    /// Bit of `operations`: Reserve SEL is supported.
    pub const RESERVE: u8 = 0x02;
    /// Bit of `operations`: Get SEL Allocation Info is supported.
    pub const ALLOCATION_INFO: u8 = 0x01;

    /// Whether events were dropped because the log was full.
    pub fn has_overflowed(&self) -> bool {
        self.operations & Self::OVERFLOW != 0
    }

    /// Whether the BMC has all the operations in `bits`.
    pub fn supports(&self, bits: u8) -> bool {
        self.operations & bits == bits
    }
}

impl Wire for SelInfo {
    const NAME: &'static str = "Get SEL Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            version: r.u8("SEL version")?,
            entries: r.u16_le("entries")?,
            free_bytes: r.u16_le("free space")?,
            last_addition: Timestamp(r.u32_le("most recent addition timestamp")?),
            last_erase: Timestamp(r.u32_le("most recent erase timestamp")?),
            operations: r.u8("operation support")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.version);
        out.put_u16_le(self.entries);
        out.put_u16_le(self.free_bytes);
        out.put_u32_le(self.last_addition.0);
        out.put_u32_le(self.last_erase.0);
        out.put_u8(self.operations);
    }
}
