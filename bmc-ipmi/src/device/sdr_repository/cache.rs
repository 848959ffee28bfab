//! Records that were read before.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::spawn_blocking;

use crate::device::sdr_repository::cache_file;
use crate::record::Sdr;

/// Keeps sensor data records of any number of BMCs, in memory and if wanted in a directory.
///
/// Records are taken from it only for the BMC with the same GUID, or without one the same address, and the same device
/// ID, manufacturer, product and firmware; and only while its repository tells the same number of records and times of
/// the last change. Clones share it.
#[derive(Clone)]
pub struct SdrCache {
    memory: Arc<Mutex<BTreeMap<Vec<u8>, Entry>>>,
    directory: Option<Arc<Path>>,
}

/// Whose records, and which.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct CacheKey {
    /// Tells BMCs apart.
    pub(super) identity: Vec<u8>,
    /// Tells states of one repository apart.
    pub(super) stamp: Vec<u8>,
}

struct Entry {
    stamp: Vec<u8>,
    records: Arc<[Sdr]>,
}

impl SdrCache {
    /// A cache that ends with the process.
    pub fn in_memory() -> Self {
        Self {
            memory: Arc::default(),
            directory: None,
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

    pub(super) async fn get(&self, key: &CacheKey) -> Option<Arc<[Sdr]>> {
        if let Some(entry) = self.lock().get(&key.identity) {
            return (entry.stamp == key.stamp).then(|| Arc::clone(&entry.records));
        }
        let (directory, wanted) = (self.directory.clone()?, key.clone());
        let read = spawn_blocking(move || cache_file::read(&directory, &wanted)).await;
        let records: Arc<[Sdr]> = read.ok()??.into();
        self.remember(key.clone(), &records);
        Some(records)
    }

    pub(super) async fn put(&self, key: CacheKey, records: &Arc<[Sdr]>) {
        self.remember(key.clone(), records);
        let Some(directory) = self.directory.clone() else {
            return;
        };
        let records = Arc::clone(records);
        let write = spawn_blocking(move || cache_file::write(&directory, &key, &records));
        if let Ok(Err(error)) = write.await {
            tracing::warn!(%error, "cannot write a file of the SDR cache");
        }
    }

    fn remember(&self, key: CacheKey, records: &Arc<[Sdr]>) {
        let CacheKey { identity, stamp } = key;
        let records = Arc::clone(records);
        self.lock().insert(identity, Entry { stamp, records });
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Vec<u8>, Entry>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SdrCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SdrCache")
            .field("bmcs", &self.lock().len())
            .field("directory", &self.directory)
            .finish()
    }
}
