//! Get FRU Inventory Area Info, §34.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks how large the inventory of a FRU device is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetFruInventoryAreaInfo {
    /// The FRU device ID; 0 is the BMC's own board, FFh is reserved.
    pub device: u8,
}

impl Wire for GetFruInventoryAreaInfo {
    const NAME: &'static str = "Get FRU Inventory Area Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let device = r.u8("FRU device ID")?;
        Ok(Self { device })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.device);
    }
}

impl Command for GetFruInventoryAreaInfo {
    type Response = FruInventoryArea;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x10;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The inventory of a FRU device.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FruInventoryArea {
    /// Its size in bytes, by words too.
    pub size: u16,
    /// What offsets and counts of the other commands count.
    pub access: FruAccess,
}

/// What offsets and counts of FRU commands count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FruAccess {
    /// Bytes.
    Bytes,
    /// Words of two bytes.
    Words,
}

impl FruAccess {
    /// Bytes in one unit.
    pub const fn unit(self) -> u16 {
        match self {
            Self::Bytes => 1,
            Self::Words => 2,
        }
    }
}

impl Wire for FruInventoryArea {
    const NAME: &'static str = "Get FRU Inventory Area Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let size = r.u16_le("inventory area size")?;
        let access = match r.u8("access")? & 1 {
            0 => FruAccess::Bytes,
            _ => FruAccess::Words,
        };
        Ok(Self { size, access })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.size);
        out.put_u8(u8::from(self.access == FruAccess::Words));
    }
}
