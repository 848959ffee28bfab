//! The sensors of a repository as the event log asks for them.

use crate::record::sdr::SensorKey;
use crate::record::sel::{EventSource, Generator, SensorLookup};

use super::Sensor;

impl SensorLookup for &[Sensor] {
    fn name(&self, generator: Generator, sensor: u8) -> Option<String> {
        Some(find(self, generator, sensor)?.name.clone())
    }

    fn reading(&self, generator: Generator, sensor: u8, raw: u8) -> Option<String> {
        let sensor = find(self, generator, sensor)?;
        let value = sensor.analog?.conversion.value(raw)?;
        Some(format!("{value} {}", sensor.units).trim_end().to_owned())
    }
}

/// The generator names a sensor's owner as the sensor's record does; its channel may be given in one of them only.
fn find(sensors: &[Sensor], generator: Generator, number: u8) -> Option<&Sensor> {
    let is_owner = |key: SensorKey| match generator.source() {
        EventSource::Controller { address, lun, .. } => key.owner == address && key.lun == lun,
        EventSource::Software { id } => key.is_software() && key.owner >> 1 == id,
    };
    let mut found = sensors
        .iter()
        .filter(|sensor| sensor.key.number == number && is_owner(sensor.key));
    found.next()
}
