//! Records of plain sensors, from values instead of raw readings.

use crate::command::ReadingFactors;
use crate::record::reading::{AnalogFormat, Conversion, Linearization};
use crate::record::sdr::{
    AnalogRange, CompactSensor, FullSensor, SdrBody, SensorCapabilities, SensorDefinition,
    SensorKey, Sharing,
};
use crate::record::unit::{Unit, Units};
use crate::record::{Text, TextEncoding};
use crate::wire::{Entity, EventType, RawThresholds, SensorType, Threshold, ThresholdMask};

/// A linear sensor with thresholds.
pub(super) struct Numeric {
    pub(super) number: u8,
    pub(super) name: &'static str,
    pub(super) entity: Entity,
    pub(super) sensor_type: SensorType,
    pub(super) unit: Unit,
    /// M, B, K1, K2.
    pub(super) factors: (i16, i16, i8, i8),
    pub(super) is_signed: bool,
    pub(super) value: f64,
    /// Non-critical, critical, non-recoverable.
    pub(super) lower: [Option<f64>; 3],
    pub(super) upper: [Option<f64>; 3],
}

/// A sensor, or several alike, with states.
pub(super) struct Discrete {
    pub(super) number: u8,
    pub(super) name: &'static str,
    pub(super) entity: Entity,
    pub(super) sensor_type: SensorType,
    pub(super) event_type: EventType,
    pub(super) mask: u16,
    pub(super) states: u16,
    pub(super) sharing: Sharing,
}

/// Scanned, with events, from power-up on.
const INITIALIZATION: u8 = 0x7f;

impl Numeric {
    pub(super) fn record(&self) -> SdrBody {
        let (m, b, b_exponent, r_exponent) = self.factors;
        let format = match self.is_signed {
            true => AnalogFormat::TwosComplement,
            false => AnalogFormat::Unsigned,
        };
        let factors = ReadingFactors {
            m,
            b,
            b_exponent,
            r_exponent,
            ..ReadingFactors::default()
        };
        let conversion = Conversion {
            format,
            linearization: Linearization::LINEAR,
            factors,
        };
        let raw = |value| conversion.raw(value).unwrap_or(0);
        let mut thresholds = RawThresholds::default();
        let limits = self.lower.iter().chain(&self.upper);
        let present = Threshold::ALL
            .into_iter()
            .zip(limits)
            .filter_map(|(threshold, limit)| {
                thresholds.set(threshold, raw((*limit)?));
                Some(threshold)
            });
        let mask: ThresholdMask = present.collect();
        SdrBody::Full(Box::new(FullSensor {
            sensor: SensorDefinition {
                key: SensorKey::bmc(self.number),
                entity: self.entity,
                initialization: INITIALIZATION,
                // Re-arms itself; hysteresis and thresholds can be set.
                capabilities: SensorCapabilities(0x68),
                sensor_type: self.sensor_type,
                event_type: EventType::THRESHOLD,
                assertion_mask: events(mask),
                deassertion_mask: events(mask),
                reading_mask: u16::from_le_bytes([mask.bits(), mask.bits()]),
                units: Units {
                    format,
                    ..Units::of(self.unit)
                },
            },
            linearization: conversion.linearization,
            factors,
            range: AnalogRange {
                flags: 0x01,
                nominal: raw(self.value),
                normal_maximum: 0,
                normal_minimum: 0,
                maximum: if self.is_signed { 0x7f } else { 0xff },
                minimum: if self.is_signed { 0x80 } else { 0 },
            },
            thresholds,
            positive_hysteresis: 2,
            negative_hysteresis: 2,
            oem: 0,
            name: latin(self.name),
        }))
    }
}

impl Discrete {
    pub(super) fn record(&self) -> SdrBody {
        SdrBody::Compact(Box::new(CompactSensor {
            sensor: SensorDefinition {
                key: SensorKey::bmc(self.number),
                entity: self.entity,
                initialization: INITIALIZATION,
                capabilities: SensorCapabilities(0x40),
                sensor_type: self.sensor_type,
                event_type: self.event_type,
                assertion_mask: self.mask,
                deassertion_mask: self.mask,
                reading_mask: self.mask,
                units: Units {
                    format: AnalogFormat::None,
                    ..Units::default()
                },
            },
            sharing: self.sharing,
            positive_hysteresis: 0,
            negative_hysteresis: 0,
            oem: 0,
            name: latin(self.name),
        }))
    }
}

pub(super) fn latin(text: &str) -> Text {
    Text::from_bytes(TextEncoding::Latin1, text)
}

/// Lower thresholds are watched going low, upper ones going high: two bits each.
fn events(mask: ThresholdMask) -> u16 {
    let bits = mask.iter().map(|threshold| {
        let low = 2 * u16::from(threshold.bit());
        1 << (low + u16::from(threshold.is_upper()))
    });
    bits.fold(0, |all: u16, bit: u16| all | bit)
}
