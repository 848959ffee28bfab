//! Thresholds, hysteresis and events of a sensor.

use std::collections::BTreeMap;

use tokio::time::Instant;

use crate::client::Client;
use crate::command::{
    GetSensorEventEnable, GetSensorEventStatus, GetSensorHysteresis, GetSensorThresholds,
    SensorEventMasks, SensorEventStatus, SensorHysteresis, SetSensorHysteresis,
    SetSensorThresholds,
};
use crate::device::Sensors;
use crate::error::Error;
use crate::record::Sensor;
use crate::record::reading::Conversion;
use crate::record::sdr::Access;
use crate::wire::{RawThresholds, Threshold, ThresholdMask};

impl Sensors {
    /// The thresholds that can be read, in the sensor's units.
    ///
    /// # Errors
    /// As [`Client::execute`]; [`Error::InvalidInput`] if no controller can be asked.
    pub async fn thresholds(
        &self,
        sensor: &Sensor,
        deadline: Instant,
    ) -> Result<BTreeMap<Threshold, f64>, Error> {
        let number = sensor.key.number;
        let client = self.asked(sensor)?;
        let found = client
            .execute(&GetSensorThresholds { number }, deadline)
            .await?;
        Ok(sensor.thresholds(found.readable, found.raw))
    }

    /// Changes thresholds, given in the sensor's units; others stay.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if one cannot be set or the sensor cannot read its value: then nothing was sent. Else as
    /// [`Client::execute`].
    pub async fn set_thresholds(
        &self,
        sensor: &Sensor,
        thresholds: &BTreeMap<Threshold, f64>,
        deadline: Instant,
    ) -> Result<(), Error> {
        let number = sensor.key.number;
        let conversion = conversion(sensor)?;
        let mut raw = RawThresholds::default();
        for (threshold, value) in thresholds {
            if !sensor.settable_thresholds.contains(*threshold) {
                let settable = sensor.settable_thresholds.iter().map(|one| one.to_string());
                let settable = settable.collect::<Vec<_>>().join(", ");
                return Err(invalid(format!(
                    "{threshold} of {:?} cannot be set; these can: {settable}",
                    sensor.name
                )));
            }
            raw.set(*threshold, raw_of(sensor, &conversion, *value)?);
        }
        let mask: ThresholdMask = thresholds.keys().copied().collect();
        if mask.is_empty() {
            return Ok(());
        }
        let command = SetSensorThresholds { number, mask, raw };
        self.asked(sensor)?.execute(&command, deadline).await
    }

    /// By how much a reading must come back over a threshold before it counts as back, in raw counts;
    /// [`Conversion::difference`] gives it in the sensor's units.
    ///
    /// # Errors
    /// As [`thresholds`](Self::thresholds).
    pub async fn hysteresis(
        &self,
        sensor: &Sensor,
        deadline: Instant,
    ) -> Result<SensorHysteresis, Error> {
        let number = sensor.key.number;
        let client = self.asked(sensor)?;
        client
            .execute(&GetSensorHysteresis { number }, deadline)
            .await
    }

    /// Changes the hysteresis, in raw counts.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the sensor has none that can be set: then nothing was sent. Else as
    /// [`Client::execute`].
    pub async fn set_hysteresis(
        &self,
        sensor: &Sensor,
        hysteresis: SensorHysteresis,
        deadline: Instant,
    ) -> Result<(), Error> {
        if sensor.hysteresis_access != Access::Settable {
            let name = &sensor.name;
            return Err(invalid(format!(
                "{name:?} has no hysteresis that can be set"
            )));
        }
        let number = sensor.key.number;
        let command = SetSensorHysteresis { number, hysteresis };
        self.asked(sensor)?.execute(&command, deadline).await
    }

    /// Which events the sensor generates.
    ///
    /// # Errors
    /// As [`thresholds`](Self::thresholds).
    pub async fn event_masks(
        &self,
        sensor: &Sensor,
        deadline: Instant,
    ) -> Result<SensorEventMasks, Error> {
        let number = sensor.key.number;
        let client = self.asked(sensor)?;
        client
            .execute(&GetSensorEventEnable { number }, deadline)
            .await
    }

    /// Which of its events have happened and are not yet re-armed.
    ///
    /// # Errors
    /// As [`thresholds`](Self::thresholds).
    pub async fn event_status(
        &self,
        sensor: &Sensor,
        deadline: Instant,
    ) -> Result<SensorEventStatus, Error> {
        let number = sensor.key.number;
        let client = self.asked(sensor)?;
        client
            .execute(&GetSensorEventStatus { number }, deadline)
            .await
    }

    fn asked(&self, sensor: &Sensor) -> Result<Client, Error> {
        let name = &sensor.name;
        self.owner(sensor).ok_or_else(|| {
            invalid(format!(
                "{name:?} belongs to no controller that can be asked"
            ))
        })
    }
}

fn conversion(sensor: &Sensor) -> Result<Conversion, Error> {
    let name = &sensor.name;
    let conversion = sensor.analog.map(|analog| analog.conversion);
    match conversion {
        None => Err(invalid(format!(
            "{name:?} has no analog reading, so no thresholds"
        ))),
        Some(conversion) if conversion.needs_factors() => Err(invalid(format!(
            "{name:?} is not linear: its thresholds can be set raw only, by Set Sensor Thresholds"
        ))),
        Some(conversion) => Ok(conversion),
    }
}

fn raw_of(sensor: &Sensor, conversion: &Conversion, value: f64) -> Result<u8, Error> {
    conversion.raw(value).ok_or_else(|| {
        let values = (0..=u8::MAX).filter_map(|raw| conversion.value(raw));
        let (least, most) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        let units = sensor.units;
        invalid(format!(
            "{:?} can read {least} to {most} {units}, not {value}",
            sensor.name
        ))
    })
}

fn invalid(reason: String) -> Error {
    let field = "sensor";
    Error::InvalidInput { field, reason }
}
