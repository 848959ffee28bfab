//! Get SEL Allocation Info, §31.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks in what units the log's memory is given out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSelAllocationInfo;

without_data!(GetSelAllocationInfo, "Get SEL Allocation Info");

impl Command for GetSelAllocationInfo {
    type Response = SelAllocationInfo;
    const NETFN: NetFn = NetFn::STORAGE;
    const CMD: u8 = 0x41;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The log's memory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelAllocationInfo {
    /// Units that there are; 0 is unspecified.
    pub units: u16,
    /// Size of a unit in bytes; 0 is unspecified.
    pub unit_size: u16,
    /// Units that are free.
    pub free_units: u16,
    /// Units in the largest free block.
    pub largest_free: u16,
    /// Largest record in units.
    pub maximum_record: u8,
}

impl Wire for SelAllocationInfo {
    const NAME: &'static str = "Get SEL Allocation Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            units: r.u16_le("possible allocation units")?,
            unit_size: r.u16_le("allocation unit size")?,
            free_units: r.u16_le("free allocation units")?,
            largest_free: r.u16_le("largest free block")?,
            maximum_record: r.u8("maximum record size")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        for value in [
            self.units,
            self.unit_size,
            self.free_units,
            self.largest_free,
        ] {
            out.put_u16_le(value);
        }
        out.put_u8(self.maximum_record);
    }
}
