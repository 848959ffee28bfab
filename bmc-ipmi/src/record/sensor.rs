//! Sensors as people see them: one for each name, with readings that mean something.

mod lookup;
mod status;

use std::collections::BTreeMap;

use crate::record::reading::Conversion;
use crate::record::sdr::{
    Access, AnalogRange, CompactSensor, EventOnlySensor, FullSensor, Sdr, SdrBody,
    SensorDefinition, SensorKey,
};
use crate::record::unit::Units;
use crate::wire::{Entity, EventType, RawThresholds, SensorType, Threshold, ThresholdMask};

pub use status::{Availability, SensorStates, SensorStatus};

/// A sensor: one of those that a record describes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// The record that it is from.
    pub record_id: u16,
    /// Its name, with the number that tells it from others of the same record.
    pub name: String,
    /// Where it is.
    pub key: SensorKey,
    /// What it belongs to.
    pub entity: Entity,
    /// What it measures or watches.
    pub sensor_type: SensorType,
    /// What its states mean.
    pub event_type: EventType,
    /// Whether it only generates events and cannot be read.
    pub is_event_only: bool,
    /// What can be done with its thresholds.
    pub threshold_access: Access,
    /// What can be done with its hysteresis.
    pub hysteresis_access: Access,
    /// The thresholds that can be read.
    pub readable_thresholds: ThresholdMask,
    /// The thresholds that can be set.
    pub settable_thresholds: ThresholdMask,
    /// Which states generate an assertion event, offset 0 in bit 0.
    pub assertion_mask: u16,
    /// Which states generate a deassertion event, offset 0 in bit 0.
    pub deassertion_mask: u16,
    /// What it counts.
    pub units: Units,
    /// How its readings become values; `None` for a sensor that has states only.
    pub analog: Option<Analog>,
}

/// The analog side of a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Analog {
    /// How raw readings become values.
    pub conversion: Conversion,
    /// Usual and extreme readings, raw.
    pub range: AnalogRange,
    /// Thresholds that the BMC sets at start, raw.
    pub thresholds: RawThresholds,
}

impl Sensor {
    /// The sensors of `record`: none for other records, several where they share one.
    pub fn of(record: &Sdr) -> Vec<Self> {
        match &record.body {
            SdrBody::Full(full) => vec![Self::full(record.id, full)],
            SdrBody::Compact(compact) => Self::compact(record.id, compact),
            SdrBody::EventOnly(events) => Self::event_only(record.id, events),
            _ => Vec::new(),
        }
    }

    /// The sensors of all records, in their order.
    pub fn all<'a>(records: impl IntoIterator<Item = &'a Sdr>) -> Vec<Self> {
        records.into_iter().flat_map(Self::of).collect()
    }

    /// The values of the thresholds in `mask`, where they have one.
    pub fn thresholds(&self, mask: ThresholdMask, raw: RawThresholds) -> BTreeMap<Threshold, f64> {
        let Some(analog) = self.analog else {
            return BTreeMap::new();
        };
        let values = mask.iter().filter_map(|threshold| {
            let value = analog.conversion.value(raw.get(threshold))?;
            Some((threshold, value))
        });
        values.collect()
    }

    fn full(record_id: u16, full: &FullSensor) -> Self {
        let conversion = full.conversion();
        let has_values = conversion.needs_factors() || conversion.factors.m != 0;
        let is_analog = conversion.format.number(0).is_some() && has_values;
        Self {
            analog: is_analog.then_some(Analog {
                conversion,
                range: full.range,
                thresholds: full.thresholds,
            }),
            ..Self::defined(record_id, full.name.to_string(), &full.sensor)
        }
    }

    fn compact(record_id: u16, compact: &CompactSensor) -> Vec<Self> {
        let (sharing, sensor) = (compact.sharing, &compact.sensor);
        let indices = 0..sharing.sensors();
        let sensors = indices.map(|index| Self {
            key: shifted(sensor.key, index),
            entity: sharing.entity(sensor.entity, index),
            ..Self::defined(
                record_id,
                format!("{}{}", compact.name, sharing.suffix(index)),
                sensor,
            )
        });
        sensors.collect()
    }

    fn event_only(record_id: u16, events: &EventOnlySensor) -> Vec<Self> {
        let sharing = events.sharing;
        let indices = 0..sharing.sensors();
        let sensors = indices.map(|index| Self {
            record_id,
            name: format!("{}{}", events.name, sharing.suffix(index)),
            key: shifted(events.key, index),
            entity: sharing.entity(events.entity, index),
            sensor_type: events.sensor_type,
            event_type: events.event_type,
            is_event_only: true,
            threshold_access: Access::None,
            hysteresis_access: Access::None,
            readable_thresholds: ThresholdMask::default(),
            settable_thresholds: ThresholdMask::default(),
            assertion_mask: 0,
            deassertion_mask: 0,
            units: Units::default(),
            analog: None,
        });
        sensors.collect()
    }

    fn defined(record_id: u16, name: String, sensor: &SensorDefinition) -> Self {
        let is_threshold = sensor.event_type.is_threshold();
        Self {
            record_id,
            name,
            key: sensor.key,
            entity: sensor.entity,
            sensor_type: sensor.sensor_type,
            event_type: sensor.event_type,
            is_event_only: false,
            threshold_access: match is_threshold {
                true => sensor.capabilities.thresholds(),
                false => Access::None,
            },
            hysteresis_access: match is_threshold {
                true => sensor.capabilities.hysteresis(),
                false => Access::None,
            },
            readable_thresholds: sensor.readable_thresholds(),
            settable_thresholds: sensor.settable_thresholds(),
            assertion_mask: event_bits(sensor.assertion_mask, is_threshold),
            deassertion_mask: event_bits(sensor.deassertion_mask, is_threshold),
            units: sensor.units,
            analog: None,
        }
    }
}

fn shifted(key: SensorKey, index: u8) -> SensorKey {
    SensorKey {
        number: key.number.wrapping_add(index),
        ..key
    }
}

/// With thresholds the upper bits say something else.
fn event_bits(mask: u16, is_threshold: bool) -> u16 {
    mask & if is_threshold { 0x0fff } else { 0x7fff }
}
