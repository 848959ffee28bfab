//! Get SDR Repository Allocation Info, §33.10.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks how the repository divides its space.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSdrRepositoryAllocationInfo;

without_data!(
    GetSdrRepositoryAllocationInfo,
    "Get SDR Repository Allocation Info"
);

impl Command for GetSdrRepositoryAllocationInfo {
    type Response = SdrRepositoryAllocation;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x21;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How the repository divides its space.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SdrRepositoryAllocation {
    /// Number of units; 0 is not told.
    pub units: u16,
    /// Bytes of a unit; 0 is not told.
    pub unit_size: u16,
    /// Free units.
    pub free_units: u16,
    /// Largest free block, in units.
    pub largest_free: u16,
    /// Largest record, in units.
    pub largest_record: u8,
}

impl Wire for SdrRepositoryAllocation {
    const NAME: &'static str = "Get SDR Repository Allocation Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            units: r.u16_le("allocation units")?,
            unit_size: r.u16_le("allocation unit size")?,
            free_units: r.u16_le("free allocation units")?,
            largest_free: r.u16_le("largest free block")?,
            largest_record: r.u8("maximum record size")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        for field in [
            self.units,
            self.unit_size,
            self.free_units,
            self.largest_free,
        ] {
            out.put_u16_le(field);
        }
        out.put_u8(self.largest_record);
    }
}
