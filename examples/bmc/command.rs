//! What to do with one BMC, and how it ended. One command a file: its grammar, its action and its words.

mod boot;
mod info;
mod power;

use std::fmt;

use async_trait::async_trait;
use bmc_core::{Effect, Error, ErrorKind, Exhausted, Operation, Report};
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

    /// Carries it out; returns soon after `deadline` at the latest.
    async fn run(&self, member: &Member, deadline: Instant) -> Ended;
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
    pub fn request(&self) -> &dyn Request {
        match self {
            Self::Power(power) => power,
            Self::Boot(boot) => boot,
            Self::Info(info) => info,
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

/// Runs an operation by whichever provider has it.
pub async fn ask<O: Operation>(
    member: &Member,
    operation: O,
    deadline: Instant,
    answer: impl FnOnce(O::Output) -> Answer,
) -> Ended {
    match member.bmc.run_until(operation, deadline).await {
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

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self {
            kind: error.kind(),
            message: error.to_string(),
            effect: error.effect(),
        }
    }
}
