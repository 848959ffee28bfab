//! What to do with one BMC, and how it ended. One command a file: its grammar, its action and its words.

mod boot;
mod controller;
mod dcmi;
mod fru;
mod identify;
mod info;
mod ipmi;
mod lan;
mod mc;
mod power;
mod raw;
mod sdr;
mod sel;
mod sensors;
mod sol;
mod user;
mod watchdog;

use std::error::Error;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{Effect, ErrorKind, Exhausted, Operation, Report};
use clap::Subcommand;
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use super::connect::Member;

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read or switch the power
    Power(power::Power),
    /// Read or change what the host boots next
    #[command(subcommand)]
    Boot(boot::Boot),
    /// What the BMC says it is
    Info(info::Info),
    /// Read all sensors
    Sensors(sensors::Sensors),
    /// Read, clear or watch the system event log
    #[command(subcommand)]
    Sel(sel::Sel),
    /// Read or change how the BMC is reached (IPMI)
    #[command(subcommand)]
    Lan(lan::Lan),
    /// The sensor data records of a management controller (IPMI)
    Sdr(sdr::Sdr),
    /// What the machine is made of
    #[command(visible_alias = "inventory")]
    Fru(fru::Fru),
    /// List or change the BMC's users
    #[command(subcommand)]
    User(user::User),
    /// Read or switch the light that tells the machine from others
    #[command(subcommand)]
    Identify(identify::Identify),
    /// Look at or restart the management controller itself
    #[command(subcommand)]
    Mc(mc::Mc),
    /// Talk to the host over its serial console
    Sol(sol::Sol),
    /// Read, start or stop the watchdog (IPMI)
    #[command(subcommand)]
    Watchdog(watchdog::Watchdog),
    /// Power and temperatures by the Data Center Manageability Interface (IPMI)
    #[command(subcommand)]
    Dcmi(dcmi::Dcmi),
    /// Send a request given as bytes (IPMI)
    Raw(raw::Raw),
}

/// The BMCs that a command is for.
#[derive(Debug, clap::Args)]
pub struct Targets {
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<String>,
}

/// A command for any BMC.
#[async_trait(?Send)]
pub trait Request: fmt::Debug {
    /// The words that asked for it.
    fn name(&self) -> &'static str;

    /// The BMCs that it is for.
    fn targets(&self) -> &[String];

    /// Checks what it was told and fetches what it needs to know, before anything is sent.
    fn prepare(&mut self) -> Result<(), Box<dyn Error>> {
        Ok(())
    }

    /// Carries it out; returns soon after the deadline at the latest, unless it is to go on until interrupted.
    async fn run(&self, call: &Call<'_>) -> Ended;

    /// How it ends when the program is asked to end before it.
    fn interrupted(&self) -> Result<Answer, Failure> {
        Err(Failure::interrupted())
    }
}

/// A request at one BMC.
pub struct Call<'a> {
    pub member: &'a Member,
    pub deadline: Instant,
    /// The time that the deadline was made of.
    pub timeout: Duration,
    /// Takes answers before the end; `false` when nobody reads them any more.
    pub listener: &'a dyn Fn(&Answer) -> bool,
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
pub struct Answer {
    /// Its key in JSON.
    pub key: &'static str,
    pub json: Value,
    /// Its lines.
    pub text: String,
}

/// Why there is no answer.
#[derive(Debug)]
pub struct Failure {
    pub kind: ErrorKind,
    pub message: String,
    /// Whether the BMC may have acted all the same.
    pub effect: Effect,
}

impl Command {
    pub fn request(&mut self) -> &mut dyn Request {
        match self {
            Self::Power(power) => power,
            Self::Boot(boot) => boot,
            Self::Info(info) => info,
            Self::Sensors(sensors) => sensors,
            Self::Sel(sel) => sel,
            Self::Lan(lan) => lan,
            Self::Sdr(sdr) => sdr,
            Self::Fru(fru) => fru,
            Self::User(user) => user,
            Self::Identify(identify) => identify,
            Self::Mc(mc) => mc,
            Self::Sol(sol) => sol,
            Self::Watchdog(watchdog) => watchdog,
            Self::Dcmi(dcmi) => dcmi,
            Self::Raw(raw) => raw,
        }
    }
}

impl Answer {
    pub fn new(key: &'static str, value: impl Serialize, text: impl Into<String>) -> Self {
        Self {
            key,
            // Strings, numbers and maps with string keys always serialise.
            json: serde_json::to_value(value).unwrap_or_default(),
            text: text.into(),
        }
    }

    /// It took the command; what comes of it is not known.
    pub fn accepted() -> Self {
        Self::new("accepted", true, "accepted")
    }
}

impl Call<'_> {
    /// Runs an operation by whichever provider has it.
    pub async fn ask<O: Operation>(
        &self,
        operation: O,
        answer: impl FnOnce(O::Output) -> Answer,
    ) -> Ended {
        match self.member.bmc.run_until(operation, self.deadline).await {
            Ok(outcome) => Ended {
                report: outcome.report,
                result: Ok(answer(outcome.value)),
            },
            Err(exhausted) => exhausted.into(),
        }
    }

    /// Reports an answer before the end; `false` when nobody reads them any more.
    pub fn tell(&self, answer: &Answer) -> bool {
        (self.listener)(answer)
    }
}

impl Failure {
    /// Whatever was sent is not taken back.
    pub fn interrupted() -> Self {
        Self {
            kind: ErrorKind::Closed,
            message: "interrupted".into(),
            effect: Effect::Unknown,
        }
    }
}

impl From<Exhausted> for Ended {
    fn from(exhausted: Exhausted) -> Self {
        Self {
            result: Err(Failure::from(&exhausted)),
            report: exhausted.report,
        }
    }
}

impl From<&Exhausted> for Failure {
    fn from(exhausted: &Exhausted) -> Self {
        let attempts = exhausted.report.attempts.iter();
        let mut errors = attempts.filter_map(|attempt| attempt.error.as_ref());
        let message = match (errors.next(), errors.next()) {
            (Some(only), None) => Some(only.to_string()),
            _ => None,
        };
        Self {
            kind: exhausted.kind(),
            message: message.unwrap_or_else(|| exhausted.to_string()),
            effect: exhausted.effect,
        }
    }
}
