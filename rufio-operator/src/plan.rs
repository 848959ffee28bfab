//! Pure decisions: an object, what is known and what was seen lead to the next single step. No I/O, no clock.
//!
//! What Rufio promises is kept here, and what it gets wrong is decided otherwise here.

mod action;
pub mod job;
pub mod machine;
pub mod task;

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use kube::Resource;

pub use action::{BootField, InvalidAction, Step};

/// Shortest pause between two looks at a machine that is on its way to a state.
const LOOK_FIRST: Duration = Duration::from_millis(50);
/// Longest such pause.
const LOOK_LIMIT: Duration = Duration::from_secs(3);
/// Longest pause after a failure that may pass by itself.
const RETRY_LIMIT: Duration = Duration::from_secs(10);

/// The pause before the next look at a machine that was told to act `elapsed` ago.
fn look_again(elapsed: Duration) -> Duration {
    (elapsed / 10).clamp(LOOK_FIRST, LOOK_LIMIT)
}

/// The pause after the `failures`-th failure in a row.
fn retry_after(failures: u32) -> Duration {
    let doubled = 1_u32
        .checked_shl(failures.saturating_sub(1))
        .and_then(|factor| LOOK_FIRST.checked_mul(factor));
    doubled.unwrap_or(RETRY_LIMIT).min(RETRY_LIMIT)
}

/// When the object was created; the dawn of time for one that was never stored.
fn created(object: &impl Resource) -> Timestamp {
    let created = object.meta().creation_timestamp.as_ref();
    created.map_or(Timestamp::UNIX_EPOCH, |time| time.0)
}

fn is_deleting(object: &impl Resource) -> bool {
    object.meta().deletion_timestamp.is_some()
}

/// What is left at `now` of `timeout`, which began at `since`.
fn left(since: Timestamp, timeout: Duration, now: Timestamp) -> Duration {
    let passed = Duration::try_from(now.duration_since(since)).unwrap_or_default();
    timeout.saturating_sub(passed)
}
