//! `bmc watchdog`.

use std::time::Duration;

use async_trait::async_trait;
use bmc_ipmi::Client;
use bmc_ipmi::command::{TimeoutAction, WatchdogTimer};
use bmc_ipmi::device::{Watchdog as Device, WatchdogSettings};
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use tokio::time::Instant;

use examples::duration;

use super::super::table::or_na;
use super::ipmi::Result;
use super::{Answer, Call, Ended, Request, Targets};

#[derive(Debug, Subcommand)]
pub enum Watchdog {
    /// Read the timer
    Status(Targets),
    /// Set the timer and start it
    Start(Start),
    /// Start the timer anew, as it was set
    Reset(Targets),
    /// Stop the timer
    Stop(Targets),
}

#[derive(Debug, clap::Args)]
pub struct Start {
    /// What happens when nobody starts it anew in time
    #[arg(value_enum)]
    action: Action,
    /// The time, up to 6553.5 s
    #[arg(long, value_name = "DURATION", default_value = "5m", value_parser = after)]
    after: Duration,
    #[command(flatten)]
    of: Targets,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Action {
    /// An event is logged
    Nothing,
    /// The host is reset
    Reset,
    /// The host is switched off
    PowerOff,
    /// The host is switched off, then on
    PowerCycle,
}

/// What the timer holds.
const LONGEST: Duration = Duration::from_millis(6_553_500);

#[async_trait(?Send)]
impl Request for Watchdog {
    fn name(&self) -> &'static str {
        match self {
            Self::Status(_) => "watchdog status",
            Self::Start(_) => "watchdog start",
            Self::Reset(_) => "watchdog reset",
            Self::Stop(_) => "watchdog stop",
        }
    }

    fn targets(&self) -> &[String] {
        match self {
            Self::Status(of) | Self::Reset(of) | Self::Stop(of) => &of.targets,
            Self::Start(start) => &start.of.targets,
        }
    }

    async fn run(&self, call: &Call<'_>) -> Ended {
        let ask = async |client: &Client, deadline| self.ask(&Device::new(client), deadline).await;
        call.ask_ipmi(self.name(), ask).await
    }
}

impl Watchdog {
    async fn ask(&self, watchdog: &Device, deadline: Instant) -> Result<Answer> {
        match self {
            Self::Status(_) => return Ok(about(&watchdog.read(deadline).await?)),
            Self::Start(start) => watchdog.start(&start.settings(), deadline).await?,
            Self::Reset(_) => watchdog.reset(deadline).await?,
            Self::Stop(_) => watchdog.stop(deadline).await?,
        }
        Ok(Answer::accepted())
    }
}

impl Start {
    fn settings(&self) -> WatchdogSettings {
        let action = match self.action {
            Action::Nothing => TimeoutAction::NONE,
            Action::Reset => TimeoutAction::HARD_RESET,
            Action::PowerOff => TimeoutAction::POWER_DOWN,
            Action::PowerCycle => TimeoutAction::POWER_CYCLE,
        };
        WatchdogSettings::new(self.after, action)
    }
}

fn after(text: &str) -> std::result::Result<Duration, String> {
    match duration::positive(text)? {
        time if time > LONGEST => Err("the timer holds 6553.5 s at most".into()),
        time => Ok(time),
    }
}

fn about(timer: &WatchdogTimer) -> Answer {
    let left = timer.time_left().map(|left| left.as_secs_f64());
    let countdown = (WatchdogTimer::UNIT * timer.countdown.into()).as_secs_f64();
    let lines = [
        format!(
            "running   : {}",
            if timer.is_running { "yes" } else { "no" }
        ),
        format!(
            "time left : {}",
            or_na(left.map(|left| format!("{left} s")))
        ),
        format!("time      : {countdown} s"),
        format!("action    : {}", timer.action),
        format!("set by    : {}", timer.timer_use),
    ];
    let json = json!({
        "running": timer.is_running,
        "leftSeconds": left,
        "seconds": countdown,
        "action": timer.action.to_string(),
        "setBy": timer.timer_use.to_string(),
    });
    Answer::new("watchdog", json, lines.join("\n"))
}
