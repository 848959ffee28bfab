//! What to do next for a Task.
//!
//! The intent is `status.startTime`, written by compare-and-swap before anything irreversible. A process that finds a
//! startTime which it did not write cannot know whether the action was sent: `cycle` and `reset` then end Failed, `soft` is
//! only waited for, and what leads to a visible state is looked at and sent again if need be.

mod outcome;
mod progress;

use std::time::Duration;

use bmc_core::{BootDevice, BootReading, Persistence, PowerAction, PowerState};
use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;

use super::{Step, created, is_deleting, left, look_again};
use crate::api::Task;
use crate::status::{human, task_finished};

use progress::Intent;

pub use outcome::{Verdict, verdict};
pub use progress::{Progress, Seen};

/// How long after its acceptance a `cycle` is watched for the moment without power.
pub const CYCLE_WATCH: Duration = Duration::from_secs(5);
/// How long a machine may read off before `cycle` or `reset` fails for it: another cycle may be under way.
pub const OFF_SETTLES: Duration = Duration::from_secs(15);
/// How long a boot override may read wrong after it was accepted.
const BOOT_SETTLES: Duration = Duration::from_secs(3);
/// When what leads to a visible state is sent again after an unknown effect, if the state is not reached.
const SEND_AGAIN: Duration = Duration::from_secs(3);

/// What the decision depends on, besides the object.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The wall clock.
    pub wall: Timestamp,
    /// The monotonic clock.
    pub tick: Instant,
    /// The Task's deadline: from creation until startTime exists, then from startTime.
    pub timeout: Duration,
    /// A one-time override that an earlier Task of the Job has set for the boot that is under way. The override has one
    /// slot: the firmware must have read it before another takes its place.
    pub awaited: Option<BootDevice>,
}

/// The next single step.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decision {
    /// Nothing, ever.
    Nothing,
    /// Read what the step leads to.
    Look,
    /// Swap in startTime.
    Begin,
    /// Send the action.
    Send,
    /// Come back later.
    Wait(Duration),
    /// The Task has completed.
    Complete(Completion),
    /// The Task has failed; the text says why and what to do.
    Fail(String),
}

/// How well it completed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Completion {
    /// The wanted state was seen.
    Seen,
    /// The BMC has accepted the action; its effect cannot be seen.
    NotObserved,
    /// The BMC kept only part of what was wanted.
    Partly(String),
}

/// The next step for this Task.
pub fn decide(task: &Task, progress: &Progress, given: &Given) -> Decision {
    if task_finished(task.status.as_ref()) || is_deleting(task) {
        return Decision::Nothing;
    }
    let step = match Step::feasible(&task.spec.task, task.spec.connection.as_ref()) {
        Ok(step) => step,
        Err(error) => return Decision::Fail(error.to_string()),
    };
    if task.spec.connection.is_none() {
        return Decision::Fail("spec.connection: required, says how to reach the BMC".into());
    }
    let case = Case {
        step: &step,
        progress,
        given,
        left: time_left(task, given),
    };
    if start_time(task).is_some() {
        case.begun()
    } else {
        case.not_begun()
    }
}

/// What is left of the Task's time.
pub fn time_left(task: &Task, given: &Given) -> Duration {
    let since = start_time(task).unwrap_or_else(|| created(task));
    left(since, given.timeout, given.wall)
}

fn start_time(task: &Task) -> Option<Timestamp> {
    Some(task.status.as_ref()?.start_time.as_ref()?.0)
}

struct Case<'a> {
    step: &'a Step,
    progress: &'a Progress,
    given: &'a Given,
    left: Duration,
}

impl Case<'_> {
    /// Nobody has written a startTime: nothing was sent.
    fn not_begun(&self) -> Decision {
        if let Some(decision) = self.late().or_else(|| self.pausing()) {
            return decision;
        }
        let Some(seen) = &self.progress.fresh else {
            return Decision::Look;
        };
        match (self.step, seen) {
            (
                Step::Power(PowerAction::Cycle | PowerAction::Reset),
                Seen::Power(PowerState::Off),
            ) if self.since() < OFF_SETTLES => self.wait(look_again(self.since())),
            (
                Step::Power(action @ (PowerAction::Cycle | PowerAction::Reset)),
                Seen::Power(PowerState::Off),
            ) => Decision::Fail(format!(
                "{}the machine is off, and a BMC refuses to {action} it: use powerAction on",
                self.step.failure_prefix()
            )),
            (Step::Boot(..), Seen::Boot(reading)) if self.is_awaited(reading) => {
                self.wait(look_again(self.since()))
            }
            (Step::Boot(..), _) => Decision::Begin,
            _ if self.is_reached(seen) => Decision::Complete(Completion::Seen),
            _ => Decision::Begin,
        }
    }

    fn begun(&self) -> Decision {
        match &self.progress.intent {
            Intent::Unclear => self.inherited(),
            Intent::NotSent => self
                .late()
                .or_else(|| self.pausing())
                .unwrap_or(Decision::Send),
            Intent::Accepted(at) => self.accepted(*at),
            Intent::Unknown(at, cause) => self.unknown(*at, cause),
        }
    }

    /// Another process wrote startTime.
    fn inherited(&self) -> Decision {
        if matches!(
            self.step,
            Step::Power(PowerAction::Cycle | PowerAction::Reset)
        ) {
            return self.not_repeated("the operator was restarted in between");
        }
        if let Some(decision) = self.pausing() {
            return self.late().unwrap_or(decision);
        }
        let Some(seen) = &self.progress.fresh else {
            // Past the deadline one look is left, to tell the truth.
            let looked = self.progress.last.is_some() || self.progress.trouble.is_some();
            return self.late().filter(|_| looked).unwrap_or(Decision::Look);
        };
        if self.is_reached(seen) {
            return Decision::Complete(Completion::Seen);
        }
        self.late().unwrap_or_else(|| match self.step {
            Step::Power(PowerAction::Soft) => self.wait(look_again(self.since())),
            _ => Decision::Send,
        })
    }

    fn accepted(&self, at: Instant) -> Decision {
        if matches!(self.step, Step::Power(PowerAction::Reset)) {
            return Decision::Complete(Completion::NotObserved);
        }
        let Some(seen) = &self.progress.fresh else {
            return self.look();
        };
        let elapsed = self.elapsed(at);
        let pause = self.wait(look_again(elapsed));
        match (self.step, seen) {
            (Step::Power(PowerAction::Cycle), Seen::Power(PowerState::On)) => {
                self.cycled(elapsed, || Decision::Complete(Completion::NotObserved))
            }
            (Step::Boot(_, wanted), Seen::Boot(reading)) => {
                match outcome::boot_kept(wanted, reading) {
                    Ok(completion) => Decision::Complete(completion),
                    Err(_) if elapsed < BOOT_SETTLES => pause,
                    Err(difference) => {
                        Decision::Fail(format!("{}{difference}", self.step.failure_prefix()))
                    }
                }
            }
            (Step::Boot(..), _) | (Step::Media(..), Seen::Nothing) => {
                Decision::Complete(Completion::NotObserved)
            }
            _ if self.is_reached(seen) => Decision::Complete(Completion::Seen),
            _ => pause,
        }
    }

    fn unknown(&self, at: Instant, cause: &str) -> Decision {
        if matches!(self.step, Step::Power(PowerAction::Reset)) {
            return self.not_repeated(cause);
        }
        let Some(seen) = &self.progress.fresh else {
            return self.look();
        };
        let elapsed = self.elapsed(at);
        let pause = self.wait(look_again(elapsed));
        match (self.step, seen) {
            (Step::Power(PowerAction::Cycle), Seen::Power(PowerState::On)) => {
                self.cycled(elapsed, || self.not_repeated(cause))
            }
            (Step::Power(PowerAction::Cycle), _) => pause,
            _ if self.is_reached(seen) => Decision::Complete(Completion::Seen),
            (Step::Power(PowerAction::Soft), _) => pause,
            _ if elapsed < SEND_AGAIN => pause,
            _ => self.late().unwrap_or(Decision::Send),
        }
    }

    /// A cycle of a machine that is on: with the moment without power it is seen.
    fn cycled(&self, elapsed: Duration, unseen: impl FnOnce() -> Decision) -> Decision {
        if self.progress.left_on {
            Decision::Complete(Completion::Seen)
        } else if elapsed >= CYCLE_WATCH {
            unseen()
        } else {
            self.wait(look_again(elapsed))
        }
    }

    fn look(&self) -> Decision {
        self.late()
            .or_else(|| self.pausing())
            .unwrap_or(Decision::Look)
    }

    fn late(&self) -> Option<Decision> {
        self.left
            .is_zero()
            .then(|| Decision::Fail(self.timeout_message()))
    }

    /// The rest of the pause after a failure.
    fn pausing(&self) -> Option<Decision> {
        let rest = self
            .progress
            .not_before?
            .saturating_duration_since(self.given.tick);
        (!rest.is_zero()).then(|| self.wait(rest))
    }

    /// Waits, but not beyond the deadline.
    fn wait(&self, pause: Duration) -> Decision {
        match self.late() {
            Some(late) => late,
            None => Decision::Wait(pause.min(self.left)),
        }
    }

    fn is_reached(&self, seen: &Seen) -> bool {
        match (self.step, seen) {
            (Step::ReadPower, Seen::Power(_)) => true,
            (Step::Power(_), Seen::Power(state)) => self.step.goal() == Some(*state),
            (Step::Boot(_, wanted), Seen::Boot(reading)) => {
                outcome::boot_kept(wanted, reading) == Ok(Completion::Seen)
            }
            (Step::Media(_, wanted), Seen::Media(inserted)) => wanted == inserted,
            _ => false,
        }
    }

    /// Whether the firmware has yet to read the one-time override of an earlier Task.
    fn is_awaited(&self, reading: &BootReading) -> bool {
        reading.valid
            && reading.settings.persistence == Persistence::Once
            && self.given.awaited == Some(reading.settings.device)
    }

    fn not_repeated(&self, cause: &str) -> Decision {
        Decision::Fail(format!(
            "{}{} may have been sent; not repeated ({cause}): check the machine, then create a new Task or Job",
            self.step.failure_prefix(),
            self.step
        ))
    }

    fn timeout_message(&self) -> String {
        let step = self.step;
        let mut text = format!("bmc task timeout: wanted {step}");
        match (&self.progress.last, self.given.awaited) {
            (Some(Seen::Boot(reading)), Some(device)) if self.is_awaited(reading) => {
                text += &format!(
                    ", but the machine has not used the one-time override {device} yet, which it would have lost"
                );
            }
            (Some(Seen::Power(state)), _) => text += &format!(", last seen power {state}"),
            (Some(Seen::Boot(reading)), _) => {
                text += &format!(", last seen boot {} ({})", reading.settings, reading.raw);
            }
            (Some(Seen::Media(Some(source))), _) => text += &format!(", last seen {source}"),
            (Some(Seen::Media(None)), _) => text += ", last seen nothing inserted",
            _ => text += ", state of the machine not seen",
        }
        if let Some(trouble) = &self.progress.trouble {
            text += &format!("; {trouble}");
        }
        text + &format!("; gave up after {}", human(self.given.timeout))
    }

    fn since(&self) -> Duration {
        self.elapsed(self.progress.since)
    }

    fn elapsed(&self, at: Instant) -> Duration {
        self.given.tick.saturating_duration_since(at)
    }
}
