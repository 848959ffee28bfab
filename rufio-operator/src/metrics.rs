//! What the operator counts, in the Prometheus text format.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::{ErrorKind, Report, Stage};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::api::{ConditionStatus, Machine, MachineConditionType, PowerState};

/// The operator's metrics; clones share them.
#[derive(Clone)]
pub struct Metrics {
    inner: Arc<Inner>,
}

struct Inner {
    registry: Registry,
    reconciles: Family<ReconcileLabels, Counter>,
    reconcile_seconds: Family<KindLabels, Histogram>,
    attempts: Family<AttemptLabels, Counter>,
    attempt_seconds: Family<ProviderLabels, Histogram>,
    machines: Family<MachineLabels, Gauge>,
    leader: Gauge,
}

/// How one pass over an object ended.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ReconcileOutcome {
    /// Nothing is left to do until something changes.
    Done,
    /// It will be looked at again after a while.
    Waiting,
    /// It failed and is retried.
    Retry,
}

impl Metrics {
    /// Starts all at zero.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("rufio");
        let inner = Inner {
            reconciles: Family::default(),
            reconcile_seconds: Family::new_with_constructor(latency),
            attempts: Family::default(),
            attempt_seconds: Family::new_with_constructor(latency),
            machines: Family::default(),
            leader: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register(
            "reconciles",
            "Passes over an object, by kind and outcome",
            inner.reconciles.clone(),
        );
        registry.register_with_unit(
            "reconcile_duration",
            "Duration of a pass over an object",
            Unit::Seconds,
            inner.reconcile_seconds.clone(),
        );
        registry.register(
            "bmc_attempts",
            "Steps against BMCs, by provider, stage and result (ok, or the kind of the error)",
            inner.attempts.clone(),
        );
        registry.register_with_unit(
            "bmc_attempt_duration",
            "Duration of a step against a BMC",
            Unit::Seconds,
            inner.attempt_seconds.clone(),
        );
        registry.register(
            "machines",
            "Machines, by power state and whether their BMC is contactable",
            inner.machines.clone(),
        );
        registry.register(
            "leader",
            "1 while this replica acts, 0 while it stands by",
            inner.leader.clone(),
        );
        registry.register(
            "build",
            "The running program",
            Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]),
        );
        Self {
            inner: Arc::new(Inner { registry, ..inner }),
        }
    }

    /// Counts one pass over an object of this kind.
    pub fn reconciled(&self, kind: &'static str, outcome: ReconcileOutcome, elapsed: Duration) {
        let labels = ReconcileLabels { kind, outcome };
        self.inner.reconciles.get_or_create(&labels).inc();
        self.inner
            .reconcile_seconds
            .get_or_create(&KindLabels { kind })
            .observe(elapsed.as_secs_f64());
    }

    /// Counts every attempt of an operation, failed or not.
    pub fn operated(&self, report: &Report) {
        for attempt in &report.attempts {
            let labels = AttemptLabels {
                provider: attempt.provider,
                stage: StageLabel(attempt.stage),
                result: ResultLabel(attempt.error.as_ref().map(bmc_core::Error::kind)),
            };
            self.inner.attempts.get_or_create(&labels).inc();
            let labels = ProviderLabels {
                provider: attempt.provider,
                stage: StageLabel(attempt.stage),
            };
            self.inner
                .attempt_seconds
                .get_or_create(&labels)
                .observe(attempt.elapsed.as_secs_f64());
        }
    }

    /// Says whether this replica acts.
    pub fn leading(&self, leads: bool) {
        self.inner.leader.set(i64::from(leads));
    }

    /// The text of `/metrics`; `machines` are counted now.
    pub fn render<'a>(
        &self,
        machines: impl Iterator<Item = &'a Machine>,
    ) -> Result<String, fmt::Error> {
        self.inner.machines.clear();
        for power in ["on", "off", "unknown"] {
            for contactable in ["True", "False", "Unknown"] {
                let labels = MachineLabels { power, contactable };
                drop(self.inner.machines.get_or_create(&labels));
            }
        }
        for machine in machines {
            self.inner
                .machines
                .get_or_create(&MachineLabels::of(machine))
                .inc();
        }
        let mut text = String::new();
        encode(&mut text, &self.inner.registry)?;
        Ok(text)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics(..)")
    }
}

/// From a fast reply on the same rack to a login that hangs.
fn latency() -> Histogram {
    Histogram::new([
        0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
    ])
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ReconcileLabels {
    kind: &'static str,
    outcome: ReconcileOutcome,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct KindLabels {
    kind: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct AttemptLabels {
    provider: &'static str,
    stage: StageLabel,
    result: ResultLabel,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ProviderLabels {
    provider: &'static str,
    stage: StageLabel,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct MachineLabels {
    power: &'static str,
    contactable: &'static str,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct StageLabel(Stage);

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct ResultLabel(Option<ErrorKind>);

impl MachineLabels {
    fn of(machine: &Machine) -> Self {
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

#[cfg(test)]
mod tests {
    use bmc_core::{Attempt, Error};

    use super::*;

    #[test]
    fn everything_counted_is_rendered() {
        let metrics = Metrics::new();
        metrics.reconciled("Task", ReconcileOutcome::Done, Duration::from_millis(3));
        metrics.leading(true);
        metrics.operated(&Report {
            operation: "get-power-state",
            attempts: vec![Attempt {
                provider: "ipmi",
                stage: Stage::Open,
                elapsed: Duration::from_millis(20),
                error: Some(Error::new(ErrorKind::Timeout, "silence")),
            }],
        });
        let machine = Machine::default();
        for _ in 0..2 {
            let text = metrics.render([&machine].into_iter()).unwrap();
            for line in [
                "rufio_reconciles_total{kind=\"Task\",outcome=\"done\"} 1",
                "rufio_bmc_attempts_total{provider=\"ipmi\",stage=\"open\",result=\"timeout\"} 1",
                "rufio_machines{power=\"unknown\",contactable=\"Unknown\"} 1",
                "rufio_machines{power=\"on\",contactable=\"True\"} 0",
                "rufio_leader 1",
                "rufio_build_info{version=",
            ] {
                assert!(text.contains(line), "{line} in:\n{text}");
            }
        }
    }
}
