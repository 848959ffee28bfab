//! Chassis commands.

use crate::command::{
    ChassisControl, ChassisIdentify, ChassisStatus, GetChassisStatus, GetSystemBootOptions,
    GetSystemRestartCause, SetSystemBootOptions, SystemBootOptions, SystemRestartCause,
};
use crate::sim::dispatch::Call;
use crate::sim::{IdentifyLight, LAN_CHANNEL, Sim};
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
            misc: ChassisStatus::IDENTIFY_VALID
                | match self.machine.identify(call.now) {
                    IdentifyLight::Off => 0,
                    IdentifyLight::Until(_) => ChassisStatus::IDENTIFY_TIMED,
                    IdentifyLight::On => ChassisStatus::IDENTIFY_ON,
                },
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

    pub(in crate::sim) fn chassis_identify(
        &mut self,
        call: Call,
        command: ChassisIdentify,
    ) -> Result<(), CompletionCode> {
        if !call.ignore {
            self.machine.set_identify(call.now, command);
        }
        Ok(())
    }

    pub(in crate::sim) fn restart_cause(
        &mut self,
        call: Call,
        _: GetSystemRestartCause,
    ) -> Result<SystemRestartCause, CompletionCode> {
        Ok(SystemRestartCause {
            cause: self.machine(call.now).restart_cause(),
            channel: LAN_CHANNEL,
        })
    }
}
