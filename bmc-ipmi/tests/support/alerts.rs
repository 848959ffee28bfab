//! A platform event filter and what it leads to.

use bmc_ipmi::command::{AlertPolicy, EventFilter};
use bmc_ipmi::wire::SensorType;

/// Policy 1: an alert to destination 1 on channel 1.
pub(crate) const POLICY: AlertPolicy = AlertPolicy {
    policy: 0x18,
    destination: 0x11,
    string: 0,
};

/// Whatever temperature sensor goes beyond its upper critical threshold: an alert by policy 1.
pub(crate) const FILTER: EventFilter = EventFilter {
    configuration: 0x80,
    actions: 0x01,
    policy: 1,
    severity: 0x10,
    generator: [0xff; 2],
    sensor_type: SensorType::TEMPERATURE,
    sensor_number: 0xff,
    trigger: 0x01,
    offsets: 0x0200,
    data: [[0; 3]; 3],
};
