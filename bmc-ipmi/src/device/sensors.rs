//! The sensors of a BMC and of the controllers behind it, §35.

mod error_codes;
mod settings;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::stream::{self, StreamExt, TryStreamExt};
use tokio::time::Instant;

use crate::client::Client;
use crate::command::{GetSensorReading, GetSensorReadingFactors, ReadingFactors};
use crate::device::{SdrCache, SdrRepository};
use crate::error::Error;
use crate::record::sdr::SensorKey;
use crate::record::sensor::{Availability, SensorStatus};
use crate::record::{Sdr, Sensor};
use crate::target::Target;

/// Reads sensors, and changes their thresholds. Clones share what was learned.
///
/// ```no_run
/// # async fn example(client: bmc_ipmi::Client) -> Result<(), bmc_ipmi::Error> {
/// use bmc_ipmi::device::{SdrCache, Sensors};
/// use std::time::Duration;
/// use tokio::time::Instant;
///
/// let deadline = Instant::now() + Duration::from_secs(60);
/// client.set_window(8); // readings in flight at a time; for BMCs that bear it
/// let sensors = Sensors::discover(&client, &SdrCache::in_memory(), deadline).await?;
/// for (sensor, status) in sensors.list().iter().zip(sensors.sweep(deadline).await?) {
///     let value = status.value.map_or("-".to_owned(), |value| format!("{value} {}", sensor.units));
///     println!("{:<16} {value} {}", sensor.name, status.state_names(sensor).join(", "));
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Sensors {
    client: Client,
    sensors: Arc<[Sensor]>,
    factors: Arc<Mutex<BTreeMap<(SensorKey, u8), ReadingFactors>>>,
    assume_own: bool,
}

/// Readings that are asked for at a time; the client sends as many of them as its window allows.
const CONCURRENCY: usize = 8;

impl Sensors {
    /// The sensors of `records`, which the client's target keeps.
    pub fn new<'a>(client: &Client, records: impl IntoIterator<Item = &'a Sdr>) -> Self {
        Self {
            client: client.clone(),
            sensors: Sensor::all(records).into(),
            factors: Arc::default(),
            assume_own: false,
        }
    }

    /// The sensors of all records that the client's target has, from the cache if it has them.
    ///
    /// # Errors
    /// As [`SdrRepository::records`].
    pub async fn discover(
        client: &Client,
        cache: &SdrCache,
        deadline: Instant,
    ) -> Result<Self, Error> {
        let repository = SdrRepository::new(client).cached_by(cache);
        let all = repository.records(deadline).await?;
        Ok(Self::new(client, all.records.iter()))
    }

    /// Asks the client's target for all sensors, whoever their records say owns them: for BMCs whose records are
    /// wrong.
    #[must_use]
    pub fn assume_own(self, assume_own: bool) -> Self {
        Self { assume_own, ..self }
    }

    /// All sensors, in the order of their records.
    pub fn list(&self) -> &[Sensor] {
        &self.sensors
    }

    /// The first sensor with this name.
    pub fn find(&self, name: &str) -> Option<&Sensor> {
        self.sensors.iter().find(|sensor| sensor.name == name)
    }

    /// Reads one sensor.
    ///
    /// A completion code is an answer too: a status without a reading.
    ///
    /// # Errors
    /// No answer in time, or the privilege is not enough.
    pub async fn read(&self, sensor: &Sensor, deadline: Instant) -> Result<SensorStatus, Error> {
        let Some(client) = self.owner(sensor) else {
            let availability = Availability::NotReadable;
            return Ok(SensorStatus::without_reading(sensor, availability));
        };
        let number = sensor.key.number;
        let reading = match client.execute(&GetSensorReading { number }, deadline).await {
            Ok(reading) => reading,
            Err(error) => {
                let code = error_codes::no_reading(error)?;
                let availability = Availability::Refused(code);
                return Ok(SensorStatus::without_reading(sensor, availability));
            }
        };
        let is_curved = sensor.analog.is_some_and(|a| a.conversion.needs_factors());
        let factors = match is_curved {
            true => self.factors(&client, sensor, reading.raw, deadline).await?,
            false => None,
        };
        Ok(sensor.status(&reading, factors))
    }

    /// Reads all sensors, several at a time if the [client's window](Client::set_window) allows; in the order of
    /// [`list`](Self::list).
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn sweep(&self, deadline: Instant) -> Result<Vec<SensorStatus>, Error> {
        let readings = (0..self.sensors.len()).map(|index| self.read_nth(index, deadline));
        let readings = stream::iter(readings).buffered(CONCURRENCY);
        readings.try_collect().await
    }

    async fn read_nth(&self, index: usize, deadline: Instant) -> Result<SensorStatus, Error> {
        match self.sensors.get(index) {
            Some(sensor) => self.read(sensor, deadline).await,
            None => Err(Error::Closed),
        }
    }

    /// The factors of a raw reading of a non-linear sensor; they never change.
    async fn factors(
        &self,
        client: &Client,
        sensor: &Sensor,
        raw: u8,
        deadline: Instant,
    ) -> Result<Option<ReadingFactors>, Error> {
        let place = (sensor.key, raw);
        let known = self.factors.lock();
        let known = known
            .unwrap_or_else(PoisonError::into_inner)
            .get(&place)
            .copied();
        if known.is_some() {
            return Ok(known);
        }
        let number = sensor.key.number;
        let command = GetSensorReadingFactors { number, raw };
        match client.execute(&command, deadline).await {
            Ok(response) => {
                let known = self.factors.lock();
                let mut known = known.unwrap_or_else(PoisonError::into_inner);
                known.insert(place, response.factors);
                Ok(Some(response.factors))
            }
            Err(error) => error_codes::no_reading(error).map(|_| None),
        }
    }

    /// The controller that has the sensor; `None` if it cannot be asked.
    fn owner(&self, sensor: &Sensor) -> Option<Client> {
        if sensor.is_event_only {
            return None;
        }
        let SensorKey {
            owner,
            channel,
            lun,
            ..
        } = sensor.key;
        let here = self.client.target();
        let is_own = self.assume_own || owner == SensorKey::BMC || here.bridge().is_some();
        let target = match is_own {
            true => here,
            false => Target::satellite(channel, owner).ok()?,
        };
        Some(self.client.at(target.at_lun(lun).ok()?))
    }
}
