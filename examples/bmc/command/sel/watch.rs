//! `bmc sel watch`.

use std::time::Duration;

use bmc_core::{EventMarker, EventPage, Exhausted, GetEvents, Outcome};
use tokio::time::{Instant, sleep};

use examples::duration;

use super::super::{Answer, Call, Ended, Failure};
use super::{Targets, line};

#[derive(Debug, clap::Args)]
pub struct Watch {
    /// How long to wait between looks
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration::positive)]
    every: Duration,
    /// Stop after this time
    #[arg(long = "for", value_name = "DURATION", value_parser = duration::positive)]
    time: Option<Duration>,
    /// Print what the log already holds, too
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    of: Targets,
}

/// Events a look; there may be more, which the next look brings at once.
const PAGE: usize = 256;

impl Watch {
    pub fn targets(&self) -> &[String] {
        &self.of.targets
    }

    /// Looks until the time is over, a look fails for good, or nobody reads any more. The first looks find the end of the log.
    pub async fn run(&self, call: &Call<'_>) -> Ended {
        let end = self.time.map(|time| Instant::now() + time);
        let mut marker = None;
        let mut is_new = self.all;
        loop {
            let looked = look(call, marker.as_ref()).await;
            let is_over = end.is_some_and(|end| Instant::now() + self.every >= end);
            match looked {
                Ok(page) => {
                    let Outcome { value, report } = page;
                    if is_new || value.restarted {
                        let mut answers = value
                            .events
                            .iter()
                            .map(|event| Answer::new("event", event, line(event)));
                        if !answers.all(|answer| call.tell(&answer)) {
                            return Ended {
                                report,
                                result: watched(),
                            };
                        }
                    }
                    marker = Some(value.marker);
                    if value.more {
                        continue;
                    }
                    is_new = true;
                    if is_over {
                        return Ended {
                            report,
                            result: watched(),
                        };
                    }
                }
                Err(exhausted) if exhausted.is_retryable() && !is_over => {
                    tracing::warn!("{exhausted}");
                }
                Err(exhausted) => return exhausted.into(),
            }
            sleep(self.every).await;
        }
    }
}

/// The end that was asked for.
pub fn watched() -> Result<Answer, Failure> {
    Ok(Answer::new("watched", true, ""))
}

async fn look(
    call: &Call<'_>,
    after: Option<&EventMarker>,
) -> Result<Outcome<EventPage>, Exhausted> {
    let events = GetEvents {
        after: after.cloned(),
        limit: PAGE,
    };
    let deadline = Instant::now() + call.timeout;
    call.member.bmc.run_until(events, deadline).await
}
