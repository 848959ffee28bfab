//! What is done next for a Task.

use std::time::Duration;

use bmc_core::{BootDevice, BootMode, BootOverride, BootReading, Persistence, PowerState};
use rufio_operator::api::Task;
use rufio_operator::plan::task::{
    CYCLE_WATCH, Completion, Decision, Given, OFF_SETTLES, Progress, Seen, decide,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{TIMEOUT, at, connection, stored};

pub(crate) fn task(action: Value, started: Option<i64>) -> Task {
    let status = started.map_or(
        Value::Null,
        |seconds| json!({"startTime": at(seconds).to_string()}),
    );
    stored(
        "t",
        json!({"task": action, "connection": connection()}),
        status,
    )
}

/// One Task under the eyes of one process.
pub(crate) struct Case {
    pub(crate) task: Task,
    pub(crate) progress: Progress,
    pub(crate) given: Given,
}

impl Case {
    pub(crate) fn new(action: Value, started: Option<i64>) -> Self {
        let tick = Instant::now();
        Self {
            task: task(action, started),
            progress: Progress::new(tick),
            given: Given {
                wall: at(1),
                tick,
                timeout: TIMEOUT,
                awaited: None,
            },
        }
    }

    /// Over a connection with these providerOptions.
    pub(crate) fn over(options: Value, action: Value) -> Self {
        let mut case = Self::new(action, None);
        let connection = case.task.spec.connection.as_mut().unwrap();
        connection.provider_options = Some(serde_json::from_value(options).unwrap());
        case
    }

    /// Written, sent and accepted by this process.
    fn accepted(action: Value) -> Self {
        let mut case = Self::new(action, Some(1));
        case.progress.begun();
        case.progress.accepted(case.given.tick);
        case
    }

    /// Written and sent by this process, perhaps.
    fn unclear(action: Value) -> Self {
        let mut case = Self::new(action, Some(1));
        case.progress.begun();
        case.progress
            .unknown(case.given.tick, "ipmi: no answer".into());
        case
    }

    pub(crate) fn decide(&self) -> Decision {
        decide(&self.task, &self.progress, &self.given)
    }

    fn power(&mut self, state: PowerState) -> Decision {
        self.progress.pass_begins();
        self.progress.seen(Seen::Power(state));
        self.decide()
    }

    fn boot(&mut self, device: BootDevice, change: impl FnOnce(&mut BootReading)) -> Decision {
        let mut reading = BootReading {
            settings: BootOverride::once(device),
            valid: true,
            raw: "e0 08".into(),
        };
        change(&mut reading);
        self.progress.pass_begins();
        self.progress.seen(Seen::Boot(reading));
        self.decide()
    }

    pub(crate) fn later(&mut self, by: Duration) {
        self.given.tick += by;
        self.given.wall = self.given.wall.checked_add(by).unwrap();
    }
}

pub(crate) fn power(word: &str) -> Value {
    json!({"powerAction": word})
}

pub(crate) fn pxe() -> Value {
    json!({"oneTimeBootDeviceAction": {"device": ["pxe"], "efiBoot": false}})
}

pub(crate) fn failure(decision: Decision) -> String {
    match decision {
        Decision::Fail(message) => message,
        other => panic!("not failed: {other:?}"),
    }
}

pub(crate) const SEEN: Decision = Decision::Complete(Completion::Seen);

pub(crate) const NOT_OBSERVED: Decision = Decision::Complete(Completion::NotObserved);

#[test]
fn a_state_that_is_there_is_not_sent_for() {
    use PowerState::{Off, On, PoweringOff, PoweringOn, Unknown};
    for (action, state, wanted) in [
        ("on", On, SEEN),
        ("on", Off, Decision::Begin),
        ("on", PoweringOn, Decision::Begin),
        ("off", Off, SEEN),
        ("off", On, Decision::Begin),
        ("off", PoweringOff, Decision::Begin),
        ("off", Unknown, Decision::Begin),
        ("soft", Off, SEEN),
        ("soft", On, Decision::Begin),
        ("cycle", On, Decision::Begin),
        ("reset", On, Decision::Begin),
        ("status", On, SEEN),
        ("status", Off, SEEN),
    ] {
        let mut case = Case::new(power(action), None);
        assert_eq!(case.decide(), Decision::Look, "{action}");
        assert_eq!(case.power(state), wanted, "{action} {state}");
    }
    let mut case = Case::new(pxe(), None);
    assert_eq!(case.decide(), Decision::Look);
    assert_eq!(
        case.boot(BootDevice::Pxe, |_| ()),
        Decision::Begin,
        "its validity may be about to end"
    );
}

#[test]
fn a_machine_that_stays_off_is_not_cycled() {
    for action in ["cycle", "reset"] {
        let mut case = Case::new(power(action), None);
        assert!(matches!(case.power(PowerState::Off), Decision::Wait(_)));
        case.later(OFF_SETTLES);
        let message = failure(case.power(PowerState::Off));
        assert!(
            message.starts_with("failed to perform PowerAction: the machine is off"),
            "{message}"
        );
        assert!(message.ends_with("use powerAction on"), "{message}");
    }
}

#[test]
fn the_intent_is_written_before_anything_is_sent() {
    let mut case = Case::new(power("off"), None);
    assert_eq!(case.power(PowerState::On), Decision::Begin);
    case.task = task(power("off"), Some(1));
    case.progress.begun();
    assert_eq!(case.decide(), Decision::Send);
    case.progress.accepted(case.given.tick);
    assert_eq!(case.decide(), Decision::Look);
    assert_eq!(
        case.power(PowerState::On),
        Decision::Wait(Duration::from_millis(50))
    );
    case.later(Duration::from_secs(5));
    assert_eq!(
        case.power(PowerState::On),
        Decision::Wait(Duration::from_millis(500))
    );
    case.later(Duration::from_secs(60));
    assert_eq!(
        case.power(PowerState::On),
        Decision::Wait(Duration::from_secs(3))
    );
    assert_eq!(case.power(PowerState::Off), SEEN);
}

#[test]
fn after_a_crash_cycle_and_reset_are_not_repeated() {
    for action in ["cycle", "reset"] {
        let message = failure(Case::new(power(action), Some(1)).decide());
        let wanted = format!(
            "failed to perform PowerAction: power {action} may have been sent; not repeated"
        );
        assert!(message.starts_with(&wanted), "{message}");
    }
}

#[test]
fn after_a_crash_the_rest_converges() {
    for (action, missing, reached) in [
        ("on", PowerState::Off, PowerState::On),
        ("off", PowerState::On, PowerState::Off),
    ] {
        let mut case = Case::new(power(action), Some(1));
        assert_eq!(case.decide(), Decision::Look);
        assert_eq!(case.power(reached), SEEN);
        assert_eq!(case.power(missing), Decision::Send);
    }
    let mut case = Case::new(power("soft"), Some(1));
    assert!(
        matches!(case.power(PowerState::On), Decision::Wait(_)),
        "never sent twice"
    );
    assert_eq!(case.power(PowerState::Off), SEEN);
    let mut case = Case::new(pxe(), Some(1));
    assert_eq!(case.decide(), Decision::Look);
    assert_eq!(case.boot(BootDevice::Pxe, |_| ()), SEEN);
    assert_eq!(case.boot(BootDevice::Disk, |_| ()), Decision::Send);
    assert_eq!(
        case.boot(BootDevice::Pxe, |reading| reading.valid = false),
        Decision::Send
    );
    assert_eq!(
        Case::new(power("status"), Some(1)).power(PowerState::Off),
        SEEN
    );
}

#[test]
fn a_cycle_is_seen_or_said_not_to_be() {
    let mut case = Case::accepted(power("cycle"));
    assert_eq!(case.decide(), Decision::Look);
    assert!(matches!(case.power(PowerState::On), Decision::Wait(_)));
    assert!(matches!(case.power(PowerState::Off), Decision::Wait(_)));
    assert_eq!(case.power(PowerState::On), SEEN);

    let mut case = Case::accepted(power("cycle"));
    case.later(CYCLE_WATCH);
    assert_eq!(case.power(PowerState::On), NOT_OBSERVED);
    assert_eq!(Case::accepted(power("reset")).decide(), NOT_OBSERVED);
}

#[test]
fn an_unknown_effect_is_looked_into_and_never_guessed() {
    assert!(
        failure(Case::unclear(power("reset")).decide()).contains("not repeated (ipmi: no answer)")
    );

    let mut case = Case::unclear(power("cycle"));
    assert!(matches!(case.power(PowerState::Off), Decision::Wait(_)));
    assert_eq!(case.power(PowerState::On), SEEN);
    let mut case = Case::unclear(power("cycle"));
    assert!(matches!(case.power(PowerState::On), Decision::Wait(_)));
    case.later(CYCLE_WATCH);
    assert!(failure(case.power(PowerState::On)).contains("not repeated (ipmi: no answer)"));

    let mut case = Case::unclear(power("soft"));
    case.later(Duration::from_secs(60));
    assert!(matches!(case.power(PowerState::On), Decision::Wait(_)));

    for action in ["on", "off"] {
        let (missing, reached) = match action {
            "on" => (PowerState::Off, PowerState::On),
            _ => (PowerState::On, PowerState::Off),
        };
        let mut case = Case::unclear(power(action));
        assert!(matches!(case.power(missing), Decision::Wait(_)));
        assert_eq!(case.power(reached), SEEN);
        case.later(Duration::from_secs(4));
        assert_eq!(case.power(missing), Decision::Send);
    }
}

#[test]
fn a_boot_override_is_read_back() {
    let efi = json!({"bootDevice": {"device": "pxe", "persistent": true, "efiBoot": true}});
    let kept = |reading: &mut BootReading| {
        reading.settings.mode = BootMode::Efi;
        reading.settings.persistence = Persistence::Persistent;
    };
    assert_eq!(
        Case::accepted(efi.clone()).boot(BootDevice::Pxe, kept),
        SEEN
    );
    let partly = |change: fn(&mut BootReading)| {
        let mut case = Case::accepted(efi.clone());
        let decision = case.boot(BootDevice::Pxe, |reading| {
            kept(reading);
            change(reading);
        });
        let Decision::Complete(Completion::Partly(note)) = decision else {
            panic!("{decision:?}");
        };
        assert!(note.ends_with("(e0 08)"), "{note}");
        note
    };
    assert!(partly(|reading| reading.valid = false).contains("changed valid:"));
    assert!(partly(|reading| reading.settings.mode = BootMode::Legacy).contains("changed EFI:"));
    assert!(
        partly(|reading| reading.settings.persistence = Persistence::Once)
            .contains("changed persistent:")
    );

    let mut case = Case::accepted(pxe());
    assert!(
        matches!(case.boot(BootDevice::Disk, |_| ()), Decision::Wait(_)),
        "it may take a moment"
    );
    case.later(Duration::from_secs(3));
    let message = failure(case.boot(BootDevice::Disk, |_| ()));
    assert_eq!(
        message,
        "failed to perform OneTimeBootDeviceAction: the BMC accepted pxe once legacy and holds disk once legacy (e0 08)"
    );
    let mut case = Case::accepted(pxe());
    case.progress.seen(Seen::Nothing);
    assert_eq!(case.decide(), NOT_OBSERVED);
}

#[test]
fn a_one_time_override_is_used_before_it_is_replaced() {
    let mut case = Case::new(
        json!({"bootDevice": {"device": "disk", "persistent": true}}),
        None,
    );
    case.given.awaited = Some(BootDevice::Pxe);
    assert!(matches!(
        case.boot(BootDevice::Pxe, |_| ()),
        Decision::Wait(_)
    ));
    assert_eq!(
        case.boot(BootDevice::Pxe, |reading| reading.valid = false),
        Decision::Begin
    );
    assert!(matches!(
        case.boot(BootDevice::Pxe, |_| ()),
        Decision::Wait(_)
    ));
    case.later(TIMEOUT);
    let message = failure(case.decide());
    assert_eq!(
        message,
        "bmc task timeout: wanted boot disk persistent legacy, but the machine has not used the one-time override pxe yet, \
         which it would have lost; gave up after 10m"
    );
}

#[test]
fn the_deadline_names_what_was_wanted_and_seen() {
    // From the creation until there is a startTime, and whatever is missing.
    let mut case = Case::new(power("on"), None);
    case.progress.troubled(
        case.given.tick,
        "resolving connection secret: secret ns/s not found".into(),
    );
    assert!(matches!(case.decide(), Decision::Wait(_)));
    case.later(TIMEOUT);
    assert_eq!(
        failure(case.decide()),
        "bmc task timeout: wanted power on, state of the machine not seen; resolving connection secret: \
         secret ns/s not found; gave up after 10m"
    );
    // Then from the startTime.
    let mut case = Case::accepted(power("off"));
    case.given.wall = at(600);
    assert!(
        matches!(case.power(PowerState::On), Decision::Wait(pause) if pause <= Duration::from_secs(1))
    );
    case.given.wall = at(601);
    assert_eq!(
        failure(case.power(PowerState::On)),
        "bmc task timeout: wanted power off, last seen power on; gave up after 10m"
    );
    // A process that starts after the deadline looks once.
    let mut case = Case::new(power("off"), Some(-3600));
    assert_eq!(case.decide(), Decision::Look);
    assert!(failure(case.power(PowerState::On)).starts_with("bmc task timeout: "));
    assert_eq!(case.power(PowerState::Off), SEEN);
}

#[test]
fn trouble_pauses_and_passes() {
    let mut case = Case::new(power("on"), None);
    for wanted in [50, 100, 200, 400] {
        case.progress
            .troubled(case.given.tick, "ipmi: no answer".into());
        assert_eq!(case.decide(), Decision::Wait(Duration::from_millis(wanted)));
    }
    case.progress.wake();
    assert_eq!(case.decide(), Decision::Look);
    for _ in 0..100 {
        case.progress
            .troubled(case.given.tick, "ipmi: no answer".into());
    }
    assert_eq!(case.decide(), Decision::Wait(Duration::from_secs(10)));
    assert_eq!(case.power(PowerState::On), SEEN);
}

#[test]
fn what_has_ended_stays_so() {
    for condition in ["Completed", "Failed"] {
        let mut case = Case::new(power("cycle"), None);
        case.task = stored(
            "t",
            json!({"task": power("cycle"), "connection": connection()}),
            json!({"conditions": [{"type": condition, "status": "True"}]}),
        );
        assert_eq!(case.decide(), Decision::Nothing);
        case.given.wall = at(100_000);
        assert_eq!(case.power(PowerState::On), Decision::Nothing);
    }
}
