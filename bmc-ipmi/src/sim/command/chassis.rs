//! Chassis commands.

use crate::codec::Wire;
use crate::command::{
    ChassisCapabilities, ChassisControl, ChassisIdentify, ChassisStatus, GetChassisCapabilities,
    GetChassisStatus, GetPohCounter, GetSystemBootOptions, GetSystemRestartCause, PohCounter,
    PowerRestorePolicies, SetFrontPanelEnables, SetPowerCycleInterval, SetPowerRestorePolicy,
    SetSystemBootOptions, SystemBootOptions, SystemRestartCause,
};
use crate::sim::dispatch::Call;
use crate::sim::{LAN_CHANNEL, Sim, SimIdentifyLight};
use crate::wire::CompletionCode;
use crate::wire::lan::BMC_ADDRESS;

/// Bits of Chassis Status: each button of the front panel can be disabled.
const CAN_BE_DISABLED: u8 = 0xf0;

impl Sim {
    pub(in crate::sim) fn chassis_status(
        &mut self,
        call: Call,
        _: GetChassisStatus,
    ) -> Result<ChassisStatus, CompletionCode> {
        let on = self.machine(call.now).power();
        let buttons = self.machine.disabled_buttons().to_bytes();
        Ok(ChassisStatus {
            power: self.machine.power_restore_policy().value() << 5 | u8::from(on),
            last_event: if on { 0x10 } else { 0 },
            misc: ChassisStatus::IDENTIFY_VALID
                | match self.machine.identify(call.now) {
                    SimIdentifyLight::Off => 0,
                    SimIdentifyLight::Until(_) => ChassisStatus::IDENTIFY_TIMED,
                    SimIdentifyLight::On => ChassisStatus::IDENTIFY_ON,
                },
            front_panel: buttons.first().map(|buttons| CAN_BE_DISABLED | buttons),
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
            option: self
                .machine(call.now)
                .boot_option(command.parameter, command.set)?,
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

    pub(in crate::sim) fn chassis_capabilities(
        &mut self,
        _: Call,
        _: GetChassisCapabilities,
    ) -> Result<ChassisCapabilities, CompletionCode> {
        Ok(ChassisCapabilities {
            diagnostic_interrupt: true,
            front_panel_lockout: true,
            fru_address: BMC_ADDRESS,
            sdr_address: BMC_ADDRESS,
            sel_address: BMC_ADDRESS,
            management_address: BMC_ADDRESS,
            ..ChassisCapabilities::default()
        })
    }

    pub(in crate::sim) fn set_power_restore_policy(
        &mut self,
        call: Call,
        command: SetPowerRestorePolicy,
    ) -> Result<PowerRestorePolicies, CompletionCode> {
        if !call.ignore {
            self.machine.set_policy(command.0)?;
        }
        Ok(PowerRestorePolicies::ALL)
    }

    pub(in crate::sim) fn set_front_panel_enables(
        &mut self,
        call: Call,
        command: SetFrontPanelEnables,
    ) -> Result<(), CompletionCode> {
        if !call.ignore {
            self.machine.set_buttons(command);
        }
        Ok(())
    }

    pub(in crate::sim) fn set_power_cycle_interval(
        &mut self,
        call: Call,
        command: SetPowerCycleInterval,
    ) -> Result<(), CompletionCode> {
        if !call.ignore {
            self.machine.set_cycle_interval(command.0);
        }
        Ok(())
    }

    pub(in crate::sim) fn poh_counter(
        &mut self,
        call: Call,
        _: GetPohCounter,
    ) -> Result<PohCounter, CompletionCode> {
        Ok(self.machine(call.now).poh_counter(call.now))
    }
}
