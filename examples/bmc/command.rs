//! What to do with one BMC, and how it ended.

use std::time::Duration;

use bmc_core::{
    Bmc, BmcIdentity, BootOverride, BootReading, Effect, ErrorKind, Exhausted, GetBootOverride,
    GetIdentity, GetPowerState, Operation, PowerAction, PowerState, Report, SendNmi,
    SetBootOverride, SetPower,
};
use tokio::time::{Instant, sleep};

/// A command for any BMC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Request {
    PowerStatus,
    SetPower { action: PowerAction, wait: bool },
    Nmi,
    BootGet,
    BootSet(BootOverride),
    Info,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// What was tried.
    pub report: Report,
    pub result: Result<Answer, Failure>,
}

/// What a BMC said.
#[derive(Debug, Eq, PartialEq)]
pub enum Answer {
    Power(PowerState),
    /// It took the command; what the host does is not known.
    Accepted,
    Boot(BootReading),
    Info(BmcIdentity),
}

/// Why there is no answer.
#[derive(Debug)]
pub struct Failure {
    pub kind: ErrorKind,
    pub message: String,
    /// Whether the BMC may have acted all the same.
    pub effect: Effect,
}

impl Request {
    /// The words that asked for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PowerStatus => GetPowerState.name(),
            Self::SetPower { action, .. } => SetPower(action).name(),
            Self::Nmi => SendNmi.name(),
            Self::BootGet => GetBootOverride.name(),
            Self::BootSet(wanted) => SetBootOverride(wanted).name(),
            Self::Info => GetIdentity.name(),
        }
    }

    /// Carries it out; returns soon after `deadline` at the latest.
    pub async fn run(self, bmc: &Bmc, deadline: Instant) -> Ended {
        match self {
            Self::PowerStatus => ask(bmc, GetPowerState, deadline, Answer::Power).await,
            Self::SetPower { action, wait } => {
                let sent = ask(bmc, SetPower(action), deadline, |()| Answer::Accepted).await;
                match sent.result {
                    Ok(_) if wait => wait_for(bmc, action, deadline).await,
                    _ => sent,
                }
            }
            Self::Nmi => ask(bmc, SendNmi, deadline, |()| Answer::Accepted).await,
            Self::BootGet => ask(bmc, GetBootOverride, deadline, Answer::Boot).await,
            Self::BootSet(wanted) => {
                ask(bmc, SetBootOverride(wanted), deadline, |()| {
                    Answer::Accepted
                })
                .await
            }
            Self::Info => ask(bmc, GetIdentity, deadline, Answer::Info).await,
        }
    }
}

async fn ask<O: Operation>(
    bmc: &Bmc,
    operation: O,
    deadline: Instant,
    answer: impl FnOnce(O::Output) -> Answer,
) -> Ended {
    match bmc.run_until(operation, deadline).await {
        Ok(outcome) => Ended {
            report: outcome.report,
            result: Ok(answer(outcome.value)),
        },
        Err(exhausted) => Ended {
            result: Err(Failure::from(&exhausted)),
            report: exhausted.report,
        },
    }
}

/// Looks until the state is there that an accepted action leads to; a failed look that may pass is only a look.
async fn wait_for(bmc: &Bmc, action: PowerAction, deadline: Instant) -> Ended {
    let goal = action.goal().unwrap_or(PowerState::On);
    let began = Instant::now();
    loop {
        let looked = bmc.run_until(GetPowerState, deadline).await;
        let unfinished = match looked {
            Ok(seen) if seen.value == goal => {
                return Ended {
                    report: seen.report,
                    result: Ok(Answer::Power(seen.value)),
                };
            }
            Ok(seen) => Ended {
                result: Err(Failure {
                    kind: ErrorKind::Timeout,
                    message: format!("accepted, but power is still {}", seen.value),
                    effect: Effect::Unknown,
                }),
                report: seen.report,
            },
            Err(failed) => {
                let passing = failed.is_retryable();
                let mut failure = Failure::from(&failed);
                failure.message = format!(
                    "accepted, but the state cannot be read: {}",
                    failure.message
                );
                failure.effect = Effect::Unknown;
                let ended = Ended {
                    report: failed.report,
                    result: Err(failure),
                };
                if !passing {
                    return ended;
                }
                ended
            }
        };
        let pause = (began.elapsed() / 10).clamp(Duration::from_millis(50), Duration::from_secs(3));
        if Instant::now() + pause >= deadline {
            return unfinished;
        }
        sleep(pause).await;
    }
}

impl From<&Exhausted> for Failure {
    fn from(exhausted: &Exhausted) -> Self {
        let message = match exhausted.report.attempts.as_slice() {
            [only] => only.error.as_ref().map(ToString::to_string),
            _ => None,
        };
        Self {
            kind: exhausted.kind(),
            message: message.unwrap_or_else(|| exhausted.to_string()),
            effect: exhausted.effect,
        }
    }
}
