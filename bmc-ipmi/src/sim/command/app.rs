//! Global commands.

use crate::command::{ColdReset, DeviceId, GetDeviceId, WarmReset};
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn device_id(
        &mut self,
        _: Call,
        _: GetDeviceId,
    ) -> Result<DeviceId, CompletionCode> {
        Ok(DeviceId {
            device_id: 0x20,
            revision: 0x01,
            firmware_major: 1,
            firmware_minor: 0x00,
            ipmi_version: 0x02,
            support: 0x80,
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
