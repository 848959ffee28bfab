//! The JSON line of one target. Its keys are stable; new ones may be added.

use std::collections::BTreeMap;
use std::time::Duration;

use bmc_core::{Attempt, Effect, Stage};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::command::{Answer, Ended, Failure};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    target: &'a str,
    command: &'a str,
    ok: bool,
    /// The provider that carried it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<&'a str>,
    #[serde(flatten)]
    answer: Option<BTreeMap<&'a str, &'a Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem<'a>>,
    elapsed_ms: f64,
    attempts: Vec<Tried<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Problem<'a> {
    kind: &'a str,
    message: &'a str,
    may_have_acted: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tried<'a> {
    provider: &'a str,
    stage: &'static str,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Cause>,
}

#[derive(Serialize)]
struct Cause {
    kind: &'static str,
    message: String,
}

pub fn line(label: &str, command: &str, ended: &Ended, elapsed: Duration) -> String {
    let line = Line {
        target: label,
        command,
        ok: ended.result.is_ok(),
        provider: ended.report.winner(),
        answer: ended.result.as_ref().ok().map(field),
        error: ended.result.as_ref().err().map(problem),
        elapsed_ms: milliseconds(elapsed),
        attempts: ended.report.attempts.iter().map(tried).collect(),
    };
    // Strings, numbers and maps with string keys always serialise.
    serde_json::to_string(&line).unwrap_or_default()
}

/// The line of an answer before the end.
pub fn event(label: &str, command: &str, answer: &Answer) -> String {
    let line = json!({ "target": label, "command": command, "ok": true, answer.key: answer.json });
    line.to_string()
}

fn field(answer: &Answer) -> BTreeMap<&str, &Value> {
    [(answer.key, &answer.json)].into()
}

fn problem(failure: &Failure) -> Problem<'_> {
    Problem {
        kind: failure.kind.as_str(),
        message: &failure.message,
        may_have_acted: failure.effect == Effect::Unknown,
    }
}

fn tried(attempt: &Attempt) -> Tried<'_> {
    Tried {
        provider: attempt.provider,
        stage: match attempt.stage {
            Stage::Open => "open",
            Stage::Operate => "operate",
            Stage::Verify => "verify",
        },
        elapsed_ms: milliseconds(attempt.elapsed),
        error: attempt.error.as_ref().map(|error| Cause {
            kind: error.kind().as_str(),
            message: error.to_string(),
        }),
    }
}

/// Whole microseconds, as milliseconds.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}
