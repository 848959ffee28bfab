//! What a log needs to know of the sensors that it names.

use super::Generator;

/// Knows sensors by the numbers that events carry. The SDR repository does.
pub trait SensorLookup {
    /// The sensor's name.
    fn name(&self, generator: Generator, sensor: u8) -> Option<String>;

    /// A raw reading or threshold of the sensor with its unit.
    fn reading(&self, generator: Generator, sensor: u8, raw: u8) -> Option<String>;
}

/// Knows no sensor.
impl SensorLookup for () {
    fn name(&self, _: Generator, _: u8) -> Option<String> {
        None
    }

    fn reading(&self, _: Generator, _: u8, _: u8) -> Option<String> {
        None
    }
}
