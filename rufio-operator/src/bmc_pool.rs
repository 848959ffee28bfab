//! One handle for each BMC, shared by the polls of its Machines and by all Tasks.
//!
//! The handle keeps the session, serialises the operations and remembers refused logins: all that is a property of the BMC
//! and the credential, not of the object that asks.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bmc_core::Bmc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// Handles by what reaches the BMC (`K`) and the version of the credential. Clones are the same pool.
#[derive(Clone)]
pub struct BmcPool<K, T> {
    shared: Arc<Shared<K, T>>,
}

struct Shared<K, T> {
    entries: Mutex<Entries<K, T>>,
    idle: Duration,
}

struct Entries<K, T> {
    by_key: BTreeMap<K, Entry<T>>,
    swept: Instant,
}

struct Entry<T> {
    version: String,
    bmc: Bmc,
    extra: T,
    used: Instant,
}

impl<K: Ord + Clone, T: Clone> BmcPool<K, T> {
    /// An empty pool that forgets a handle which nobody has asked for during `idle`. Longer than any poll interval: with
    /// the handle goes the memory of a refused login.
    pub fn new(idle: Duration) -> Self {
        Self {
            shared: Arc::new(Shared {
                entries: Mutex::new(Entries {
                    by_key: BTreeMap::new(),
                    swept: Instant::now(),
                }),
                idle,
            }),
        }
    }

    /// The handle for `key` with this version of the credential, and what belongs to it. Another version replaces the
    /// handle; operations under way end on the old one, which then logs out.
    ///
    /// # Errors
    /// `build` failed.
    pub fn get_or_build<E>(
        &self,
        key: &K,
        version: &str,
        build: impl FnOnce() -> Result<(Bmc, T), E>,
    ) -> Result<(Bmc, T), E> {
        let now = Instant::now();
        let mut entries = self.entries();
        if let Some(entry) = entries.by_key.get_mut(key)
            && entry.version == version
        {
            entry.used = now;
            return Ok((entry.bmc.clone(), entry.extra.clone()));
        }
        let (bmc, extra) = build()?;
        let entry = Entry {
            version: version.to_owned(),
            bmc: bmc.clone(),
            extra: extra.clone(),
            used: now,
        };
        entries.by_key.insert(key.clone(), entry);
        entries.sweep(now, self.shared.idle);
        Ok((bmc, extra))
    }

    /// What belongs to the handle for `key`, if there is one.
    pub fn extra(&self, key: &K) -> Option<T> {
        self.entries()
            .by_key
            .get(key)
            .map(|entry| entry.extra.clone())
    }

    /// Number of handles.
    pub fn len(&self) -> usize {
        self.entries().by_key.len()
    }

    /// Whether there is no handle.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Logs out everywhere; takes at most `limit`.
    pub async fn close(&self, limit: Duration) {
        let entries = std::mem::take(&mut self.entries().by_key);
        let mut closing = JoinSet::new();
        for entry in entries.into_values() {
            closing.spawn(async move { entry.bmc.close().await });
        }
        let _ = timeout(limit, closing.join_all()).await;
    }

    fn entries(&self) -> MutexGuard<'_, Entries<K, T>> {
        self.shared
            .entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord, T> Entries<K, T> {
    /// Forgets idle handles, now and then.
    fn sweep(&mut self, now: Instant, idle: Duration) {
        if now.saturating_duration_since(self.swept) < idle / 4 {
            return;
        }
        self.swept = now;
        self.by_key
            .retain(|_, entry| now.saturating_duration_since(entry.used) < idle);
    }
}

impl<K, T> fmt::Debug for BmcPool<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BmcPool").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use bmc_core::testing::memory::MemoryBmc;

    use super::*;

    fn build(machine: &MemoryBmc) -> Result<(Bmc, ()), Infallible> {
        let bmc = Bmc::builder().provider(machine.provider("memory")).build();
        Ok((bmc, ()))
    }

    #[tokio::test(start_paused = true)]
    async fn one_handle_for_each_credential() {
        let machine = MemoryBmc::new();
        let pool = BmcPool::new(Duration::from_secs(600));
        for version in ["1", "1", "2"] {
            let (bmc, ()) = pool
                .get_or_build(&"a", version, || build(&machine))
                .unwrap();
            bmc.power_state().await.unwrap();
        }
        assert_eq!(machine.counters().logins, 2);
        assert_eq!(pool.len(), 1);
        pool.close(Duration::from_secs(1)).await;
        assert_eq!(machine.counters().open_sessions, 0);
        assert!(pool.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn idle_handles_are_forgotten() {
        let machine = MemoryBmc::new();
        let pool = BmcPool::new(Duration::from_secs(600));
        pool.get_or_build(&"a", "1", || build(&machine)).unwrap();
        tokio::time::advance(Duration::from_secs(601)).await;
        pool.get_or_build(&"b", "1", || build(&machine)).unwrap();
        assert_eq!(pool.len(), 1);
    }
}
