//! The last operations of a BMC, for a flight recorder.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::Lane;
use crate::error::ErrorKind;

const CAPACITY: usize = 32;

/// One operation that was carried out, or failed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Exchange {
    /// The operation's name.
    pub operation: &'static str,
    /// The lane it came on.
    pub lane: Lane,
    /// When it began; the wait in the queue is over by then.
    pub when: Instant,
    /// How long it took from there, every attempt included.
    pub elapsed: Duration,
    /// The provider that carried it out, or the last one that failed.
    pub provider: Option<&'static str>,
    /// Why it failed; `None` if it did not.
    pub error: Option<ErrorKind>,
}

#[derive(Debug, Default)]
pub(super) struct History(Mutex<VecDeque<Exchange>>);

impl History {
    pub(super) fn push(&self, exchange: Exchange) {
        let mut ring = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if ring.len() == CAPACITY {
            ring.pop_front();
        }
        ring.push_back(exchange);
    }

    pub(super) fn list(&self) -> Vec<Exchange> {
        let ring = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ring.iter().copied().collect()
    }
}
