//! Global commands.

use crate::command::{ColdReset, DeviceId, GetDeviceId, WarmReset};
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
            manufacturer: 0,
            product: 0,
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
}
