//! What has happened to the server.

use crate::record::sel::{Event, Generator, SelBody, SystemEvent};
use crate::wire::{EventType, SensorType, Timestamp};

/// A hot inlet for an hour, and a power supply without mains for a minute.
pub(super) fn events() -> [SelBody; 4] {
    let began = 1_704_016_800_u32; // 2023-12-31T10:00:00Z, a day before the clock starts
    let hot = |seconds, deassertion| {
        let event = Event {
            sensor_type: SensorType::TEMPERATURE,
            sensor_number: 1,
            deassertion,
            event_type: EventType::THRESHOLD,
            // Upper non-critical, going high; the reading and the threshold.
            data: [0x57, 39, 38],
        };
        logged(began + seconds, event)
    };
    let without_mains = |seconds, deassertion| {
        let event = Event {
            sensor_type: SensorType::POWER_SUPPLY,
            sensor_number: 0x43,
            deassertion,
            event_type: EventType::SENSOR_SPECIFIC,
            data: [0x03, 0xff, 0xff],
        };
        logged(began + seconds, event)
    };
    [
        hot(0, false),
        hot(3600, true),
        without_mains(7200, false),
        without_mains(7260, true),
    ]
}

fn logged(time: u32, event: Event) -> SelBody {
    SelBody::System(SystemEvent {
        timestamp: Timestamp(time),
        generator: Generator([0x20, 0]),
        revision: SystemEvent::REVISION,
        event,
    })
}
