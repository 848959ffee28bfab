//! Sensor data record commands.

use crate::command::{
    DeviceSdrInfo, GetDeviceSdr, GetDeviceSdrInfo, GetSdr, GetSdrRepositoryAllocationInfo,
    GetSdrRepositoryInfo, GetSdrRepositoryTime, ReserveDeviceSdrRepository, ReserveSdrRepository,
    SdrPart, SdrRepositoryAllocation, SdrRepositoryInfo, SdrRepositoryTime, SdrReservation,
};
use crate::sim::dispatch::Call;
use crate::sim::repository::Repository;
use crate::sim::{SdrPlace, Sim};
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn sdr_repository_info(
        &mut self,
        _: Call,
        _: GetSdrRepositoryInfo,
    ) -> Result<SdrRepositoryInfo, CompletionCode> {
        let repository = self.records_in(SdrPlace::Repository)?;
        let (last_addition, last_erase) = repository.changes();
        Ok(SdrRepositoryInfo {
            version: 0x51,
            records: repository.count(),
            free: 0x4000,
            last_addition,
            last_erase,
            // Non-modal updates; reservations and allocation info.
            operations: 0x23,
        })
    }

    pub(in crate::sim) fn sdr_repository_allocation(
        &mut self,
        _: Call,
        _: GetSdrRepositoryAllocationInfo,
    ) -> Result<SdrRepositoryAllocation, CompletionCode> {
        self.records_in(SdrPlace::Repository)?;
        Ok(SdrRepositoryAllocation {
            units: 0x0400,
            unit_size: 0x20,
            free_units: 0x0200,
            largest_free: 0x0200,
            largest_record: 8,
        })
    }

    pub(in crate::sim) fn sdr_repository_time(
        &mut self,
        _: Call,
        _: GetSdrRepositoryTime,
    ) -> Result<SdrRepositoryTime, CompletionCode> {
        let (time, _) = self.records_in(SdrPlace::Repository)?.changes();
        Ok(SdrRepositoryTime { time })
    }

    pub(in crate::sim) fn reserve_sdr_repository(
        &mut self,
        _: Call,
        _: ReserveSdrRepository,
    ) -> Result<SdrReservation, CompletionCode> {
        let id = self.records_in(SdrPlace::Repository)?.reserve();
        Ok(SdrReservation { id })
    }

    pub(in crate::sim) fn sdr(
        &mut self,
        _: Call,
        command: GetSdr,
    ) -> Result<SdrPart, CompletionCode> {
        self.records_in(SdrPlace::Repository)?.read(command.0)
    }

    pub(in crate::sim) fn device_sdr_info(
        &mut self,
        call: Call,
        command: GetDeviceSdrInfo,
    ) -> Result<DeviceSdrInfo, CompletionCode> {
        let sensors = self.sensors.count(call.lun);
        let records = self.records_in(SdrPlace::Device)?.count();
        let count = if command.records {
            u8::try_from(records).unwrap_or(u8::MAX)
        } else {
            sensors
        };
        Ok(DeviceSdrInfo {
            count,
            flags: 0x01,
            population_change: None,
        })
    }

    pub(in crate::sim) fn reserve_device_sdr_repository(
        &mut self,
        _: Call,
        _: ReserveDeviceSdrRepository,
    ) -> Result<SdrReservation, CompletionCode> {
        let id = self.records_in(SdrPlace::Device)?.reserve();
        Ok(SdrReservation { id })
    }

    pub(in crate::sim) fn device_sdr(
        &mut self,
        _: Call,
        command: GetDeviceSdr,
    ) -> Result<SdrPart, CompletionCode> {
        self.records_in(SdrPlace::Device)?.read(command.0)
    }

    fn records_in(&mut self, place: SdrPlace) -> Result<&mut Repository, CompletionCode> {
        match self.repository.place() {
            Some(here) if here == place => Ok(&mut self.repository),
            _ => Err(CompletionCode::INVALID_COMMAND),
        }
    }
}
