//! Global commands.

use crate::command::{
    AcpiPowerState, ColdReset, ConfigurationData, DeviceId, GetAcpiPowerState, GetDeviceGuid,
    GetDeviceId, GetSelfTestResults, GetSystemGuid, GetSystemInfo, Guid, SelfTestResults,
    SetAcpiPowerState, SetSystemInfo, WarmReset,
};
use crate::sim::dispatch::Call;
use crate::sim::{SdrPlace, Sim};
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn device_id(
        &mut self,
        _: Call,
        _: GetDeviceId,
    ) -> Result<DeviceId, CompletionCode> {
        let (sdr_support, device_sdrs) = match self.repository.place() {
            Some(SdrPlace::Repository) => (0x03, 0),
            Some(SdrPlace::Device) => (0x01, 0x80),
            None => (0, 0),
        };
        Ok(DeviceId {
            device_id: 0x20,
            revision: 0x01 | device_sdrs,
            firmware_major: 1,
            firmware_minor: 0x00,
            ipmi_version: 0x02,
            // Chassis, event receiver, FRU inventory, SEL.
            support: 0x9c | sdr_support,
            manufacturer: self.settings.manufacturer,
            product: self.settings.product,
            auxiliary: None,
        })
    }

    pub(in crate::sim) fn cold_reset(
        &mut self,
        call: Call,
        _: ColdReset,
    ) -> Result<(), CompletionCode> {
        self.restart.is_due = !call.ignore;
        Ok(())
    }

    pub(in crate::sim) fn warm_reset(
        &mut self,
        call: Call,
        _: WarmReset,
    ) -> Result<(), CompletionCode> {
        self.restart.is_due = !call.ignore;
        Ok(())
    }

    pub(in crate::sim) fn self_test(
        &mut self,
        _: Call,
        _: GetSelfTestResults,
    ) -> Result<SelfTestResults, CompletionCode> {
        Ok(self.system.self_test)
    }

    pub(in crate::sim) fn acpi_power_state(
        &mut self,
        _: Call,
        _: GetAcpiPowerState,
    ) -> Result<AcpiPowerState, CompletionCode> {
        Ok(self.system.acpi)
    }

    pub(in crate::sim) fn set_acpi_power_state(
        &mut self,
        call: Call,
        command: SetAcpiPowerState,
    ) -> Result<(), CompletionCode> {
        if !call.ignore {
            self.system.set_acpi(command);
        }
        Ok(())
    }

    pub(in crate::sim) fn device_guid(
        &mut self,
        _: Call,
        _: GetDeviceGuid,
    ) -> Result<Guid, CompletionCode> {
        Ok(Guid(self.settings.guid))
    }

    pub(in crate::sim) fn system_guid(
        &mut self,
        _: Call,
        _: GetSystemGuid,
    ) -> Result<Guid, CompletionCode> {
        Ok(Guid(self.settings.guid))
    }

    pub(in crate::sim) fn system_info(
        &mut self,
        _: Call,
        command: GetSystemInfo,
    ) -> Result<ConfigurationData, CompletionCode> {
        self.system.get(command)
    }

    pub(in crate::sim) fn set_system_info(
        &mut self,
        call: Call,
        command: SetSystemInfo,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.system.set(command)
    }
}
