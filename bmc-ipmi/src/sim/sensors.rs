//! The sensors of a simulated BMC: what they read can be changed at any time.

use std::collections::BTreeMap;

use crate::command::{ReadingFactors, SensorHysteresis, SensorReading, SensorThresholds};
use crate::record::sdr::SdrBody;
use crate::record::{Sdr, Sensor};
use crate::wire::{CompletionCode, RawThresholds, Threshold, ThresholdMask};

/// The sensors of one controller, by LUN and number.
#[derive(Clone, Debug, Default)]
pub struct SimSensors {
    sensors: BTreeMap<(u8, u8), SimSensor>,
}

/// A sensor and what it reads.
#[derive(Clone, Debug)]
pub struct SimSensor {
    /// What it is.
    pub sensor: Sensor,
    /// Raw reading.
    pub raw: u8,
    /// States of a sensor without thresholds, offset 0 in bit 0.
    pub states: u16,
    /// Whether it is being scanned.
    pub scanning: bool,
    /// Whether it generates events.
    pub events: bool,
    /// Whether there is no reading.
    pub unavailable: bool,
    /// Reading it ends with this code.
    pub refusal: Option<CompletionCode>,
    /// Thresholds, raw.
    pub thresholds: RawThresholds,
    /// Hysteresis, raw.
    pub hysteresis: SensorHysteresis,
    /// Factors of a non-linear sensor: each entry holds from its raw reading up to the next entry.
    pub factors: BTreeMap<u8, ReadingFactors>,
}

impl SimSensors {
    /// The sensors of `records` that the controller with this slave address owns.
    pub(super) fn new(address: u8, records: &[Sdr], states: &BTreeMap<u8, u16>) -> Self {
        let mut sensors = BTreeMap::new();
        for record in records {
            let hysteresis = match &record.body {
                SdrBody::Full(full) => (full.positive_hysteresis, full.negative_hysteresis),
                _ => (0, 0),
            };
            let owned = Sensor::of(record).into_iter();
            for sensor in owned.filter(|s| s.key.owner == address && !s.is_event_only) {
                let place = (sensor.key.lun, sensor.key.number);
                let states = states.get(&sensor.key.number).copied();
                let sensor = SimSensor::new(sensor, hysteresis, states.unwrap_or(0));
                sensors.insert(place, sensor);
            }
        }
        Self { sensors }
    }

    /// A sensor of LUN 0 by its number.
    pub fn get_mut(&mut self, number: u8) -> Option<&mut SimSensor> {
        self.at(0, number).ok()
    }

    /// A sensor by its name.
    pub fn named(&mut self, name: &str) -> Option<&mut SimSensor> {
        self.iter_mut().find(|sensor| sensor.sensor.name == name)
    }

    /// All sensors, by LUN and number.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut SimSensor> {
        self.sensors.values_mut()
    }

    pub(super) fn at(&mut self, lun: u8, number: u8) -> Result<&mut SimSensor, CompletionCode> {
        let found = self.sensors.get_mut(&(lun, number));
        found.ok_or(CompletionCode::NOT_PRESENT)
    }

    pub(super) fn count(&self, lun: u8) -> u8 {
        let count = self.sensors.keys().filter(|(known, _)| *known == lun);
        u8::try_from(count.count()).unwrap_or(u8::MAX)
    }
}

impl SimSensor {
    fn new(sensor: Sensor, (positive, negative): (u8, u8), states: u16) -> Self {
        let analog = sensor.analog;
        Self {
            raw: analog.map_or(0, |analog| analog.range.nominal),
            states,
            scanning: true,
            events: true,
            unavailable: false,
            refusal: None,
            thresholds: analog.map_or_else(RawThresholds::default, |analog| analog.thresholds),
            hysteresis: SensorHysteresis { positive, negative },
            factors: BTreeMap::new(),
            sensor,
        }
    }

    /// Lets it read what comes closest to `value`. `false`: it cannot.
    pub fn set_value(&mut self, value: f64) -> bool {
        let analog = self.sensor.analog;
        let raw = analog.and_then(|analog| analog.conversion.raw(value));
        self.raw = raw.unwrap_or(self.raw);
        raw.is_some()
    }

    /// The value of a raw reading.
    pub fn value_of(&self, raw: u8) -> Option<f64> {
        let conversion = self.sensor.analog?.conversion;
        match self.factors_of(raw) {
            Some((_, factors)) if conversion.needs_factors() => {
                conversion.with_factors(factors).value(raw)
            }
            _ => conversion.value(raw),
        }
    }

    pub(super) fn read(&self) -> Result<SensorReading, CompletionCode> {
        if let Some(refusal) = self.refusal {
            return Err(refusal);
        }
        let has_thresholds = self.sensor.event_type.is_threshold();
        let states = match has_thresholds {
            // Unused bits read as 1.
            true => 0xc0 | u16::from(self.beyond().bits()),
            false => self.states,
        };
        let flags = u8::from(self.events) << 7
            | u8::from(self.scanning) << 6
            | u8::from(self.unavailable) << 5;
        let reading = SensorReading::new(self.raw, states);
        Ok(SensorReading {
            flags,
            more_states: reading.more_states.filter(|_| !has_thresholds),
            ..reading
        })
    }

    pub(super) fn thresholds(&self) -> SensorThresholds {
        SensorThresholds {
            readable: self.sensor.readable_thresholds,
            raw: self.thresholds,
        }
    }

    /// The factors of a raw reading, and the next reading with others.
    pub(super) fn factors_of(&self, raw: u8) -> Option<(u8, ReadingFactors)> {
        let (_, factors) = self.factors.range(..=raw).next_back()?;
        let next = raw
            .checked_add(1)
            .and_then(|next| self.factors.range(next..).next());
        Some((next.map_or(u8::MAX, |(next, _)| *next), *factors))
    }

    /// The thresholds that the reading is at or beyond.
    fn beyond(&self) -> ThresholdMask {
        let Some(value) = self.value_of(self.raw) else {
            return ThresholdMask::default();
        };
        let is_beyond = |threshold: &Threshold| {
            let limit = self.value_of(self.thresholds.get(*threshold));
            limit.is_some_and(|limit| match threshold.is_upper() {
                true => value >= limit,
                false => value <= limit,
            })
        };
        let readable = self.sensor.readable_thresholds.iter();
        readable.filter(is_beyond).collect()
    }
}
