//! Restarts of the BMC itself: its sessions are gone, and it is silent for a while.

use std::time::Duration;

use tokio::time::Instant;

use crate::sim::Sim;

/// Whether the BMC runs.
#[derive(Debug)]
pub(super) struct Restart {
    /// How long a restart takes.
    pub(super) time: Duration,
    /// Whether the command that asks for it has no answer.
    pub(super) is_mute: bool,
    /// Asked for by the command that is being executed.
    pub(super) is_due: bool,
    /// When the BMC listens again.
    pub(super) until: Option<Instant>,
    pub(super) count: u32,
}

impl Restart {
    pub(super) fn new(time: Duration, is_mute: bool) -> Self {
        Self {
            time,
            is_mute,
            is_due: false,
            until: None,
            count: 0,
        }
    }

    /// Whether the BMC is too busy with itself to listen.
    pub(super) fn is_running(&mut self, now: Instant) -> bool {
        self.until = self.until.filter(|until| now < *until);
        self.until.is_some()
    }
}

impl Sim {
    /// Restarts of the BMC so far.
    pub fn restarts(&self) -> u32 {
        self.restart.count
    }

    /// Restarts the BMC, as Cold Reset does: sessions end, and it is silent for a while.
    pub fn restart(&mut self, now: Instant) {
        self.restart.is_due = false;
        self.restart.count += 1;
        self.restart.until = Some(now + self.restart.time);
        self.forget_sessions();
        self.channels.restart();
        self.follow_ups.clear();
    }
}
