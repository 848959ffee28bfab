//! `bmc power`.

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{Effect, ErrorKind, GetPowerState, PowerAction, PowerState, SendNmi, SetPower};
use clap::ValueEnum;
use tokio::time::{Instant, sleep};

use super::{Answer, Call, Ended, Failure, Request, Targets};

#[derive(Debug, clap::Args)]
pub struct Power {
    verb: Verb,
    /// Return when the BMC reports the state that the action leads to (cycle and reset: on)
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    of: Targets,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Verb {
    /// Read the state
    Status,
    /// Switch on
    On,
    /// Switch off at once
    Off,
    /// Ask the operating system to shut down
    Soft,
    /// Switch off, then on
    Cycle,
    /// Reset without loss of power
    Reset,
    /// Send a diagnostic interrupt
    Nmi,
}

impl Verb {
    fn action(self) -> Option<PowerAction> {
        match self {
            Self::Status | Self::Nmi => None,
            Self::On => Some(PowerAction::On),
            Self::Off => Some(PowerAction::Off),
            Self::Soft => Some(PowerAction::Soft),
            Self::Cycle => Some(PowerAction::Cycle),
            Self::Reset => Some(PowerAction::Reset),
        }
    }
}

#[async_trait(?Send)]
impl Request for Power {
    fn name(&self) -> &'static str {
        match self.verb {
            Verb::Status => "power status",
            Verb::On => "power on",
            Verb::Off => "power off",
            Verb::Soft => "power soft",
            Verb::Cycle => "power cycle",
            Verb::Reset => "power reset",
            Verb::Nmi => "power nmi",
        }
    }

    fn targets(&self) -> &[String] {
        &self.of.targets
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        let accepted = |()| Answer::accepted();
        match (self.verb, self.verb.action()) {
            (_, Some(action)) => {
                let sent = call.ask(SetPower(action), accepted).await;
                match sent.result {
                    Ok(_) if self.wait => wait_for(call, action).await,
                    _ => sent,
                }
            }
            (Verb::Nmi, None) => call.ask(SendNmi, accepted).await,
            _ => call.ask(GetPowerState, power).await,
        }
    }
}

fn power(state: PowerState) -> Answer {
    Answer::new("power", state, state.as_str())
}

/// Looks until the state is there that an accepted action leads to; a failed look that may pass is only a look.
async fn wait_for(call: &Call<'_>, action: PowerAction) -> Ended {
    let goal = action.goal().unwrap_or(PowerState::On);
    let began = Instant::now();
    loop {
        let looked = call
            .member
            .bmc
            .run_until(GetPowerState, call.deadline)
            .await;
        let unfinished = match looked {
            Ok(seen) if seen.value == goal => {
                return Ended {
                    report: seen.report,
                    result: Ok(power(seen.value)),
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
        if Instant::now() + pause >= call.deadline {
            return unfinished;
        }
        sleep(pause).await;
    }
}
