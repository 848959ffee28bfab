//! What can go wrong between a provider and its BMC, on demand.

use std::collections::VecDeque;
use std::time::Duration;

/// A step that a [`Fault`] befalls.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Step {
    /// Opening a session.
    Login,
    /// A request on a session.
    Request,
}

/// What befalls a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Fault {
    /// Nothing.
    Pass,
    /// The credential is refused; on a request it means that the session has expired.
    Refuse,
    /// Nothing listens; known at once and without effect.
    Unreachable,
    /// Nothing happens and no answer comes, for ever.
    Hang,
    /// The step succeeds, later.
    Delay(Duration),
    /// The BMC is busy: nothing happens, and that is certain.
    Busy,
    /// Nothing happens, but the provider cannot know.
    RequestLost,
    /// It happens, but the provider cannot know.
    ReplyLost,
    /// It happens, and no answer comes, for ever.
    HangAfter,
    /// The BMC forgets the session instead; nothing happens, and that is certain.
    LoseSession,
    /// The BMC claims success and does nothing, or reports a wrong state.
    Lie,
}

/// The faults to come of one kind of step.
#[derive(Debug)]
pub(super) struct Script {
    next: VecDeque<Fault>,
    then: Fault,
}

impl Script {
    pub(super) fn push(&mut self, fault: Fault) {
        self.next.push_back(fault);
    }

    /// What befalls every step behind those that were pushed.
    pub(super) fn always(&mut self, fault: Fault) {
        self.then = fault;
    }

    pub(super) fn advance(&mut self) -> Fault {
        self.next.pop_front().unwrap_or(self.then)
    }
}

impl Default for Script {
    fn default() -> Self {
        Self {
            next: VecDeque::new(),
            then: Fault::Pass,
        }
    }
}
