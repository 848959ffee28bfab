//! The sensor data records of a BMC or of a controller behind it, §33 and §35.

mod cache;
mod cache_file;
mod walk;

use std::sync::Arc;

use futures_util::future::join3;
use tokio::time::Instant;

use crate::client::Client;
use crate::codec::Wire;
use crate::command::{
    DeviceId, GetDeviceGuid, GetDeviceId, GetDeviceSdrInfo, GetSdrRepositoryInfo, Guid,
    SdrRepositoryInfo,
};
use crate::error::Error;
use crate::record::Sdr;
use crate::wire::CompletionCode;

pub use cache::SdrCache;

use cache::CacheKey;
use walk::{Source, Walk};

/// Reads all sensor data records, from the SDR repository or, without one, from the controller's device SDRs.
///
/// ```no_run
/// # async fn example(client: bmc_ipmi::Client) -> Result<(), bmc_ipmi::Error> {
/// use bmc_ipmi::device::{SdrCache, SdrRepository};
/// use std::time::Duration;
/// use tokio::time::Instant;
///
/// let cache = SdrCache::in_memory(); // share it: it serves any number of BMCs
/// let repository = SdrRepository::new(&client).cached_by(&cache);
/// let all = repository.records(Instant::now() + Duration::from_secs(60)).await?;
/// for record in all.records.iter() {
///     println!("{:04x} {} {}", record.id, record.body.kind(), record.body.name().unwrap_or_default());
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct SdrRepository {
    client: Client,
    cache: Option<SdrCache>,
}

/// The records of a controller.
#[derive(Clone, Debug)]
pub struct SdrRecords {
    /// The records, in the order of the BMC.
    pub records: Arc<[Sdr]>,
    /// `false`: the BMC's answers led in a circle, or to a record that it does not have.
    pub is_complete: bool,
    /// Whether the cache had them.
    pub is_cached: bool,
}

/// A walk that found the repository changed under it begins again, so often.
const WALKS: u32 = 3;

impl SdrRepository {
    /// The records of the client's target.
    pub fn new(client: &Client) -> Self {
        Self {
            client: client.clone(),
            cache: None,
        }
    }

    /// Asks `cache` first, and keeps there what was read.
    #[must_use]
    pub fn cached_by(self, cache: &SdrCache) -> Self {
        Self {
            cache: Some(cache.clone()),
            ..self
        }
    }

    /// How full the repository is and when it changed.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn info(&self, deadline: Instant) -> Result<SdrRepositoryInfo, Error> {
        self.client.execute(&GetSdrRepositoryInfo, deadline).await
    }

    /// All records. A controller that says that it has none has none.
    ///
    /// What the BMC lies about, such as counts, lengths and the order of records, is not believed: every walk ends.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn records(&self, deadline: Instant) -> Result<SdrRecords, Error> {
        // Most have a repository: asking it at once saves a round trip.
        let (device, guid, stamp) = join3(
            self.client.execute(&GetDeviceId, deadline),
            self.guid(deadline),
            self.stamp(Source::Repository, deadline),
        )
        .await;
        let (device, guid) = (device?, guid?);
        let Some(source) = Source::of(&device) else {
            return Ok(SdrRecords {
                records: Arc::new([]),
                is_complete: true,
                is_cached: false,
            });
        };
        let mut stamp = match source {
            Source::Repository => stamp?,
            Source::Device => self.stamp(source, deadline).await?,
        };
        let mut walks = 0;
        loop {
            let key = self.key(&device, guid, stamp.as_ref());
            if let Some(records) = self.look_up(key.as_ref()).await {
                return Ok(SdrRecords {
                    records,
                    is_complete: true,
                    is_cached: true,
                });
            }
            let found = Walk::new(&self.client, source, deadline).records().await?;
            walks += 1;
            let (Some(cache), Some(key)) = (&self.cache, key) else {
                return Ok(found);
            };
            let now = self.stamp(source, deadline).await?;
            if found.is_complete && now == stamp {
                cache.put(key, &found.records).await;
                return Ok(found);
            }
            if now == stamp || walks == WALKS {
                return Ok(found);
            }
            stamp = now;
        }
    }

    /// What changes whenever the records do; `None` if the controller does not tell.
    async fn stamp(&self, source: Source, deadline: Instant) -> Result<Option<Vec<u8>>, Error> {
        if self.cache.is_none() {
            return Ok(None);
        }
        let stamp = match source {
            Source::Repository => {
                let info = self.client.execute(&GetSdrRepositoryInfo, deadline).await;
                info.map(|info| SdrRepositoryInfo { free: 0, ..info }.to_bytes())
            }
            Source::Device => {
                let records = GetDeviceSdrInfo { records: true };
                let info = self.client.execute(&records, deadline).await;
                info.map(|info| info.to_bytes())
            }
        };
        match stamp {
            Ok(stamp) => Ok(Some(stamp)),
            Err(error) if error.completion().is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The GUID of the BMC, if it tells one and somebody needs it.
    async fn guid(&self, deadline: Instant) -> Result<Option<Guid>, Error> {
        if self.cache.is_none() {
            return Ok(None);
        }
        match self.client.execute(&GetDeviceGuid, deadline).await {
            Ok(guid) => Ok(Some(guid)),
            Err(error) if error.completion().is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn key(
        &self,
        device: &DeviceId,
        guid: Option<Guid>,
        stamp: Option<&Vec<u8>>,
    ) -> Option<CacheKey> {
        let identity = format!("{} at {}", self.client.target(), self.client.endpoint());
        let mut state = device.to_bytes();
        // A GUID has another length than none.
        state.extend(guid.into_iter().flat_map(|Guid(bytes)| bytes));
        state.extend(stamp?);
        Some(CacheKey {
            identity: identity.into_bytes(),
            stamp: state,
        })
    }

    async fn look_up(&self, key: Option<&CacheKey>) -> Option<Arc<[Sdr]>> {
        self.cache.as_ref()?.get(key?).await
    }
}

/// Whether a code says that there is no such record.
fn is_absent(code: CompletionCode) -> bool {
    matches!(
        code,
        CompletionCode::NOT_PRESENT
            | CompletionCode::ILLEGAL_FOR_SENSOR
            | CompletionCode::OUT_OF_RANGE
    )
}
