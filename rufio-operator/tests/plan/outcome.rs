//! What failures and ends make of a Task.

use std::time::Duration;

use bmc_core::{Effect, Error, ErrorKind, Exhausted, Report, Stage};
use rufio_operator::api::TaskConditionType;
use rufio_operator::plan::Step;
use rufio_operator::plan::task::{Verdict, verdict};
use rufio_operator::status::task_ended;
use serde_json::json;

use crate::at;
use crate::task::{power, task};

fn exhausted(stage: Stage, kind: ErrorKind, effect: Effect) -> Exhausted {
    let attempt = bmc_core::Attempt {
        provider: "ipmi",
        stage,
        elapsed: Duration::from_secs(1),
        error: Some(Error::new(kind, "the BMC's words").with_effect(effect)),
    };
    Exhausted {
        report: Report {
            operation: "power off",
            attempts: vec![attempt],
        },
        effect,
    }
}

#[test]
fn failures_are_retried_looked_into_or_final() {
    let step = Step::of(&serde_json::from_value(power("off")).unwrap()).unwrap();
    let verdict = |stage, kind, effect| verdict(&step, &exhausted(stage, kind, effect));
    for kind in [
        ErrorKind::Unreachable,
        ErrorKind::Timeout,
        ErrorKind::Busy,
        ErrorKind::Protocol,
        ErrorKind::Closed,
    ] {
        assert_eq!(
            verdict(Stage::Open, kind, Effect::None),
            Verdict::Retry(
                "Failed to connect to BMC: failed to open connection to BMC: ipmi: the BMC's words"
                    .into()
            )
        );
    }
    let Verdict::Fail(message) = verdict(Stage::Open, ErrorKind::Authentication, Effect::None)
    else {
        panic!("not final");
    };
    assert_eq!(
        message,
        "Failed to connect to BMC: failed to open connection to BMC: ipmi: the BMC's words; check username and password \
         in the Secret, then create a new Task or Job"
    );
    for kind in [
        ErrorKind::Rejected,
        ErrorKind::Unsupported,
        ErrorKind::InvalidInput,
        ErrorKind::PermissionDenied,
    ] {
        let Verdict::Fail(message) = verdict(Stage::Operate, kind, Effect::None) else {
            panic!("{kind} is not final");
        };
        assert!(
            message.starts_with("failed to perform PowerAction: ipmi: the BMC's words"),
            "{message}"
        );
    }
    assert_eq!(
        verdict(Stage::Operate, ErrorKind::Timeout, Effect::Unknown),
        Verdict::Unclear("ipmi: the BMC's words".into())
    );
}

#[test]
fn golden_statuses() {
    let now = k8s_openapi::apimachinery::pkg::apis::meta::v1::Time(at(9));
    let begun = task(power("off"), Some(2));
    let completed = task_ended(
        begun.status.as_ref(),
        TaskConditionType::Completed,
        String::new(),
        &now,
    );
    assert_eq!(
        serde_json::to_value(completed).unwrap(),
        json!({
            "startTime": "2026-01-01T00:00:02Z", "completionTime": "2026-01-01T00:00:09Z",
            "conditions": [{"status": "True", "type": "Completed"}],
        })
    );
    let failed = task_ended(None, TaskConditionType::Failed, "why".into(), &now);
    assert_eq!(
        serde_json::to_value(failed).unwrap(),
        json!({"conditions": [{"message": "why", "status": "True", "type": "Failed"}]})
    );
}
