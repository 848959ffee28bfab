//! What one process knows of a Task.

use bmc_core::{BootReading, MediaSource, PowerState};
use tokio::time::Instant;

use crate::plan::retry_after;

/// What was read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Seen {
    /// The power state.
    Power(PowerState),
    /// The boot override.
    Boot(BootReading),
    /// What is inserted.
    Media(Option<MediaSource>),
    /// The BMC cannot tell.
    Nothing,
}

/// What this process knows of one generation of a Task. Lost with the process.
#[derive(Clone, Debug)]
pub struct Progress {
    pub(super) intent: Intent,
    /// Seen in this pass, after the last act.
    pub(super) fresh: Option<Seen>,
    pub(super) last: Option<Seen>,
    /// The host was seen without power, or on its way, after the action was sent.
    pub(super) left_on: bool,
    pub(super) trouble: Option<String>,
    failures: u32,
    pub(super) not_before: Option<Instant>,
    pub(super) since: Instant,
}

/// What this process knows about the sending.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Intent {
    /// If there is a startTime, another process wrote it.
    Unclear,
    /// This process wrote startTime, and nothing was sent.
    NotSent,
    /// Sent and accepted.
    Accepted(Instant),
    /// Sent, perhaps; the failure.
    Unknown(Instant, String),
}

impl Progress {
    /// Knows nothing yet.
    pub fn new(tick: Instant) -> Self {
        Self {
            intent: Intent::Unclear,
            fresh: None,
            last: None,
            left_on: false,
            trouble: None,
            failures: 0,
            not_before: None,
            since: tick,
        }
    }

    /// A pass begins: what was seen earlier is old.
    pub fn pass_begins(&mut self) {
        self.fresh = None;
    }

    /// Something was read.
    pub fn seen(&mut self, seen: Seen) {
        if matches!(self.intent, Intent::Accepted(_) | Intent::Unknown(..))
            && matches!(
                seen,
                Seen::Power(PowerState::Off | PowerState::PoweringOff | PowerState::PoweringOn)
            )
        {
            self.left_on = true;
        }
        self.last = Some(seen.clone());
        self.fresh = Some(seen);
        self.well();
    }

    /// This process has swapped startTime in.
    pub fn begun(&mut self) {
        self.intent = Intent::NotSent;
    }

    /// The action was sent and accepted.
    pub fn accepted(&mut self, tick: Instant) {
        self.intent = Intent::Accepted(tick);
        self.fresh = None;
        self.well();
    }

    /// The action may have been sent.
    pub fn unknown(&mut self, tick: Instant, cause: String) {
        self.intent = Intent::Unknown(tick, cause);
        self.fresh = None;
    }

    /// Something failed that may pass by itself.
    pub fn troubled(&mut self, tick: Instant, trouble: String) {
        self.failures = self.failures.saturating_add(1);
        self.not_before = tick.checked_add(retry_after(self.failures));
        self.trouble = Some(trouble);
    }

    /// Whether the last thing that was tried has failed.
    pub fn is_troubled(&self) -> bool {
        self.trouble.is_some()
    }

    /// The trouble is over before its pause has passed, as when a missing Secret appears.
    pub fn wake(&mut self) {
        self.not_before = None;
    }

    /// Whether the action may have been sent, or may be at any moment.
    pub fn may_have_acted(&self) -> bool {
        self.intent != Intent::Unclear
    }

    /// Whether nothing was read or tried yet.
    pub fn is_new(&self) -> bool {
        self.last.is_none() && self.failures == 0 && self.intent == Intent::Unclear
    }

    fn well(&mut self) {
        self.trouble = None;
        self.failures = 0;
        self.not_before = None;
    }
}
