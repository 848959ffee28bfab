//! Sensors and temperatures, of which the BMC gives eight at a time.

use tokio::time::Instant;

use crate::command::{DcmiTemperature, GetDcmiSensorInfo, GetDcmiTemperatures};
use crate::device::Dcmi;
use crate::error::Error;
use crate::wire::{EntityId, SensorType};

impl Dcmi {
    /// Record IDs of the temperature sensors of an entity: air inlet, processor or baseboard.
    ///
    /// # Errors
    /// As [`Client::execute`](crate::Client::execute).
    pub async fn sensors(&self, entity: EntityId, deadline: Instant) -> Result<Vec<u16>, Error> {
        let mut records = Vec::new();
        while let Some(start) = next(records.len()) {
            let command = GetDcmiSensorInfo {
                sensor_type: SensorType::TEMPERATURE,
                entity,
                instance: 0,
                start,
            };
            let page = self.client.execute(&command, deadline).await?;
            let is_new = |record: &u16| !records.contains(record);
            let fresh: Vec<_> = page.records.into_iter().filter(is_new).collect();
            let is_last = fresh.is_empty();
            records.extend(fresh);
            if is_last || records.len() >= page.total.into() {
                break;
            }
        }
        Ok(records)
    }

    /// Temperatures of an entity: air inlet, processor or baseboard.
    ///
    /// # Errors
    /// As [`Client::execute`](crate::Client::execute).
    pub async fn temperatures(
        &self,
        entity: EntityId,
        deadline: Instant,
    ) -> Result<Vec<DcmiTemperature>, Error> {
        let mut temperatures: Vec<DcmiTemperature> = Vec::new();
        while let Some(start) = next(temperatures.len()) {
            let command = GetDcmiTemperatures {
                entity,
                instance: 0,
                start,
            };
            let page = self.client.execute(&command, deadline).await?;
            let is_new = |one: &DcmiTemperature| !has_instance(&temperatures, one.instance);
            let fresh: Vec<_> = page.temperatures.into_iter().filter(is_new).collect();
            let is_last = fresh.is_empty();
            temperatures.extend(fresh);
            if is_last || temperatures.len() >= page.total.into() {
                break;
            }
        }
        Ok(temperatures)
    }
}

fn has_instance(temperatures: &[DcmiTemperature], instance: u8) -> bool {
    temperatures.iter().any(|known| known.instance == instance)
}

/// Where the next page begins, counted from 1; `None` when no more can be counted.
fn next(received: usize) -> Option<u8> {
    u8::try_from(received + 1).ok()
}
