//! Sensors, from their records.

use std::collections::BTreeMap;

use async_trait::async_trait;
use bmc_core::{Error as CoreError, Sensor, SensorStatus, Sensors, Severity, Thresholds};
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::time::Instant;

use super::session::{IpmiSession, without_effect};
use crate::device;
use crate::error::Error;
use crate::record;
use crate::record::sdr::{Access, SensorKey};
use crate::record::sel::Event;
use crate::record::sensor::{Availability, SensorStates};
use crate::wire::{Severity as Worst, Threshold};

/// Sensors that are asked at a time; the client's window decides how many requests that are.
const CONCURRENCY: usize = 8;

#[async_trait]
impl Sensors for IpmiSession {
    /// What only generates events is left out: it cannot be read.
    async fn sensors(&self) -> Result<Vec<Sensor>, CoreError> {
        let deadline = self.sweep_deadline();
        let cache = &self.setup().sdr_cache;
        let found = device::Sensors::discover(self.client(), cache, deadline).await;
        let device = found.map_err(without_effect)?;
        let mut readings = Vec::new();
        for sensor in device.list() {
            if !sensor.is_event_only {
                readings.push(read(&device, sensor, deadline));
            }
        }
        let readings = stream::iter(readings).buffered(CONCURRENCY);
        readings.try_collect().await.map_err(without_effect)
    }
}

async fn read(
    device: &device::Sensors,
    sensor: &record::Sensor,
    deadline: Instant,
) -> Result<Sensor, Error> {
    let seen = device.read(sensor, deadline).await?;
    let values = match sensor.threshold_access {
        Access::None | Access::Fixed => BTreeMap::new(),
        _ if seen.availability == Availability::NotReadable => BTreeMap::new(),
        _ => match device.thresholds(sensor, deadline).await {
            Ok(values) => values,
            Err(Error::Completion { .. } | Error::Bridge { .. }) => BTreeMap::new(),
            Err(error) => return Err(error),
        },
    };
    let is_discrete = matches!(seen.states, SensorStates::Discrete(_));
    let unit = sensor.units.to_string();
    Ok(Sensor {
        id: id(sensor.key),
        name: sensor.name.clone(),
        kind: sensor.sensor_type.to_string(),
        entity: Some(format!("{} {}", sensor.entity.id, sensor.entity.number())),
        value: seen.value.filter(|value| value.is_finite()),
        unit: (sensor.analog.is_some() && !unit.is_empty()).then_some(unit),
        states: if is_discrete {
            seen.state_names(sensor)
        } else {
            Vec::new()
        },
        status: status(sensor, &seen),
        thresholds: thresholds(&values),
    })
}

/// The number, and the owner if that is not the BMC itself.
pub(super) fn id(key: SensorKey) -> String {
    let SensorKey {
        owner,
        channel,
        lun,
        number,
    } = key;
    match key == SensorKey::bmc(number) {
        true => format!("{number:02x}"),
        false => format!("{number:02x}@{owner:02x}.{channel}.{lun}"),
    }
}

fn status(sensor: &record::Sensor, seen: &record::sensor::SensorStatus) -> SensorStatus {
    if seen.availability != Availability::Available {
        return SensorStatus::Unavailable;
    }
    match seen.states {
        SensorStates::Thresholds(_) => match seen.severity() {
            Worst::Ok => SensorStatus::Ok,
            Worst::NonCritical => SensorStatus::NonCritical,
            Worst::Critical => SensorStatus::Critical,
            Worst::NonRecoverable => SensorStatus::NonRecoverable,
        },
        SensorStates::Discrete(bits) => match worst_state(sensor, bits) {
            Some(Severity::NonCritical) => SensorStatus::NonCritical,
            Some(Severity::Critical) => SensorStatus::Critical,
            Some(Severity::NonRecoverable) => SensorStatus::NonRecoverable,
            _ => SensorStatus::Ok,
        },
    }
}

/// A state is as bad as an event that says that it began.
fn worst_state(sensor: &record::Sensor, bits: u16) -> Option<Severity> {
    let holding = (0..15u8).filter(|offset| bits & 1 << offset != 0);
    let severities = holding.filter_map(|offset| {
        let began = Event {
            sensor_type: sensor.sensor_type,
            sensor_number: sensor.key.number,
            deassertion: false,
            event_type: sensor.event_type,
            data: [offset, 0xff, 0xff],
        };
        began.severity()
    });
    severities.max()
}

fn thresholds(values: &BTreeMap<Threshold, f64>) -> Thresholds {
    let value = |threshold| {
        values
            .get(&threshold)
            .copied()
            .filter(|value| value.is_finite())
    };
    Thresholds {
        lower_non_recoverable: value(Threshold::LowerNonRecoverable),
        lower_critical: value(Threshold::LowerCritical),
        lower_non_critical: value(Threshold::LowerNonCritical),
        upper_non_critical: value(Threshold::UpperNonCritical),
        upper_critical: value(Threshold::UpperCritical),
        upper_non_recoverable: value(Threshold::UpperNonRecoverable),
    }
}
