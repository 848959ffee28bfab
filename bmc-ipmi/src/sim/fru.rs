//! The FRU inventories of the simulated BMC.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::command::{
    FruAccess, FruData, FruInventoryArea, ReadFruData, WriteFruData, WrittenFruData,
};
use crate::record::Text;
use crate::record::fru::{BoardArea, FruInventory, ProductArea};
use crate::wire::CompletionCode;

/// The memory of a FRU device, and how it misbehaves.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FruDevice {
    /// The bytes.
    pub data: Vec<u8>,
    /// What offsets and counts count. Default: bytes.
    pub access: FruAccess,
    /// Most bytes in one answer or request. Default: 200.
    pub limit: u8,
    /// How a read of more than that is refused; `None`: it is answered with fewer bytes. Default: CAh.
    pub refusal: Option<CompletionCode>,
    /// The next so many reads and writes are refused with 81h.
    pub busy: u32,
    /// Bytes that cannot be written. Default: none.
    pub protected: Range<usize>,
    /// Accepts writes without doing anything.
    pub forgets: bool,
}

/// All FRU devices by their ID.
pub(crate) type FruDevices = BTreeMap<u8, FruDevice>;

/// Device 0 with the inventory of a virtual machine.
pub(crate) fn default_devices() -> FruDevices {
    let inventory = FruInventory {
        board: Some(BoardArea {
            manufacturer: Text::plain("bmc-ipmi"),
            product: Text::plain("Simulated BMC"),
            serial_number: Text::plain("SIM-0001"),
            part_number: Text::plain("VIRTUAL-1"),
            ..BoardArea::default()
        }),
        product: Some(ProductArea {
            manufacturer: Text::plain("bmc-ipmi"),
            name: Text::plain("Virtual machine"),
            serial_number: Text::plain("VM-0001"),
            ..ProductArea::default()
        }),
        ..FruInventory::default()
    };
    let devices = inventory.encode().map(|bytes| (0, FruDevice::new(bytes)));
    devices.into_iter().collect()
}

impl FruDevice {
    /// A device with this content and without peculiarities.
    pub fn new(data: impl Into<Vec<u8>>) -> Self {
        Self {
            data: data.into(),
            access: FruAccess::Bytes,
            limit: 200,
            refusal: Some(CompletionCode::CANNOT_RETURN_LENGTH),
            busy: 0,
            protected: 0..0,
            forgets: false,
        }
    }

    pub(crate) fn info(&self) -> FruInventoryArea {
        FruInventoryArea {
            size: u16::try_from(self.data.len()).unwrap_or(u16::MAX),
            access: self.access,
        }
    }

    pub(crate) fn read(&mut self, read: ReadFruData) -> Result<FruData, CompletionCode> {
        self.begin(ReadFruData::BUSY)?;
        let unit = usize::from(self.access.unit());
        let begin = usize::from(read.offset) * unit;
        let mut count = usize::from(read.count) * unit;
        if count == 0 {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        if begin >= self.data.len() {
            return Err(CompletionCode::OUT_OF_RANGE);
        }
        if count > self.limit.into() {
            match self.refusal {
                Some(code) => return Err(code),
                None => count = usize::from(self.limit) / unit * unit,
            }
        }
        let end = (begin + count).min(self.data.len());
        let data = self.data.get(begin..end).unwrap_or_default().to_vec();
        let count = u8::try_from(data.len() / unit).unwrap_or(u8::MAX);
        Ok(FruData { count, data })
    }

    pub(crate) fn write(&mut self, write: &WriteFruData) -> Result<WrittenFruData, CompletionCode> {
        self.begin(WriteFruData::BUSY)?;
        let unit = usize::from(self.access.unit());
        let begin = usize::from(write.offset) * unit;
        let end = begin + write.data.len();
        if write.data.len() > self.limit.into() {
            return Err(self.refusal.unwrap_or(CompletionCode::LENGTH_EXCEEDED));
        }
        if begin < self.protected.end && end > self.protected.start {
            return Err(WriteFruData::PROTECTED);
        }
        let place = self.data.get_mut(begin..end);
        let place = place.ok_or(CompletionCode::OUT_OF_RANGE)?;
        if !self.forgets {
            place.copy_from_slice(&write.data);
        }
        let count = u8::try_from(write.data.len() / unit).unwrap_or(u8::MAX);
        Ok(WrittenFruData { count })
    }

    fn begin(&mut self, busy: CompletionCode) -> Result<(), CompletionCode> {
        if self.busy == 0 {
            return Ok(());
        }
        self.busy -= 1;
        Err(busy)
    }
}
