//! Power actions whose effect is watched.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};

use super::{Bmc, later};
use crate::capability::{PowerAction, PowerState, Restart};
use crate::operation::{GetLastRestart, GetPowerState};
use crate::report::{Exhausted, Outcome};
use crate::vocabulary::{UnknownWord, word};

/// How the effect of a power action was seen, once the BMC had accepted it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Evidence {
    /// The host is in the state that the action leads to.
    StateReached,
    /// The host lost its power, and has it again.
    PowerLost,
    /// The BMC has another record of the host's last restart than before.
    RestartRecorded,
    /// Accepted, not observed: the BMC showed nothing of it in time, or has nothing to show it by.
    NotObserved,
}

word!(Evidence, "evidence" {
    StateReached => "state-reached", PowerLost => "power-lost", RestartRecorded => "restart-recorded",
    NotObserved => "not-observed",
});

/// Wait between two looks for what may pass quickly: a cycle leaves the power off for a second or so.
const QUICK: Duration = Duration::from_millis(200);
/// Longest wait between two looks for what stays.
const SLOW: Duration = Duration::from_secs(2);

/// A record of the last restart, and the provider that told it.
type Record = (&'static str, Restart);

impl Evidence {
    /// Whether the effect was seen at all.
    pub fn is_observed(self) -> bool {
        self != Self::NotObserved
    }
}

impl Bmc {
    /// Sends a power action and watches, for at most `patience` after its acceptance, until its effect is seen.
    ///
    /// [`On`](PowerAction::On), [`Off`](PowerAction::Off) and [`Soft`](PowerAction::Soft) are seen by the power state. A
    /// cycle or a reset ends where it began: it is seen by the power going away and coming back, or by another record of
    /// the last restart; many BMCs show neither. The report is that of the action itself; looks that fail are looks
    /// that saw nothing.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until), of the action.
    pub async fn set_power_observed(
        &self,
        action: PowerAction,
        patience: Duration,
    ) -> Result<Outcome<Evidence>, Exhausted> {
        let goal = action.goal();
        let before = match goal {
            Some(_) => None,
            None => self.run(GetLastRestart).await.ok().and_then(record),
        };
        let done = self.set_power(action).await?;
        let deadline = later(Instant::now(), patience);
        let value = match goal {
            Some(goal) => self.await_state(goal, deadline).await,
            None => self.await_restart(before, deadline).await,
        };
        Ok(Outcome {
            value,
            report: done.report,
        })
    }

    async fn await_state(&self, goal: PowerState, deadline: Instant) -> Evidence {
        let mut pause = QUICK;
        loop {
            if self.look(deadline).await == Some(goal) {
                return Evidence::StateReached;
            }
            if !wait(pause, deadline).await {
                return Evidence::NotObserved;
            }
            pause = (pause * 2).min(SLOW);
        }
    }

    async fn await_restart(&self, before: Option<Record>, deadline: Instant) -> Evidence {
        let mut was_off = false;
        loop {
            match self.look(deadline).await {
                Some(PowerState::Off) => was_off = true,
                Some(PowerState::On) if was_off => return Evidence::PowerLost,
                _ => {}
            }
            if before.is_some() {
                let after = self.run_until(GetLastRestart, deadline).await;
                if is_new(before, after.ok().and_then(record)) {
                    return Evidence::RestartRecorded;
                }
            }
            if !wait(QUICK, deadline).await {
                return Evidence::NotObserved;
            }
        }
    }

    async fn look(&self, deadline: Instant) -> Option<PowerState> {
        let looked = self.run_until(GetPowerState, deadline).await;
        looked.ok().map(|outcome| outcome.value)
    }
}

/// Waits, if that ends before `deadline`.
async fn wait(pause: Duration, deadline: Instant) -> bool {
    let until = later(Instant::now(), pause);
    if until < deadline {
        sleep_until(until).await;
    }
    until < deadline
}

/// Providers keep records of their own: only two of the same provider can be compared.
fn is_new(before: Option<Record>, after: Option<Record>) -> bool {
    match (before, after) {
        (Some((teller, before)), Some((same, after))) => teller == same && before != after,
        _ => false,
    }
}

fn record(outcome: Outcome<Restart>) -> Option<Record> {
    Some((outcome.report.winner()?, outcome.value))
}
