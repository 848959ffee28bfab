//! Sensor commands.

use super::*;

wire_type! {
    get_sensor_reading: GetSensorReading = any::<u8>().prop_map(|number| GetSensorReading { number });
    sensor_reading: SensorReading = any::<(u8, u8, Option<(u8, Option<u8>)>)>().prop_map(|(raw, flags, states)| {
        let (states, more_states) = (states.map(|s| s.0), states.and_then(|s| s.1));
        SensorReading { raw, flags, states, more_states }
    });
    get_sensor_type: GetSensorType = any::<u8>().prop_map(|number| GetSensorType { number });
    sensor_types: SensorTypes = any::<(u8, u8)>().prop_map(|(sensor, event)| SensorTypes {
        sensor_type: SensorType(sensor), event_type: EventType::new(event),
    });
    get_factors: GetSensorReadingFactors = any::<(u8, u8)>()
        .prop_map(|(number, raw)| GetSensorReadingFactors { number, raw });
    sensor_factors: SensorReadingFactors = (any::<u8>(), factors())
        .prop_map(|(next, factors)| SensorReadingFactors { next, factors });
    reading_factors: ReadingFactors = factors();
    get_hysteresis: GetSensorHysteresis = any::<u8>().prop_map(|number| GetSensorHysteresis { number });
    hysteresis: SensorHysteresis = hystereses();
    set_hysteresis: SetSensorHysteresis = (any::<u8>(), hystereses())
        .prop_map(|(number, hysteresis)| SetSensorHysteresis { number, hysteresis });
    get_thresholds: GetSensorThresholds = any::<u8>().prop_map(|number| GetSensorThresholds { number });
    thresholds: SensorThresholds = any::<(u8, [u8; 6])>().prop_map(|(mask, raw)| SensorThresholds {
        readable: ThresholdMask::new(mask), raw: RawThresholds(raw),
    });
    set_thresholds: SetSensorThresholds = any::<(u8, u8, [u8; 6])>().prop_map(|(number, mask, raw)| {
        SetSensorThresholds { number, mask: ThresholdMask::new(mask), raw: RawThresholds(raw) }
    });
    get_event_enable: GetSensorEventEnable = any::<u8>().prop_map(|number| GetSensorEventEnable { number });
    event_masks: SensorEventMasks = masks().prop_map(|(flags, assertion, deassertion)| {
        SensorEventMasks { flags, assertion, deassertion }
    });
    get_event_status: GetSensorEventStatus = any::<u8>().prop_map(|number| GetSensorEventStatus { number });
    event_status: SensorEventStatus = masks().prop_map(|(flags, assertion, deassertion)| {
        SensorEventStatus { flags, assertion, deassertion }
    });
}

pub(crate) fn factors() -> impl Strategy<Value = ReadingFactors> {
    let large = (-512i16..512, -512i16..512, 0u16..1024);
    let small = (-8i8..8, -8i8..8, 0u8..64, 0u8..4, 0u8..4);
    (large, small).prop_map(|((m, b, accuracy), small)| {
        let (b_exponent, r_exponent, tolerance, accuracy_exponent, direction) = small;
        ReadingFactors {
            m,
            b,
            b_exponent,
            r_exponent,
            tolerance,
            accuracy,
            accuracy_exponent,
            direction,
        }
    })
}

fn hystereses() -> impl Strategy<Value = SensorHysteresis> {
    any::<(u8, u8)>().prop_map(|(positive, negative)| SensorHysteresis { positive, negative })
}

/// Flags, and masks of which the second needs the first.
fn masks() -> impl Strategy<Value = (u8, Option<u16>, Option<u16>)> {
    any::<(u8, Option<(u16, Option<u16>)>)>()
        .prop_map(|(flags, masks)| (flags, masks.map(|m| m.0), masks.and_then(|m| m.1)))
}
