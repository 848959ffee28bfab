//! Events for a log.

use bmc_ipmi::record::sel::{Event, Generator, SelBody, SystemEvent};
use bmc_ipmi::wire::{EventType, SensorType, Timestamp};

/// Temperature sensor `number` goes beyond its upper critical threshold.
pub(crate) fn too_hot(number: u8, timestamp: Timestamp) -> SelBody {
    SelBody::System(SystemEvent {
        timestamp,
        generator: Generator::BMC,
        revision: SystemEvent::REVISION,
        event: Event {
            sensor_type: SensorType::TEMPERATURE,
            sensor_number: number,
            deassertion: false,
            event_type: EventType::THRESHOLD,
            data: [0x59, 92, 90],
        },
    })
}
