//! How bad an event is.
//!
//! The specification gives thresholds and event type 07h a severity; for other states it is a judgement, made here only
//! where it is beyond doubt.

use bmc_core::Severity;

use crate::record::{EventType, SensorType};

use super::{Event, EventData};

const GENERIC_PREDICTIVE: u8 = 0x04;
const GENERIC_LIMIT: u8 = 0x05;
const GENERIC_PERFORMANCE: u8 = 0x06;
const GENERIC_SEVERITY: u8 = 0x07;
const GENERIC_AVAILABILITY: u8 = 0x0a;
const GENERIC_REDUNDANCY: u8 = 0x0b;

pub(super) fn of(event: &Event) -> Option<Severity> {
    let began = match event.data_2() {
        // Fh is unspecified, and so in practice is 0.
        EventData::PreviousState(data) if data >> 4 != 0x0f && data >> 4 != 0 => {
            by_offset(data >> 4)
        }
        _ => of_state(event),
    }?;
    Some(if event.deassertion {
        Severity::Ok
    } else {
        began
    })
}

fn of_state(event: &Event) -> Option<Severity> {
    let offset = event.offset();
    match event.event_type {
        EventType::THRESHOLD => match offset {
            0 | 1 | 6 | 7 => Some(Severity::NonCritical),
            2 | 3 | 8 | 9 => Some(Severity::Critical),
            4 | 5 | 10 | 11 => Some(Severity::NonRecoverable),
            _ => None,
        },
        EventType::SENSOR_SPECIFIC => sensor_specific(event.sensor_type, offset),
        other => generic(other.value(), offset),
    }
}

/// Event type 07h.
fn by_offset(offset: u8) -> Option<Severity> {
    match offset {
        0 | 7 | 8 => Some(Severity::Ok),
        1 | 4 => Some(Severity::NonCritical),
        2 | 5 => Some(Severity::Critical),
        3 | 6 => Some(Severity::NonRecoverable),
        _ => None,
    }
}

fn generic(event_type: u8, offset: u8) -> Option<Severity> {
    match (event_type, offset) {
        (GENERIC_SEVERITY, offset) => by_offset(offset),
        (GENERIC_PREDICTIVE | GENERIC_LIMIT | GENERIC_PERFORMANCE, 0)
        | (GENERIC_REDUNDANCY, 0)
        | (GENERIC_AVAILABILITY, 0) => Some(Severity::Ok),
        (GENERIC_PREDICTIVE | GENERIC_LIMIT | GENERIC_PERFORMANCE, 1)
        | (GENERIC_REDUNDANCY, 1..=4 | 6 | 7)
        | (GENERIC_AVAILABILITY, 6) => Some(Severity::NonCritical),
        (GENERIC_REDUNDANCY, 5) | (GENERIC_AVAILABILITY, 8) => Some(Severity::Critical),
        _ => None,
    }
}

fn sensor_specific(sensor_type: SensorType, offset: u8) -> Option<Severity> {
    let (ok, non_critical, critical): (&[u8], &[u8], &[u8]) = match sensor_type {
        SensorType::PHYSICAL_SECURITY => (&[], &[4, 5], &[0, 1, 2, 3, 6]),
        SensorType::PLATFORM_SECURITY => (&[], &[0, 1, 2, 3, 4, 5], &[]),
        SensorType::PROCESSOR => (&[7], &[8, 10, 12], &[0, 1, 2, 3, 4, 5, 6, 11]),
        SensorType::POWER_SUPPLY => (&[0], &[2, 5, 7], &[1, 3, 4, 6]),
        SensorType::POWER_UNIT => (&[], &[7], &[2, 3, 4, 5, 6]),
        SensorType::MEMORY => (&[6], &[0, 4, 5, 9], &[1, 2, 3, 7, 10]),
        SensorType::DRIVE_SLOT => (&[0, 3], &[2, 4, 7], &[1, 5, 6, 8]),
        SensorType::SYSTEM_FIRMWARE_PROGRESS => (&[2], &[], &[0, 1]),
        SensorType::EVENT_LOGGING_DISABLED => (&[2], &[0, 1, 3, 5], &[4]),
        SensorType::WATCHDOG_1 => (&[], &[6, 7], &[0, 1, 2, 3, 4, 5]),
        SensorType::WATCHDOG_2 => (&[], &[0, 8], &[1, 2, 3]),
        SensorType::SYSTEM_EVENT => (&[0, 1, 3, 5], &[], &[2]),
        SensorType::CRITICAL_INTERRUPT => (&[], &[7, 11], &[0, 1, 2, 3, 4, 5, 6, 8, 9, 10]),
        SensorType::CHIP_SET => (&[], &[], &[0, 1]),
        SensorType::CABLE => (&[0], &[], &[1]),
        SensorType::BOOT_ERROR => (&[], &[1, 2, 4], &[0, 3]),
        SensorType::OS_STOP => (&[2, 3], &[], &[0, 1, 5]),
        SensorType::OS_BOOT => (&[0, 1, 2, 3, 4, 5, 6, 7, 8], &[9], &[10]),
        SensorType::SYSTEM_BOOT => (&[0, 1, 2, 3, 4, 5, 6, 7], &[], &[]),
        SensorType::SLOT => (&[1, 2, 3, 4], &[], &[0]),
        SensorType::LAN => (&[1], &[0], &[]),
        SensorType::MANAGEMENT_HEALTH => (&[], &[0, 1], &[2, 3, 4, 5]),
        SensorType::BATTERY => (&[2], &[0], &[1]),
        SensorType::SESSION_AUDIT => (&[0, 1], &[2, 3], &[]),
        SensorType::VERSION_CHANGE => (&[0, 1, 6, 7], &[], &[2, 3, 4, 5]),
        SensorType::FRU_STATE => (&[4], &[], &[7]),
        _ => return None,
    };
    [
        (ok, Severity::Ok),
        (non_critical, Severity::NonCritical),
        (critical, Severity::Critical),
    ]
    .into_iter()
    .find_map(|(offsets, severity)| offsets.contains(&offset).then_some(severity))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::codec::Wire;

    #[test]
    fn what_the_event_says_comes_first() {
        let severity = |bytes: [u8; 6]| Event::from_bytes(&bytes).unwrap().severity();
        // A drive fault, of which the event says: non-recoverable, from present.
        assert_eq!(
            severity([0x0d, 1, 0x6f, 0x41, 0x30, 0xff]),
            Some(Severity::NonRecoverable)
        );
        assert_eq!(
            severity([0x0d, 1, 0x6f, 0x41, 0xf0, 0xff]),
            Some(Severity::Critical)
        );
        assert_eq!(
            severity([0x0d, 1, 0xef, 0x41, 0xf0, 0xff]),
            Some(Severity::Ok)
        );
        assert_eq!(
            severity([0x08, 1, 0x0b, 0x05, 0xff, 0xff]),
            Some(Severity::Critical)
        );
        assert_eq!(severity([0x08, 1, 0x03, 0x01, 0xff, 0xff]), None);
    }
}
