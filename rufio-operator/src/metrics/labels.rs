//! The labels of the metrics: few values each, so that the number of series stays bounded.

use std::fmt;

use bmc_core::{Attempt, ErrorKind, Stage};
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};

use super::ReconcileOutcome;
use crate::api::{ConditionStatus, Machine, MachineConditionType, PowerState};

const POWER: [&str; 3] = ["on", "off", "unknown"];
const CONTACTABLE: [&str; 3] = ["True", "False", "Unknown"];

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(super) struct PassLabels {
    pub(super) kind: &'static str,
    pub(super) outcome: ReconcileOutcome,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(super) struct KindLabels {
    pub(super) kind: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(super) struct AttemptLabels {
    #[prometheus(flatten)]
    pub(super) step: StepLabels,
    pub(super) result: ResultLabel,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(super) struct StepLabels {
    provider: &'static str,
    operation: &'static str,
    stage: StageLabel,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(super) struct MachineLabels {
    power: &'static str,
    contactable: &'static str,
}

/// `None` is success.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(super) struct ResultLabel(Option<ErrorKind>);

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct StageLabel(Stage);

impl StepLabels {
    pub(super) fn of(operation: &'static str, attempt: &Attempt) -> Self {
        Self {
            provider: attempt.provider,
            operation,
            stage: StageLabel(attempt.stage),
        }
    }
}

impl ResultLabel {
    pub(super) fn of(attempt: &Attempt) -> Self {
        Self(attempt.error.as_ref().map(bmc_core::Error::kind))
    }
}

impl MachineLabels {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        POWER.into_iter().flat_map(|power| {
            CONTACTABLE
                .into_iter()
                .map(move |contactable| Self { power, contactable })
        })
    }

    pub(super) fn of(machine: &Machine) -> Self {
        let status = machine.status.as_ref();
        let contactable = status
            .into_iter()
            .flat_map(|status| &status.conditions)
            .find(|condition| condition.type_ == MachineConditionType::Contactable.as_str());
        Self {
            power: match status.and_then(|status| status.power_state) {
                Some(PowerState::On) => "on",
                Some(PowerState::Off) => "off",
                Some(PowerState::Unknown) | None => "unknown",
            },
            contactable: match contactable {
                Some(it) if it.status == ConditionStatus::True.as_str() => "True",
                Some(_) => "False",
                None => "Unknown",
            },
        }
    }
}

impl EncodeLabelValue for ReconcileOutcome {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        match self {
            Self::Done => "done",
            Self::Waiting => "waiting",
            Self::Retry => "retry",
        }
        .encode(encoder)
    }
}

impl EncodeLabelValue for StageLabel {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        match self.0 {
            Stage::Open => "open",
            Stage::Operate => "operate",
            Stage::Verify => "verify",
        }
        .encode(encoder)
    }
}

impl EncodeLabelValue for ResultLabel {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        self.0.map_or("ok", ErrorKind::as_str).encode(encoder)
    }
}
