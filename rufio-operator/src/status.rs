//! How conditions are built and how failures are worded: stable text, whatever the timing and whatever the ports.

use std::time::Duration;

use bmc_core::{ErrorKind, Exhausted, Stage};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

use crate::api::{
    ConditionStatus, JobCondition, JobConditionType, JobStatus, TaskCondition, TaskConditionType,
    TaskStatus,
};

/// Type of the temporary condition of a Job that waits for something. Never in a finished object.
pub const WAITING: &str = "Waiting";

/// Longest message in a status, in bytes.
const MESSAGE_LIMIT: usize = 1024;

/// Whether the Task has ended, one way or the other.
pub fn task_finished(status: Option<&TaskStatus>) -> bool {
    task_has(status, TaskConditionType::Completed) || task_has(status, TaskConditionType::Failed)
}

/// Whether this condition of the Task holds.
pub fn task_has(status: Option<&TaskStatus>, type_: TaskConditionType) -> bool {
    let conditions = status.map(|status| status.conditions.as_slice());
    conditions
        .unwrap_or_default()
        .iter()
        .any(|condition| holds(&condition.type_, &condition.status, type_.as_str()))
}

/// The message of the condition `Failed`.
pub fn task_failure(status: Option<&TaskStatus>) -> Option<&str> {
    let failed = status?.conditions.iter().find(|condition| {
        holds(
            &condition.type_,
            &condition.status,
            TaskConditionType::Failed.as_str(),
        )
    })?;
    Some(&failed.message)
}

/// The status of a Task that ends now.
pub fn task_ended(
    status: Option<&TaskStatus>,
    type_: TaskConditionType,
    message: String,
    now: &Time,
) -> TaskStatus {
    let mut status = status.cloned().unwrap_or_default();
    status.conditions = vec![TaskCondition {
        type_: type_.as_str().into(),
        status: ConditionStatus::True.as_str().into(),
        message: bounded(message),
    }];
    if type_ == TaskConditionType::Completed {
        status.start_time.get_or_insert_with(|| now.clone());
        status.completion_time = Some(now.clone());
    }
    status
}

/// Whether this condition of the Job holds.
pub fn job_has(status: Option<&JobStatus>, type_: JobConditionType) -> bool {
    let conditions = status.map(|status| status.conditions.as_slice());
    conditions
        .unwrap_or_default()
        .iter()
        .any(|condition| holds(&condition.type_, &condition.status, type_.as_str()))
}

/// Whether the Job has ended, one way or the other.
pub fn job_finished(status: Option<&JobStatus>) -> bool {
    job_has(status, JobConditionType::Completed) || job_has(status, JobConditionType::Failed)
}

/// The status of a Job that waits before it has begun.
pub fn job_waiting(status: Option<&JobStatus>, message: String) -> JobStatus {
    let mut status = status.cloned().unwrap_or_default();
    status
        .conditions
        .retain(|condition| condition.type_ != WAITING);
    status.conditions.push(JobCondition {
        type_: WAITING.into(),
        status: ConditionStatus::True.as_str().into(),
        message: bounded(message),
    });
    status
}

/// The status of a Job that runs, and waits for nothing.
pub fn job_running(status: Option<&JobStatus>, now: &Time) -> JobStatus {
    let mut status = status.cloned().unwrap_or_default();
    status.conditions = vec![job_condition(JobConditionType::Running, String::new())];
    status.start_time.get_or_insert_with(|| now.clone());
    status
}

/// The status of a Job that ends now. `Running` stays true, as Rufio leaves it.
pub fn job_ended(
    status: Option<&JobStatus>,
    type_: JobConditionType,
    message: String,
    now: &Time,
) -> JobStatus {
    let mut status = status.cloned().unwrap_or_default();
    status.conditions = vec![
        job_condition(JobConditionType::Running, String::new()),
        job_condition(type_, message),
    ];
    if type_ == JobConditionType::Completed {
        status.start_time.get_or_insert_with(|| now.clone());
        status.completion_time = Some(now.clone());
    }
    status
}

/// The failures of an operation in one line that does not depend on how long anything took.
pub fn describe(exhausted: &Exhausted) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (attempt, error) in exhausted.report.failures() {
        let part = format!("{}: {error}", attempt.provider);
        if error.kind() != ErrorKind::NotTried && !parts.contains(&part) {
            parts.push(part);
        }
    }
    if parts.is_empty() {
        return "no provider to try".into();
    }
    parts.join("; ")
}

/// Whether the most telling failure happened before any request was sent.
pub fn failed_to_open(exhausted: &Exhausted) -> bool {
    exhausted.effect == bmc_core::Effect::None
        && exhausted
            .report
            .failures()
            .find(|(_, error)| error.kind() == exhausted.kind())
            .is_none_or(|(attempt, _)| attempt.stage == Stage::Open)
}

/// A failure for programs: the `reason` of a condition or an Event.
pub fn reason(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Authentication => "AuthFailed",
        ErrorKind::PermissionDenied => "PermissionDenied",
        ErrorKind::Unreachable => "Unreachable",
        ErrorKind::Timeout => "Timeout",
        ErrorKind::Tls => "TLSFailed",
        ErrorKind::Busy => "Busy",
        ErrorKind::Unsupported => "Unsupported",
        ErrorKind::InvalidInput => "InvalidSpec",
        _ => "BMCError",
    }
}

/// What a person can do about a failure that does not pass by itself.
pub fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Authentication => {
            "; check username and password in the Secret, then create a new Task or Job"
        }
        ErrorKind::PermissionDenied => "; give the user a higher privilege on the BMC",
        ErrorKind::Tls => "; set insecureTLS or trust the certificate of the BMC",
        ErrorKind::Unsupported => "; reach the BMC through a provider that can do it",
        ErrorKind::Rejected => "; the BMC does not allow it in its present state or configuration",
        _ => "",
    }
}

/// What a person can do about a Machine that is not contactable.
pub fn advice_for_machine(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Authentication => "; not tried again until the Secret or the Machine changes",
        kind => advice(kind),
    }
}

/// `10m`, `1m30s`, `2h`, `45s`.
pub fn human(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let parts = [
        (seconds / 3600, 'h'),
        (seconds / 60 % 60, 'm'),
        (seconds % 60, 's'),
    ];
    let text: String = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count}{unit}"))
        .collect();
    if text.is_empty() { "0s".into() } else { text }
}

/// Cuts a message to what a status may hold.
pub fn bounded(mut message: String) -> String {
    if message.len() > MESSAGE_LIMIT {
        let cut = (0..=MESSAGE_LIMIT - '…'.len_utf8())
            .rev()
            .find(|index| message.is_char_boundary(*index));
        message.truncate(cut.unwrap_or_default());
        message.push('…');
    }
    message
}

fn job_condition(type_: JobConditionType, message: String) -> JobCondition {
    JobCondition {
        type_: type_.as_str().into(),
        status: ConditionStatus::True.as_str().into(),
        message: bounded(message),
    }
}

fn holds(type_: &str, status: &str, wanted: &str) -> bool {
    type_ == wanted && status == ConditionStatus::True.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_people_write_them() {
        let human = |seconds| human(Duration::from_secs(seconds));
        assert_eq!(human(600), "10m");
        assert_eq!(human(90), "1m30s");
        assert_eq!(human(7200), "2h");
        assert_eq!(human(0), "0s");
    }

    #[test]
    fn messages_are_cut_between_characters() {
        let long = bounded("ü".repeat(2000));
        assert!(long.len() <= MESSAGE_LIMIT && long.ends_with('…'));
        assert_eq!(bounded("short".into()), "short");
    }
}
