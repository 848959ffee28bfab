//! FRU inventory commands.

use crate::command::{
    FruData, FruInventoryArea, GetFruInventoryAreaInfo, ReadFruData, WriteFruData, WrittenFruData,
};
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::sim::fru::FruDevice;
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn fru_area_info(
        &mut self,
        _: Call,
        command: GetFruInventoryAreaInfo,
    ) -> Result<FruInventoryArea, CompletionCode> {
        self.fru_device(command.device).map(|device| device.info())
    }

    pub(in crate::sim) fn read_fru(
        &mut self,
        _: Call,
        command: ReadFruData,
    ) -> Result<FruData, CompletionCode> {
        self.fru_device(command.device)?.read(command)
    }

    pub(in crate::sim) fn write_fru(
        &mut self,
        call: Call,
        command: WriteFruData,
    ) -> Result<WrittenFruData, CompletionCode> {
        let device = self.fru_device(command.device)?;
        if call.ignore {
            let units = command.data.len() / usize::from(device.access.unit());
            let count = u8::try_from(units).unwrap_or(u8::MAX);
            return Ok(WrittenFruData { count });
        }
        device.write(&command)
    }

    fn fru_device(&mut self, device: u8) -> Result<&mut FruDevice, CompletionCode> {
        self.frus
            .get_mut(&device)
            .ok_or(CompletionCode::NOT_PRESENT)
    }
}
