//! Global commands.

use crate::command::{DeviceId, GetDeviceId};
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
}
