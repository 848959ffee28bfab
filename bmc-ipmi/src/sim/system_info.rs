//! What software tells the BMC about the system: names, versions, states.

use std::collections::BTreeMap;

use crate::command::{
    AcpiDeviceState, AcpiPowerState, AcpiSystemState, ConfigurationData, GetSystemInfo,
    SelfTestResult, SelfTestResults, SetAcpiPowerState, SetSystemInfo, SystemInfoParameter,
};
use crate::wire::CompletionCode;

/// Information about the system.
pub(super) struct SystemState {
    pub(super) self_test: SelfTestResults,
    pub(super) acpi: AcpiPowerState,
    /// Blocks of texts by parameter and number.
    blocks: BTreeMap<(u8, u8), Vec<u8>>,
    set_in_progress: u8,
    /// Whether nobody can change the BMC key any more.
    pub(super) kg_is_locked: bool,
}

/// Longest block of a text: 16 bytes behind its number.
const BLOCK: usize = 17;
/// Blocks of one text.
const BLOCKS: u8 = 17;

impl Default for SystemState {
    fn default() -> Self {
        Self {
            self_test: SelfTestResults {
                result: SelfTestResult::PASSED,
                detail: 0,
            },
            acpi: AcpiPowerState {
                system: AcpiSystemState::UNKNOWN,
                device: AcpiDeviceState::UNKNOWN,
            },
            blocks: BTreeMap::new(),
            set_in_progress: 0,
            kg_is_locked: false,
        }
    }
}

impl SystemState {
    pub(super) fn set_acpi(&mut self, command: SetAcpiPowerState) {
        self.acpi.system = command.system.unwrap_or(self.acpi.system);
        self.acpi.device = command.device.unwrap_or(self.acpi.device);
    }

    pub(super) fn set(&mut self, command: SetSystemInfo) -> Result<(), CompletionCode> {
        let first = command.data.first().copied();
        let first = first.ok_or(CompletionCode::INVALID_LENGTH)?;
        match command.parameter {
            SystemInfoParameter::SET_IN_PROGRESS => {
                if first == 1 && self.set_in_progress == 1 {
                    return Err(SetSystemInfo::SET_IN_PROGRESS);
                }
                self.set_in_progress = first & 0x03;
            }
            parameter if is_text(parameter) => {
                if first >= BLOCKS {
                    return Err(CompletionCode::OUT_OF_RANGE);
                }
                if command.data.len() > BLOCK {
                    return Err(CompletionCode::INVALID_LENGTH);
                }
                self.blocks.insert((parameter.value(), first), command.data);
            }
            _ => return Err(SetSystemInfo::UNSUPPORTED),
        }
        Ok(())
    }

    pub(super) fn get(&self, command: GetSystemInfo) -> Result<ConfigurationData, CompletionCode> {
        let data = match command.parameter {
            SystemInfoParameter::SET_IN_PROGRESS => vec![self.set_in_progress],
            parameter if is_text(parameter) => {
                let block = self.blocks.get(&(parameter.value(), command.set));
                match block {
                    Some(block) => block.clone(),
                    // An empty text.
                    None if command.set == 0 => vec![0; BLOCK],
                    None => return Err(CompletionCode::OUT_OF_RANGE),
                }
            }
            _ => return Err(GetSystemInfo::UNSUPPORTED),
        };
        Ok(ConfigurationData {
            revision: ConfigurationData::REVISION,
            data: if command.revision_only {
                Vec::new()
            } else {
                data
            },
        })
    }
}

fn is_text(parameter: SystemInfoParameter) -> bool {
    parameter >= SystemInfoParameter::FIRMWARE_VERSION
        && parameter <= SystemInfoParameter::HYPERVISOR_URL
}
