//! DCMI commands.

mod limit;
mod text;

use crate::codec::Wire;
use crate::command::{
    DcmiAccess, DcmiController, DcmiData, DcmiDone, DcmiLog, DcmiPeriods, DcmiSensors, DcmiSupport,
    DcmiTemperatures, DcmiVersion, GetDcmiCapabilities, GetDcmiConfiguration, GetDcmiSensorInfo,
    GetDcmiTemperatures, GetPowerReading, PowerReading, SetDcmiConfiguration,
};
use crate::sim::Sim;
use crate::sim::dcmi::SimDcmi;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

/// DCMI 1.5.
const VERSION: DcmiVersion = DcmiVersion { major: 1, minor: 5 };

impl Sim {
    pub(in crate::sim) fn dcmi_capabilities(
        &mut self,
        _: Call,
        command: GetDcmiCapabilities,
    ) -> Result<DcmiData, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let data = match command.parameter {
            DcmiSupport::PARAMETER => DcmiSupport {
                platform: 1,
                access: 0x01,
            }
            .to_bytes(),
            DcmiLog::PARAMETER => DcmiLog {
                attributes: 0x8000 | 1000,
                temperature_interval: 1,
            }
            .to_bytes(),
            DcmiController::PARAMETER => DcmiController {
                address: 0x20,
                channel: 0,
            }
            .to_bytes(),
            DcmiAccess::PARAMETER => DcmiAccess {
                primary_lan: 1,
                secondary_lan: 0xff,
                serial: 0xff,
            }
            .to_bytes(),
            DcmiPeriods::PARAMETER => DcmiPeriods {
                periods: dcmi.periods.clone(),
            }
            .to_bytes(),
            _ => return Err(CompletionCode::INVALID_DATA_FIELD),
        };
        Ok(DcmiData {
            version: VERSION,
            revision: 2,
            data,
        })
    }

    pub(in crate::sim) fn power_reading(
        &mut self,
        _: Call,
        command: GetPowerReading,
    ) -> Result<PowerReading, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        match command.period {
            None => Ok(dcmi.power),
            Some(period) if dcmi.periods.contains(&period) => Ok(PowerReading {
                period: period.0.into(),
                ..dcmi.power
            }),
            Some(_) => Err(CompletionCode::INVALID_DATA_FIELD),
        }
    }

    pub(in crate::sim) fn dcmi_sensor_info(
        &mut self,
        _: Call,
        command: GetDcmiSensorInfo,
    ) -> Result<DcmiSensors, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let records = dcmi.sensors.get(&command.entity);
        let start = if dcmi.repeats_pages { 1 } else { command.start };
        let (total, records) = page(records, start);
        Ok(DcmiSensors { total, records })
    }

    pub(in crate::sim) fn dcmi_temperatures(
        &mut self,
        _: Call,
        command: GetDcmiTemperatures,
    ) -> Result<DcmiTemperatures, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let all = dcmi.temperatures.get(&command.entity);
        if command.instance != 0 {
            let one = all.map(|all| {
                let found = all.iter().filter(|t| t.instance == command.instance);
                found.copied().collect::<Vec<_>>()
            });
            let (total, temperatures) = page(one.as_ref(), 1);
            return Ok(DcmiTemperatures {
                total,
                temperatures,
            });
        }
        let start = if dcmi.repeats_pages { 1 } else { command.start };
        let (total, temperatures) = page(all, start);
        Ok(DcmiTemperatures {
            total,
            temperatures,
        })
    }

    pub(in crate::sim) fn dcmi_configuration(
        &mut self,
        _: Call,
        command: GetDcmiConfiguration,
    ) -> Result<DcmiData, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let value = dcmi.configuration.get(&command.parameter);
        Ok(DcmiData {
            version: VERSION,
            revision: 1,
            data: value.cloned().ok_or(CompletionCode::INVALID_DATA_FIELD)?,
        })
    }

    pub(in crate::sim) fn set_dcmi_configuration(
        &mut self,
        call: Call,
        command: SetDcmiConfiguration,
    ) -> Result<DcmiDone, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let value = dcmi.configuration.get_mut(&command.parameter);
        let value = value.ok_or(CompletionCode::INVALID_DATA_FIELD)?;
        if value.len() != command.data.len() {
            return Err(CompletionCode::INVALID_LENGTH);
        }
        if !call.ignore {
            *value = command.data;
        }
        Ok(DcmiDone)
    }

    fn dcmi_or_refuse(&mut self) -> Result<&mut SimDcmi, CompletionCode> {
        match self.dcmi.supported {
            true => Ok(&mut self.dcmi),
            false => Err(CompletionCode::INVALID_COMMAND),
        }
    }
}

/// Up to eight items from the one with number `start`, which counts from 1; and how many there are.
fn page<T: Clone>(items: Option<&Vec<T>>, start: u8) -> (u8, Vec<T>) {
    let items = items.map(Vec::as_slice).unwrap_or_default();
    let total = u8::try_from(items.len()).unwrap_or(u8::MAX);
    let skipped = usize::from(start.saturating_sub(1));
    (total, items.iter().skip(skipped).take(8).cloned().collect())
}
