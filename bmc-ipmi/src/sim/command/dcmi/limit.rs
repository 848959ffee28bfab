//! Limits of power and temperature.

use crate::codec::Wire;
use crate::command::{
    ActivatePowerLimit, DcmiDone, GetPowerLimit, GetThermalLimit, PowerLimit, PowerLimitAction,
    PowerLimitStatus, SetPowerLimit, SetThermalLimit, ThermalLimit,
};
use crate::sim::Sim;
use crate::sim::dispatch::{Call, Failure};
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn power_limit(
        &mut self,
        _: Call,
        _: GetPowerLimit,
    ) -> Result<PowerLimitStatus, Failure> {
        let dcmi = self.dcmi_or_refuse()?;
        let none = PowerLimit {
            action: PowerLimitAction::NONE,
            watts: 0,
            correction_ms: 0,
            sampling_s: 0,
        };
        let active = dcmi.limit_active;
        let limit = Some(dcmi.limit.unwrap_or(none));
        let status = PowerLimitStatus { limit, active };
        match (active, dcmi.tells_inactive_limit) {
            (true, _) => Ok(status),
            (false, true) => Err(Failure {
                code: GetPowerLimit::INACTIVE,
                data: status.to_bytes(),
            }),
            (false, false) => Err(GetPowerLimit::INACTIVE.into()),
        }
    }

    pub(in crate::sim) fn set_power_limit(
        &mut self,
        call: Call,
        command: SetPowerLimit,
    ) -> Result<DcmiDone, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        if !dcmi.limit_range.contains(&command.0.watts) {
            return Err(SetPowerLimit::LIMIT_OUT_OF_RANGE);
        }
        if !call.ignore {
            dcmi.limit = Some(command.0);
        }
        Ok(DcmiDone)
    }

    pub(in crate::sim) fn activate_power_limit(
        &mut self,
        call: Call,
        command: ActivatePowerLimit,
    ) -> Result<DcmiDone, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        if !call.ignore {
            dcmi.limit_active = command.active && dcmi.limit.is_some();
        }
        Ok(DcmiDone)
    }

    pub(in crate::sim) fn thermal_limit(
        &mut self,
        _: Call,
        command: GetThermalLimit,
    ) -> Result<ThermalLimit, CompletionCode> {
        let place = (command.entity, command.instance);
        let found = self.dcmi_or_refuse()?.thermal_limits.get(&place);
        found.copied().ok_or(CompletionCode::NOT_PRESENT)
    }

    pub(in crate::sim) fn set_thermal_limit(
        &mut self,
        call: Call,
        command: SetThermalLimit,
    ) -> Result<DcmiDone, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        if !call.ignore {
            let place = (command.entity, command.instance);
            dcmi.thermal_limits.insert(place, command.limit);
        }
        Ok(DcmiDone)
    }
}
