//! The power state that an eager login brought along.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long it may stand for a look of its own.
const FRESH: Duration = Duration::from_secs(1);

/// Good for the first look after the login, if nothing has come in between.
#[derive(Debug, Default)]
pub(super) struct Glance(Mutex<Option<(bool, Instant)>>);

impl Glance {
    /// Whether the machine was on just now.
    pub(super) fn of(is_on: bool) -> Self {
        Self(Mutex::new(Some((is_on, Instant::now()))))
    }

    /// What was seen, once, and only shortly after.
    pub(super) fn take(&self) -> Option<bool> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (is_on, at) = seen.take()?;
        (at.elapsed() < FRESH).then_some(is_on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_glance_counts_once_and_not_for_long() {
        let glance = Glance::of(true);
        assert_eq!((glance.take(), glance.take()), (Some(true), None));
        let glance = Glance::of(true);
        tokio::time::advance(FRESH).await;
        assert_eq!(glance.take(), None);
    }
}
