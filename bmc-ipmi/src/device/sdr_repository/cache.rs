//! Records that were read before.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::spawn_blocking;

use crate::device::sdr_repository::cache_file;
use crate::record::Sdr;

/// Keeps sensor data records of any number of BMCs, in memory and if wanted in a directory. Clones share it.
///
/// What is kept belongs to the [`Endpoint`](bmc_core::Endpoint) that the user has named, and to the target behind it:
/// no BMC gets at the records of another one, whatever it says of itself, and boards that share a GUID are told apart.
/// A name with several addresses is one BMC.
///
/// What is kept counts only while the BMC tells the same GUID, device ID, manufacturer, product and firmware, and its
/// repository the same number of records and times of the last change.
#[derive(Clone)]
pub struct SdrCache {
    memory: Arc<Mutex<Memory>>,
    directory: Option<Arc<Path>>,
    limit: usize,
}

/// Whose records, and which.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct CacheKey {
    /// Tells BMCs apart: nothing that a BMC says of itself.
    pub(super) identity: Vec<u8>,
    /// Tells states of one BMC apart.
    pub(super) stamp: Vec<u8>,
}

#[derive(Default)]
struct Memory {
    entries: BTreeMap<Vec<u8>, Entry>,
    /// Records of all entries.
    records: usize,
    /// Counts uses.
    clock: u64,
}

struct Entry {
    stamp: Vec<u8>,
    records: Arc<[Sdr]>,
    used: u64,
}

/// Records for each BMC that may be kept. Few BMCs have as many.
const RECORDS_PER_BMC: usize = 256;

impl SdrCache {
    /// As many BMCs are kept unless a [limit](Self::limited_to) says otherwise.
    pub const LIMIT: usize = 4096;

    /// A cache that ends with the process.
    pub fn in_memory() -> Self {
        Self {
            memory: Arc::default(),
            directory: None,
            limit: Self::LIMIT,
        }
    }

    /// A cache with a file for each BMC in `directory`, which must exist.
    ///
    /// A file that cannot be read or that is damaged counts as none. One that cannot be written is logged.
    pub fn in_directory(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: Some(directory.into().into()),
            ..Self::in_memory()
        }
    }

    /// Keeps the records of `bmcs` BMCs at most, and no more than 256 times as many records; in the directory no more
    /// than 64 KiB times as many bytes. What was not used for longest makes room, of files what was written first.
    #[must_use]
    pub fn limited_to(self, bmcs: usize) -> Self {
        Self {
            limit: bmcs.max(1),
            ..self
        }
    }

    pub(super) async fn get(&self, key: &CacheKey) -> Option<Arc<[Sdr]>> {
        if let Some((stamp, records)) = self.lock().recall(&key.identity) {
            return (stamp == key.stamp).then_some(records);
        }
        let (directory, wanted) = (self.directory.clone()?, key.clone());
        let read = spawn_blocking(move || cache_file::read(&directory, &wanted)).await;
        let records: Arc<[Sdr]> = read.ok()??.into();
        self.lock().keep(key.clone(), &records, self.limit);
        Some(records)
    }

    pub(super) async fn put(&self, key: CacheKey, records: &Arc<[Sdr]>) {
        self.lock().keep(key.clone(), records, self.limit);
        let Some(directory) = self.directory.clone() else {
            return;
        };
        let (records, limit) = (Arc::clone(records), self.limit);
        let write = spawn_blocking(move || cache_file::write(&directory, &key, &records, limit));
        if let Ok(Err(error)) = write.await {
            tracing::warn!(%error, "cannot write a file of the SDR cache");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn recall(&mut self, identity: &[u8]) -> Option<(Vec<u8>, Arc<[Sdr]>)> {
        self.clock += 1;
        let entry = self.entries.get_mut(identity)?;
        entry.used = self.clock;
        Some((entry.stamp.clone(), Arc::clone(&entry.records)))
    }

    fn keep(&mut self, key: CacheKey, records: &Arc<[Sdr]>, limit: usize) {
        self.clock += 1;
        self.forget(&key.identity);
        let entry = Entry {
            stamp: key.stamp,
            records: Arc::clone(records),
            used: self.clock,
        };
        self.records += records.len();
        self.entries.insert(key.identity, entry);
        while self.entries.len() > limit
            || self.records > limit.saturating_mul(RECORDS_PER_BMC) && self.entries.len() > 1
        {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(identity, _)| identity.clone()) else {
                return;
            };
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, identity: &[u8]) {
        if let Some(entry) = self.entries.remove(identity) {
            self.records -= entry.records.len();
        }
    }
}

impl fmt::Debug for SdrCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SdrCache")
            .field("bmcs", &self.lock().entries.len())
            .field("limit", &self.limit)
            .field("directory", &self.directory)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sdr::{SdrBody, SdrType};

    fn key(bmc: u8, stamp: u8) -> CacheKey {
        CacheKey {
            identity: vec![bmc],
            stamp: vec![stamp],
        }
    }

    fn records(count: u16) -> Arc<[Sdr]> {
        let body = SdrBody::Raw {
            kind: SdrType(0xfe),
            data: Vec::new(),
        };
        (0..count).map(|id| Sdr::new(id, body.clone())).collect()
    }

    #[tokio::test]
    async fn what_was_not_used_for_longest_makes_room() {
        let cache = SdrCache::in_memory().limited_to(3);
        for bmc in 0..3 {
            cache.put(key(bmc, 0), &records(1)).await;
        }
        assert!(cache.get(&key(0, 0)).await.is_some());
        cache.put(key(3, 0), &records(1)).await;
        for (bmc, is_kept) in [(0, true), (1, false), (2, true), (3, true)] {
            assert_eq!(cache.get(&key(bmc, 0)).await.is_some(), is_kept, "{bmc}");
        }
        // A BMC that changes all the time takes no place but its own.
        for stamp in 0..100 {
            cache.put(key(3, stamp), &records(1)).await;
        }
        assert!(cache.get(&key(0, 0)).await.is_some());
        assert!(cache.get(&key(2, 0)).await.is_some());
    }

    #[tokio::test]
    async fn many_records_of_one_bmc_make_others_go_and_are_counted_once() {
        let cache = SdrCache::in_memory().limited_to(3);
        cache.put(key(0, 0), &records(300)).await;
        cache.put(key(1, 0), &records(460)).await;
        cache.put(key(1, 1), &records(460)).await;
        assert!(cache.get(&key(0, 0)).await.is_some());
        cache.put(key(2, 0), &records(9)).await;
        assert!(cache.get(&key(1, 1)).await.is_none());
        assert!(cache.get(&key(0, 0)).await.is_some());
        cache.put(key(2, 0), &records(8000)).await;
        assert_eq!(cache.lock().records, 8000, "the one that is used is kept");
    }
}
