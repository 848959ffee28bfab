//! The work queue of both modes: which object is looked at next, and when.
//!
//! Semantics of client-go's rate-limiting queue, with two priorities: a key that is added twice runs once, a key never runs
//! twice at the same time, and what is added while it runs makes it run again.

mod schedule;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use self::schedule::{Schedule, Turn};
use crate::env::Env;

/// First wait after a failure.
pub const BACKOFF_FIRST: Duration = Duration::from_millis(50);
/// Longest wait after a failure.
pub const BACKOFF_LIMIT: Duration = Duration::from_secs(5 * 60);
/// Part of a back-off that is random, above or below.
const BACKOFF_JITTER: f64 = 0.2;

/// Keys that wait for their turn. Clones are the same queue.
pub struct Queue<K: Ord> {
    shared: Arc<Shared<K>>,
}

struct Shared<K: Ord> {
    schedule: Mutex<Schedule<K>>,
    changed: Notify,
    env: Env,
}

/// Which of the waiting keys goes first. [`High`](Self::High) always overtakes; equals go in order of arrival.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Priority {
    /// Nobody waits for it: polls, and everything at the start.
    #[default]
    Low,
    /// Somebody waits for it.
    High,
}

impl<K: Ord + Clone> Queue<K> {
    /// An empty queue. `env` gives the jitter.
    pub fn new(env: Env) -> Self {
        Self {
            shared: Arc::new(Shared {
                schedule: Mutex::new(Schedule::default()),
                changed: Notify::new(),
                env,
            }),
        }
    }

    /// Wants the key to run as soon as possible. A wait that [`add_after`](Self::add_after) began is over.
    pub fn add(&self, key: K, priority: Priority) {
        self.shared.schedule().add(key, priority);
        self.shared.changed.notify_one();
    }

    /// Wants the key to run after `delay`. Of several waits the one that ends first counts; a key that is already to run at
    /// once does not wait.
    pub fn add_after(&self, key: K, delay: Duration, priority: Priority) {
        if delay.is_zero() {
            return self.add(key, priority);
        }
        let due = Instant::now() + delay;
        self.shared.schedule().add_at(key, due, priority);
        self.shared.changed.notify_one();
    }

    /// Wants the key to run after its back-off, which doubles from [`BACKOFF_FIRST`] to [`BACKOFF_LIMIT`] with every call,
    /// at the priority at which it ran last.
    pub fn retry(&self, key: K) {
        let mut schedule = self.shared.schedule();
        let (failures, priority) = schedule.failed(&key);
        let delay = backoff(failures, &self.shared.env);
        schedule.add_at(key, Instant::now() + delay, priority);
        drop(schedule);
        self.shared.changed.notify_one();
    }

    /// Forgets the failures of a key: its next back-off is the first one again.
    pub fn forget(&self, key: &K) {
        self.shared.schedule().forget(key);
    }

    /// The next key, once there is one. `None` after [`shut_down`](Self::shut_down) when nothing is left to hand out.
    pub async fn next(&self) -> Option<Lease<K>> {
        loop {
            let changed = self.shared.changed.notified();
            let wake = {
                let mut schedule = self.shared.schedule();
                match schedule.take(Instant::now()) {
                    Turn::Run(key, priority) => {
                        if schedule.has_more() {
                            self.shared.changed.notify_one();
                        }
                        return Some(Lease {
                            shared: Arc::clone(&self.shared),
                            key,
                            priority,
                        });
                    }
                    Turn::Over => {
                        self.shared.changed.notify_one();
                        return None;
                    }
                    Turn::Wait(until) => until,
                }
            };
            match wake {
                Some(due) => tokio::select! {
                    biased;
                    () = changed => {}
                    () = sleep_until(due) => {}
                },
                None => changed.await,
            }
        }
    }

    /// Refuses new keys and gives up the waiting ones; those that are to run at once are still handed out.
    pub fn shut_down(&self) {
        self.shared.schedule().shut_down();
        self.shared.changed.notify_one();
    }

    /// How many keys are to run at once.
    pub fn depth(&self) -> usize {
        self.shared.schedule().depth()
    }

    /// How many keys have failed and were not forgotten.
    pub fn failing(&self) -> usize {
        self.shared.schedule().failing()
    }
}

/// A key that is running. Dropping the lease says that it is done.
pub struct Lease<K: Ord + Clone> {
    shared: Arc<Shared<K>>,
    key: K,
    priority: Priority,
}

impl<K: Ord + Clone> Lease<K> {
    /// The key.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The priority at which it runs.
    pub fn priority(&self) -> Priority {
        self.priority
    }
}

impl<K: Ord + Clone> Drop for Lease<K> {
    fn drop(&mut self) {
        self.shared.schedule().done(&self.key);
        self.shared.changed.notify_one();
    }
}

impl<K: Ord> Shared<K> {
    fn schedule(&self) -> MutexGuard<'_, Schedule<K>> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord> Clone for Queue<K> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<K: Ord> fmt::Debug for Queue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

impl<K: Ord + Clone + fmt::Debug> fmt::Debug for Lease<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lease").field(&self.key).finish()
    }
}

fn backoff(failures: u32, env: &Env) -> Duration {
    let doubled = 1_u32
        .checked_shl(failures.saturating_sub(1))
        .and_then(|factor| BACKOFF_FIRST.checked_mul(factor))
        .unwrap_or(BACKOFF_LIMIT);
    env.jitter(doubled, BACKOFF_JITTER).min(BACKOFF_LIMIT)
}

#[cfg(test)]
mod tests;
