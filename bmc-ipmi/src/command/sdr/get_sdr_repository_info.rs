//! Get SDR Repository Info, §33.9.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, Timestamp};

/// Asks how full the repository is and when it changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSdrRepositoryInfo;

without_data!(GetSdrRepositoryInfo, "Get SDR Repository Info");

impl Command for GetSdrRepositoryInfo {
    type Response = SdrRepositoryInfo;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x20;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How full the repository is and when it changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SdrRepositoryInfo {
    /// Version of the repository commands, nibbles swapped: 51h.
    pub version: u8,
    /// Number of records. Some BMCs lie.
    pub records: u16,
    /// Free bytes; FFFEh is that much or more, FFFFh is not told.
    pub free: u16,
    /// When a record was last added.
    pub last_addition: Timestamp,
    /// When a record was last deleted.
    pub last_erase: Timestamp,
    /// \[7\] overflow, \[6:5\] update mode; supported: \[3\] delete, \[2\] partial add, \[1\] reserve, \[0\] allocation info.
    pub operations: u8,
}

impl Wire for SdrRepositoryInfo {
    const NAME: &'static str = "Get SDR Repository Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            version: r.u8("SDR version")?,
            records: r.u16_le("record count")?,
            free: r.u16_le("free space")?,
            last_addition: Timestamp(r.u32_le("most recent addition")?),
            last_erase: Timestamp(r.u32_le("most recent erase")?),
            operations: r.u8("operation support")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.version);
        out.put_u16_le(self.records);
        out.put_u16_le(self.free);
        out.put_u32_le(self.last_addition.0);
        out.put_u32_le(self.last_erase.0);
        out.put_u8(self.operations);
    }
}
