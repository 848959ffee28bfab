//! What to write on a Machine, and when to look at it again.

use std::collections::BTreeMap;
use std::time::Duration;

use bmc_core::Exhausted;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::Resource;

use crate::api::{
    ConditionStatus, Machine, MachineCondition, MachineConditionType, MachineStatus, PowerState,
};
use crate::connect::ConnectError;
use crate::env::phase;
use crate::status::{advice_for_machine, bounded, describe, failed_to_open, reason};

/// Pause after the first look that failed.
const AFTER_FAILURE: Duration = Duration::from_secs(30);

/// What a look at a BMC has shown.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Observation {
    /// It told its host's power state.
    Answered(bmc_core::PowerState),
    /// It did not.
    Failed {
        /// For programs.
        reason: &'static str,
        /// For people; does not depend on timing.
        message: String,
    },
}

/// What a user can change to have a Machine looked at: everything but its status.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Fingerprint {
    generation: Option<i64>,
    labels: Option<BTreeMap<String, String>>,
    annotations: Option<BTreeMap<String, String>>,
}

impl Observation {
    /// The power state could not be read.
    pub fn from_failure(exhausted: &Exhausted) -> Self {
        let kind = exhausted.kind();
        let prefix = if failed_to_open(exhausted) {
            "failed to open connection to BMC: "
        } else {
            "get power state: "
        };
        let (cause, advice) = (describe(exhausted), advice_for_machine(kind));
        Self::Failed {
            reason: reason(kind),
            message: format!("{prefix}{cause}{advice}"),
        }
    }

    /// There is no handle to ask.
    pub fn from_connect(error: &ConnectError) -> Self {
        Self::Failed {
            reason: error.reason(),
            message: error.to_string(),
        }
    }
}

impl Fingerprint {
    /// Of this Machine.
    pub fn of(machine: &Machine) -> Self {
        let meta = machine.meta();
        Self {
            generation: meta.generation,
            labels: meta.labels.clone(),
            annotations: meta.annotations.clone(),
        }
    }
}

/// The status after an observation. `lastUpdateTime` moves only when the condition's status does.
pub fn status(
    previous: Option<&MachineStatus>,
    observation: &Observation,
    now: &Time,
) -> MachineStatus {
    let mut status = previous.cloned().unwrap_or_default();
    let (power, value, reason, message) = match observation {
        Observation::Answered(state) => (power(*state), ConditionStatus::True, None, String::new()),
        Observation::Failed { reason, message } => (
            PowerState::Unknown,
            ConditionStatus::False,
            Some((*reason).to_owned()),
            bounded(message.clone()),
        ),
    };
    status.power_state = Some(power);
    let type_ = MachineConditionType::Contactable.as_str();
    let index = status.conditions.iter().position(|c| c.type_ == type_);
    let before = index.map(|index| status.conditions.remove(index));
    let before = before.filter(|before| before.status == value.as_str());
    let kept = before
        .as_ref()
        .and_then(|before| before.last_update_time.clone());
    let condition = MachineCondition {
        type_: type_.into(),
        status: value.as_str().into(),
        last_update_time: Some(kept.unwrap_or_else(|| now.clone())),
        message: before
            .map(|before| before.message)
            .filter(|before| says_the_same(before, &message))
            .unwrap_or(message),
        reason,
    };
    status
        .conditions
        .insert(index.unwrap_or(status.conditions.len()), condition);
    status
}

/// Whether the Machine was ever looked at.
pub fn is_known(machine: &Machine) -> bool {
    is_contactable(machine.status.as_ref()).is_some()
}

/// The value of `Contactable`, if there is one.
pub fn is_contactable(status: Option<&MachineStatus>) -> Option<bool> {
    let type_ = MachineConditionType::Contactable.as_str();
    let condition = status?.conditions.iter().find(|c| c.type_ == type_)?;
    Some(condition.status == ConditionStatus::True.as_str())
}

/// The pause before the next look, after so many `looks` of which the last `failures` have failed.
///
/// The first one is between half and all of `interval`, so that Machines that appeared together part. A BMC that does not
/// answer is looked at sooner than `interval`, then less and less often.
pub fn next_look(uid: &str, looks: u32, failures: u32, interval: Duration) -> Duration {
    if failures > 0 {
        let doubled = 1_u32
            .checked_shl(failures - 1)
            .and_then(|factor| AFTER_FAILURE.checked_mul(factor));
        let pause = doubled.unwrap_or(interval).min(interval);
        return pause / 2 + phase(uid, pause / 2);
    }
    if looks > 1 {
        return interval;
    }
    interval / 2 + phase(uid, interval / 2)
}

/// Whether two messages differ in nothing but numbers in parentheses, such as how many packets were sent.
fn says_the_same(a: &str, b: &str) -> bool {
    let essence = |text: &str| {
        let mut depth = 0_i32;
        let kept = text.chars().filter(|char| {
            depth += i32::from(*char == '(') - i32::from(*char == ')');
            depth <= 0 || !char.is_ascii_digit()
        });
        kept.collect::<String>()
    };
    essence(a) == essence(b)
}

/// A host on its way is not there yet.
fn power(state: bmc_core::PowerState) -> PowerState {
    match state {
        bmc_core::PowerState::On | bmc_core::PowerState::PoweringOff => PowerState::On,
        bmc_core::PowerState::Off | bmc_core::PowerState::PoweringOn => PowerState::Off,
        _ => PowerState::Unknown,
    }
}
