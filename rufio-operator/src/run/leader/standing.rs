//! Whether this replica may act.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::Instant;

/// Knows whether this replica may act; clones know the same.
#[derive(Clone, Debug)]
pub struct Leadership(watch::Receiver<Standing>);

/// Where this replica stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Standing {
    /// Somebody else may act.
    Waiting {
        /// Why, for a person.
        reason: Arc<str>,
    },
    /// We act until this moment, unless it is moved.
    Leading {
        /// When the renewal must have succeeded again.
        until: Instant,
    },
    /// There is no election.
    Alone,
    /// We no longer may act, and never will again.
    Lost {
        /// Why, for a person.
        reason: Arc<str>,
    },
}

impl Leadership {
    pub(super) fn new(standing: watch::Receiver<Standing>) -> Self {
        Self(standing)
    }

    /// Of a replica that needs no lease.
    pub fn without_election() -> Self {
        Self(watch::channel(Standing::Alone).1)
    }

    /// Whether this replica may begin something irreversible now. Cheap: ask right before each step.
    ///
    /// It ends with the renew deadline. What has begun then has the rest of the lease duration (5 s of 15 s by default)
    /// before somebody else may begin.
    pub fn is_held(&self) -> bool {
        match *self.0.borrow() {
            Standing::Alone => true,
            Standing::Leading { until } => Instant::now() < until,
            Standing::Waiting { .. } | Standing::Lost { .. } => false,
        }
    }

    /// Where this replica stands now.
    pub fn standing(&self) -> Standing {
        self.0.borrow().clone()
    }

    /// Waits until [`standing`](Self::standing) differs from when it was last waited for. Each renewal counts.
    pub async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            // The election has ended: nothing changes any more.
            std::future::pending::<()>().await;
        }
    }

    /// Waits until this replica may act.
    pub async fn acquired(&mut self) {
        let leads =
            |standing: &Standing| matches!(standing, Standing::Leading { .. } | Standing::Alone);
        if self.0.wait_for(leads).await.is_err() {
            // The election has ended: it will never be won.
            std::future::pending::<()>().await;
        }
    }

    /// Waits until this replica may no longer act.
    pub async fn lost(&mut self) {
        let lost = |standing: &Standing| matches!(standing, Standing::Lost { .. });
        if self.0.wait_for(lost).await.is_err() && *self.0.borrow() == Standing::Alone {
            std::future::pending::<()>().await;
        }
    }
}

impl Standing {
    pub(super) fn waiting(reason: &str) -> Self {
        Self::Waiting {
            reason: reason.into(),
        }
    }

    pub(super) fn lost(reason: &str) -> Self {
        Self::Lost {
            reason: reason.into(),
        }
    }

    /// Waits for this reason; tells whether that is new.
    pub(super) fn wait_for(&mut self, reason: &str) -> bool {
        match self {
            Self::Waiting { reason: known } if **known == *reason => false,
            _ => {
                *self = Self::waiting(reason);
                true
            }
        }
    }
}
