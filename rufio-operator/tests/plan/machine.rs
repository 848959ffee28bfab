use std::time::Duration;

use bmc_core::{Attempt, Effect, Error, ErrorKind, Exhausted, PowerState, Report, Stage};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use rufio_operator::api::{self, Machine, MachineStatus};
use rufio_operator::connect::ConnectError;
use rufio_operator::plan::machine::{Fingerprint, Observation, next_look, status};
use rufio_operator::store::{Key, StoreError};
use serde_json::{Value, json};

use super::{at, connection, stored};

fn time(seconds: i64) -> Time {
    Time(at(seconds))
}

fn seen(state: PowerState) -> MachineStatus {
    status(None, &Observation::Answered(state), &time(0))
}

fn failed(message: &str) -> Observation {
    Observation::Failed {
        reason: "Timeout",
        message: message.into(),
    }
}

fn exhausted(attempts: &[(Stage, ErrorKind, &'static str, u64)]) -> Exhausted {
    let attempts = attempts.iter().map(|(stage, kind, text, elapsed)| Attempt {
        provider: "ipmi",
        stage: *stage,
        elapsed: Duration::from_millis(*elapsed),
        error: Some(Error::new(*kind, *text)),
    });
    Exhausted {
        report: Report {
            operation: "power status",
            attempts: attempts.collect(),
        },
        effect: Effect::None,
    }
}

#[test]
fn golden_status() {
    assert_eq!(
        serde_json::to_value(seen(PowerState::On)).unwrap(),
        json!({
            "conditions": [{"lastUpdateTime": "2026-01-01T00:00:00Z", "status": "True", "type": "Contactable"}],
            "powerState": "on",
        })
    );
    let status = status(None, &failed("get power state: ipmi: no answer"), &time(0));
    assert_eq!(
        serde_json::to_value(status).unwrap(),
        json!({
            "conditions": [{
                "lastUpdateTime": "2026-01-01T00:00:00Z", "status": "False", "type": "Contactable",
                "message": "get power state: ipmi: no answer", "reason": "Timeout",
            }],
            "powerState": "unknown",
        })
    );
}

#[test]
fn a_host_on_its_way_is_not_there_yet() {
    for (state, wanted) in [
        (PowerState::On, api::PowerState::On),
        (PowerState::PoweringOff, api::PowerState::On),
        (PowerState::Off, api::PowerState::Off),
        (PowerState::PoweringOn, api::PowerState::Off),
        (PowerState::Unknown, api::PowerState::Unknown),
    ] {
        let status = seen(state);
        assert_eq!(status.power_state, Some(wanted));
        assert_eq!(status.conditions[0].status, "True", "it has answered");
    }
}

#[test]
fn the_time_moves_only_with_the_status() {
    let first = seen(PowerState::On);
    let again = status(
        Some(&first),
        &Observation::Answered(PowerState::On),
        &time(60),
    );
    assert_eq!(again, first, "nothing to write");
    let off = status(
        Some(&first),
        &Observation::Answered(PowerState::Off),
        &time(60),
    );
    assert_eq!(off.conditions, first.conditions);
    let lost = status(Some(&off), &failed("a"), &time(120));
    assert_eq!(lost.conditions[0].last_update_time, Some(time(120)));
    let otherwise = status(Some(&lost), &failed("b"), &time(180));
    assert_eq!(otherwise.conditions[0].last_update_time, Some(time(120)));
    assert_eq!(otherwise.conditions[0].message, "b");
    let back = status(
        Some(&otherwise),
        &Observation::Answered(PowerState::Off),
        &time(240),
    );
    assert_eq!(back.conditions[0].last_update_time, Some(time(240)));
    assert_eq!(
        (
            back.conditions[0].message.as_str(),
            &back.conditions[0].reason
        ),
        ("", &None)
    );
}

#[test]
fn a_count_alone_is_no_news() {
    let first = status(None, &failed("no answer (5 sent)"), &time(0));
    assert_eq!(
        status(Some(&first), &failed("no answer (12 sent)"), &time(60)),
        first
    );
    for news in [
        "no answer (5 heard)",
        "no reply (5 sent)",
        "no answer on port 5",
    ] {
        assert_ne!(
            status(Some(&first), &failed(news), &time(60)),
            first,
            "{news}"
        );
    }
    let at_port = |port| status(None, &failed(&format!("nothing at h:{port}")), &time(0));
    assert_ne!(
        status(Some(&at_port(1)), &failed("nothing at h:2"), &time(0)),
        at_port(1)
    );
}

#[test]
fn others_conditions_are_kept() {
    let mut other = seen(PowerState::On);
    other.conditions[0].type_ = "Mine".into();
    let status = status(
        Some(&other),
        &Observation::Answered(PowerState::On),
        &time(1),
    );
    let types: Vec<_> = status
        .conditions
        .iter()
        .map(|condition| condition.type_.as_str())
        .collect();
    assert_eq!(types, ["Mine", "Contactable"]);
}

#[test]
fn a_message_does_not_depend_on_timing() {
    let message = |elapsed, attempts: usize| {
        let attempt = (Stage::Open, ErrorKind::Timeout, "no answer", elapsed);
        Observation::from_failure(&exhausted(&vec![attempt; attempts]))
    };
    assert_eq!(message(100, 1), message(2000, 2));
    assert_eq!(
        message(100, 1),
        failed("failed to open connection to BMC: ipmi: no answer")
    );
    let read = exhausted(&[(Stage::Operate, ErrorKind::Timeout, "no answer", 1)]);
    assert_eq!(
        Observation::from_failure(&read),
        failed("get power state: ipmi: no answer")
    );
}

#[test]
fn reasons_tell_what_to_do() {
    let reason = |observation| match observation {
        Observation::Failed { reason, .. } => reason,
        Observation::Answered(_) => "",
    };
    let secret = Key {
        namespace: "ns".into(),
        name: "s".into(),
    };
    for (error, wanted) in [
        (ConnectError::SecretMissing(secret.clone()), "SecretMissing"),
        (
            ConnectError::SecretKeyMissing {
                secret: secret.clone(),
                key: "password",
            },
            "SecretInvalid",
        ),
        (
            ConnectError::Invalid {
                field: "host",
                reason: String::new(),
            },
            "InvalidSpec",
        ),
        (
            ConnectError::Store {
                secret,
                error: StoreError::Forbidden(String::new()),
            },
            "SecretUnreadable",
        ),
    ] {
        assert!(!error.is_passing());
        assert_eq!(reason(Observation::from_connect(&error)), wanted);
    }
    for (kind, wanted) in [
        (ErrorKind::Authentication, "AuthFailed"),
        (ErrorKind::Unreachable, "Unreachable"),
        (ErrorKind::Timeout, "Timeout"),
        (ErrorKind::Busy, "Busy"),
        (ErrorKind::Protocol, "BMCError"),
    ] {
        let exhausted = exhausted(&[(Stage::Open, kind, "", 1)]);
        assert_eq!(reason(Observation::from_failure(&exhausted)), wanted);
    }
}

#[test]
fn only_what_a_user_changes_wakes() {
    let machine = |generation, annotation: Option<&str>, status: Value| {
        let mut machine: Machine = stored("m", json!({"connection": connection()}), status);
        machine.metadata.generation = Some(generation);
        machine.metadata.resource_version = Some("99".into());
        machine.metadata.annotations =
            annotation.map(|value| [("poke".to_owned(), value.to_owned())].into());
        Fingerprint::of(&machine)
    };
    let before = machine(1, None, Value::Null);
    assert_eq!(machine(1, None, json!({"powerState": "on"})), before);
    assert_ne!(machine(2, None, Value::Null), before);
    assert_ne!(machine(1, Some("1"), Value::Null), before);
}

#[test]
fn looks_are_spread_then_regular_and_sooner_after_a_failure() {
    let interval = Duration::from_secs(180);
    let firsts: Vec<Duration> = (0..100)
        .map(|n| next_look(&format!("uid-{n}"), 1, 0, interval))
        .collect();
    assert!(
        firsts
            .iter()
            .all(|pause| (interval / 2..=interval).contains(pause))
    );
    let (least, most) = (firsts.iter().min().unwrap(), firsts.iter().max().unwrap());
    assert!(*most - *least > interval / 3, "not spread");
    assert_eq!(next_look("uid", 2, 0, interval), interval);
    let retries: Vec<Duration> = (1..40)
        .map(|failures| next_look("uid", 9, failures, interval))
        .collect();
    assert!(retries[0] <= Duration::from_secs(30) && retries.is_sorted());
    assert!(retries.iter().all(|pause| *pause <= interval));
}
