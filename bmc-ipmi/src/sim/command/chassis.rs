//! Chassis commands.

use crate::command::{
    ChassisControl, ChassisStatus, GetChassisStatus, GetSystemBootOptions, SetSystemBootOptions,
    SystemBootOptions,
};
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn chassis_status(
        &mut self,
        call: Call,
        _: GetChassisStatus,
    ) -> Result<ChassisStatus, CompletionCode> {
        let on = self.machine(call.now).power();
        Ok(ChassisStatus {
            // Restore policy "unknown"; there is no mains to lose.
            power: 0x60 | u8::from(on),
            last_event: if on { 0x10 } else { 0 },
            misc: 0,
            front_panel: None,
        })
    }

    pub(in crate::sim) fn chassis_control(
        &mut self,
        call: Call,
        command: ChassisControl,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.machine.control(call.now, command)
    }

    pub(in crate::sim) fn set_boot_options(
        &mut self,
        call: Call,
        command: SetSystemBootOptions,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.machine.set_boot_option(call.now, &command.option)
    }

    pub(in crate::sim) fn boot_options(
        &mut self,
        call: Call,
        command: GetSystemBootOptions,
    ) -> Result<SystemBootOptions, CompletionCode> {
        Ok(SystemBootOptions {
            version: 1,
            locked: false,
            option: self.machine(call.now).boot_option(command.parameter)?,
        })
    }
}
