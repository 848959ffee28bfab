//! Sensor commands.

use crate::command::{
    GetSensorEventEnable, GetSensorEventStatus, GetSensorHysteresis, GetSensorReading,
    GetSensorReadingFactors, GetSensorThresholds, GetSensorType, SensorEventMasks,
    SensorEventStatus, SensorHysteresis, SensorReading, SensorReadingFactors, SensorThresholds,
    SensorTypes, SetSensorHysteresis, SetSensorThresholds,
};
use crate::record::sdr::Access;
use crate::sim::Sim;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn sensor_reading(
        &mut self,
        call: Call,
        command: GetSensorReading,
    ) -> Result<SensorReading, CompletionCode> {
        self.sensors.at(call.lun, command.number)?.read()
    }

    pub(in crate::sim) fn sensor_type(
        &mut self,
        call: Call,
        command: GetSensorType,
    ) -> Result<SensorTypes, CompletionCode> {
        let sensor = &self.sensors.at(call.lun, command.number)?.sensor;
        Ok(SensorTypes {
            sensor_type: sensor.sensor_type,
            event_type: sensor.event_type,
        })
    }

    pub(in crate::sim) fn sensor_reading_factors(
        &mut self,
        call: Call,
        command: GetSensorReadingFactors,
    ) -> Result<SensorReadingFactors, CompletionCode> {
        let sensor = self.sensors.at(call.lun, command.number)?;
        let found = sensor.factors_of(command.raw);
        let (next, factors) = found.ok_or(CompletionCode::ILLEGAL_FOR_SENSOR)?;
        Ok(SensorReadingFactors { next, factors })
    }

    pub(in crate::sim) fn sensor_hysteresis(
        &mut self,
        call: Call,
        command: GetSensorHysteresis,
    ) -> Result<SensorHysteresis, CompletionCode> {
        let sensor = self.sensors.at(call.lun, command.number)?;
        match sensor.sensor.hysteresis_access {
            Access::Readable | Access::Settable => Ok(sensor.hysteresis),
            Access::None | Access::Fixed => Err(CompletionCode::ILLEGAL_FOR_SENSOR),
        }
    }

    pub(in crate::sim) fn set_sensor_hysteresis(
        &mut self,
        call: Call,
        command: SetSensorHysteresis,
    ) -> Result<(), CompletionCode> {
        let sensor = self.sensors.at(call.lun, command.number)?;
        if sensor.sensor.hysteresis_access != Access::Settable {
            return Err(CompletionCode::ILLEGAL_FOR_SENSOR);
        }
        if !call.ignore {
            sensor.hysteresis = command.hysteresis;
        }
        Ok(())
    }

    pub(in crate::sim) fn sensor_thresholds(
        &mut self,
        call: Call,
        command: GetSensorThresholds,
    ) -> Result<SensorThresholds, CompletionCode> {
        let sensor = self.sensors.at(call.lun, command.number)?;
        match sensor.sensor.threshold_access {
            Access::Readable | Access::Settable => Ok(sensor.thresholds()),
            Access::None | Access::Fixed => Err(CompletionCode::ILLEGAL_FOR_SENSOR),
        }
    }

    pub(in crate::sim) fn set_sensor_thresholds(
        &mut self,
        call: Call,
        command: SetSensorThresholds,
    ) -> Result<(), CompletionCode> {
        let sensor = self.sensors.at(call.lun, command.number)?;
        let settable = sensor.sensor.settable_thresholds;
        if command.mask.bits() & !settable.bits() != 0 {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        if !call.ignore {
            for threshold in command.mask.iter() {
                sensor.thresholds.set(threshold, command.raw.get(threshold));
            }
        }
        Ok(())
    }

    pub(in crate::sim) fn sensor_event_enable(
        &mut self,
        call: Call,
        command: GetSensorEventEnable,
    ) -> Result<SensorEventMasks, CompletionCode> {
        let sensor = self.sensors.at(call.lun, command.number)?;
        Ok(SensorEventMasks {
            flags: u8::from(sensor.events) << 7 | u8::from(sensor.scanning) << 6,
            assertion: Some(sensor.sensor.assertion_mask),
            deassertion: Some(sensor.sensor.deassertion_mask),
        })
    }

    pub(in crate::sim) fn sensor_event_status(
        &mut self,
        call: Call,
        command: GetSensorEventStatus,
    ) -> Result<SensorEventStatus, CompletionCode> {
        let reading = self.sensors.at(call.lun, command.number)?.read()?;
        Ok(SensorEventStatus {
            flags: reading.flags,
            assertion: Some(reading.discrete_states() & 0x3f),
            deassertion: Some(0),
        })
    }
}
