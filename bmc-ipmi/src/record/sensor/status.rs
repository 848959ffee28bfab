//! What a sensor says at one moment.

use crate::command::ReadingFactors;
use crate::command::SensorReading;
use crate::record::sensor::Sensor;
use crate::wire::{Severity, ThresholdMask};

/// What a sensor says.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorStatus {
    /// Whether there is a reading. Without one there is no value and no state.
    pub availability: Availability,
    /// The raw reading.
    pub raw: Option<u8>,
    /// Its value, in the sensor's [`Units`](crate::record::unit::Units).
    pub value: Option<f64>,
    /// The states that hold.
    pub states: SensorStates,
    /// Whether the sensor generates events; `None` if the BMC did not answer.
    pub events_enabled: Option<bool>,
}

/// Whether a sensor has a reading.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Availability {
    /// It has.
    Available,
    /// It is not being scanned.
    ScanningDisabled,
    /// The BMC has no reading, now or of an absent entity.
    Unavailable,
    /// The BMC answers with a completion code that means no reading, or has no such sensor.
    Refused(crate::wire::CompletionCode),
    /// No controller can be asked: the sensor belongs to system software, or only generates events.
    NotReadable,
}

/// The states of a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SensorStates {
    /// The thresholds that the reading is at or beyond.
    Thresholds(ThresholdMask),
    /// One bit for each state, offset 0 to 14, that [`EventType::state`](crate::wire::EventType::state) names.
    Discrete(u16),
}

impl SensorStatus {
    /// A status without a reading.
    pub fn without_reading(sensor: &Sensor, availability: Availability) -> Self {
        Self {
            availability,
            raw: None,
            value: None,
            states: SensorStates::none(sensor),
            events_enabled: None,
        }
    }

    /// The worst threshold that the reading is beyond; states have no severity of their own.
    pub fn severity(&self) -> Severity {
        match self.states {
            SensorStates::Thresholds(mask) => mask.severity(),
            SensorStates::Discrete(_) => Severity::Ok,
        }
    }

    /// The states that hold, in words.
    pub fn state_names(&self, sensor: &Sensor) -> Vec<String> {
        match self.states {
            SensorStates::Thresholds(mask) => mask.iter().map(|each| each.to_string()).collect(),
            SensorStates::Discrete(bits) => (0..15u8)
                .filter(|offset| bits & 1 << offset != 0)
                .map(|offset| {
                    let known = sensor.event_type.state(sensor.sensor_type, offset);
                    known.map_or_else(|| format!("state {offset}"), str::to_owned)
                })
                .collect(),
        }
    }
}

impl SensorStates {
    fn none(sensor: &Sensor) -> Self {
        match sensor.event_type.is_threshold() {
            true => Self::Thresholds(ThresholdMask::default()),
            false => Self::Discrete(0),
        }
    }
}

impl Sensor {
    /// What `reading` says. `factors` are those of this very reading, which a
    /// [non-linear sensor](crate::record::reading::Conversion::needs_factors) needs.
    pub fn status(&self, reading: &SensorReading, factors: Option<ReadingFactors>) -> SensorStatus {
        let events_enabled = Some(reading.events_enabled());
        let availability = match () {
            () if reading.is_unavailable() => Availability::Unavailable,
            () if !reading.is_scanning() => Availability::ScanningDisabled,
            () => Availability::Available,
        };
        if availability != Availability::Available {
            return SensorStatus {
                events_enabled,
                ..SensorStatus::without_reading(self, availability)
            };
        }
        let value = self.analog.and_then(|analog| {
            let conversion = match factors {
                Some(factors) if analog.conversion.needs_factors() => {
                    analog.conversion.with_factors(factors)
                }
                _ => analog.conversion,
            };
            conversion.value(reading.raw)
        });
        SensorStatus {
            availability,
            raw: Some(reading.raw),
            value,
            states: match self.event_type.is_threshold() {
                true => SensorStates::Thresholds(ThresholdMask::new(reading.states.unwrap_or(0))),
                false => SensorStates::Discrete(reading.discrete_states()),
            },
            events_enabled,
        }
    }
}
