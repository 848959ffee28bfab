//! What the operator counts, in the Prometheus text format.
//!
//! Counting takes a lock that is shared and a hash of a few words: nothing is allocated for labels that were seen before. What
//! can be counted when it is asked for (Machines, queues) costs nothing until then.

mod labels;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bmc_core::Report;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::api::Machine;
use labels::{AttemptLabels, KindLabels, MachineLabels, PassLabels, ResultLabel, StepLabels};

/// The operator's metrics; clones share them.
#[derive(Clone)]
pub struct Metrics {
    inner: Arc<Inner>,
}

struct Inner {
    registry: Registry,
    passes: Family<PassLabels, Counter>,
    pass_seconds: Family<KindLabels, Histogram>,
    attempts: Family<AttemptLabels, Counter>,
    attempt_seconds: Family<StepLabels, Histogram>,
    leader: Gauge,
    depths: Mutex<BTreeMap<&'static str, Depth>>,
}

/// Tells how many objects are to be looked at.
type Depth = Box<dyn Fn() -> usize + Send + Sync>;

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
        let passes = Family::default();
        registry.register(
            "reconciles",
            "Passes over an object, by kind and outcome",
            passes.clone(),
        );
        let pass_seconds = Family::new_with_constructor(latency as fn() -> Histogram);
        registry.register_with_unit(
            "reconcile_duration",
            "Duration of a pass over an object",
            Unit::Seconds,
            pass_seconds.clone(),
        );
        let attempts = Family::default();
        registry.register(
            "bmc_attempts",
            "Steps against BMCs, by provider, operation, stage and result (ok, or the kind of the error)",
            attempts.clone(),
        );
        let attempt_seconds = Family::new_with_constructor(latency as fn() -> Histogram);
        registry.register_with_unit(
            "bmc_attempt_duration",
            "Duration of a step against a BMC",
            Unit::Seconds,
            attempt_seconds.clone(),
        );
        let leader = Gauge::default();
        registry.register(
            "leader",
            "1 while this replica acts, 0 while it stands by",
            leader.clone(),
        );
        registry.register(
            "build",
            "The running program",
            Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]),
        );
        Self {
            inner: Arc::new(Inner {
                registry,
                passes,
                pass_seconds,
                attempts,
                attempt_seconds,
                leader,
                depths: Mutex::default(),
            }),
        }
    }

    /// Counts one pass over an object of this kind.
    pub fn reconciled(&self, kind: &'static str, outcome: ReconcileOutcome, elapsed: Duration) {
        let labels = PassLabels { kind, outcome };
        self.inner.passes.get_or_create(&labels).inc();
        let labels = KindLabels { kind };
        let seconds = self.inner.pass_seconds.get_or_create(&labels);
        seconds.observe(elapsed.as_secs_f64());
    }

    /// Counts every attempt of an operation, failed or not.
    pub fn operated(&self, report: &Report) {
        for attempt in &report.attempts {
            let step = StepLabels::of(report.operation, attempt);
            let seconds = self.inner.attempt_seconds.get_or_create(&step);
            seconds.observe(attempt.elapsed.as_secs_f64());
            let labels = AttemptLabels {
                step,
                result: ResultLabel::of(attempt),
            };
            self.inner.attempts.get_or_create(&labels).inc();
        }
    }

    /// Says whether this replica acts.
    pub fn leading(&self, leads: bool) {
        self.inner.leader.set(i64::from(leads));
    }

    /// From now on `depth` is asked how many objects of this kind are to be looked at.
    pub fn watch_queue(
        &self,
        kind: &'static str,
        depth: impl Fn() -> usize + Send + Sync + 'static,
    ) {
        let mut depths = self.inner.depths.lock();
        let depths = depths.as_mut().unwrap_or_else(|poison| poison.get_mut());
        depths.insert(kind, Box::new(depth));
    }

    /// The text of `/metrics`; `machines` and the queues are counted now.
    pub fn render<'a>(
        &self,
        machines: impl Iterator<Item = &'a Machine>,
    ) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode_registry(&mut text, &self.inner.registry)?;
        encode_registry(&mut text, &self.counted_now(machines))?;
        encode_eof(&mut text)?;
        Ok(text)
    }

    fn counted_now<'a>(&self, machines: impl Iterator<Item = &'a Machine>) -> Registry {
        let mut registry = Registry::with_prefix("rufio");
        let by_state = Family::<MachineLabels, Gauge>::default();
        for labels in MachineLabels::all() {
            drop(by_state.get_or_create(&labels));
        }
        for machine in machines {
            by_state.get_or_create(&MachineLabels::of(machine)).inc();
        }
        registry.register(
            "machines",
            "Machines, by power state and whether their BMC is contactable",
            by_state,
        );
        let queues = Family::<KindLabels, Gauge>::default();
        let depths = self.inner.depths.lock();
        for (kind, depth) in depths.unwrap_or_else(PoisonError::into_inner).iter() {
            let depth = i64::try_from(depth()).unwrap_or(i64::MAX);
            queues.get_or_create(&KindLabels { kind }).set(depth);
        }
        registry.register(
            "queue_depth",
            "Objects to be looked at as soon as possible",
            queues,
        );
        registry
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

#[cfg(test)]
mod tests {
    use bmc_core::{Attempt, Error, ErrorKind, Stage};

    use super::*;
    use crate::api::{MachineCondition, MachineStatus, PowerState};

    fn attempt(stage: Stage, milliseconds: u64, error: Option<ErrorKind>) -> Attempt {
        Attempt {
            provider: "ipmi",
            stage,
            elapsed: Duration::from_millis(milliseconds),
            error: error.map(|kind| Error::new(kind, "why")),
        }
    }

    fn machine(power: PowerState, contactable: &str) -> Machine {
        let condition = MachineCondition {
            type_: "Contactable".to_owned(),
            status: contactable.to_owned(),
            ..MachineCondition::default()
        };
        Machine {
            status: Some(MachineStatus {
                power_state: Some(power),
                conditions: vec![condition],
            }),
            ..Machine::default()
        }
    }

    #[test]
    fn everything_counted_is_rendered_and_nothing_twice() {
        let metrics = Metrics::new();
        metrics.reconciled("Task", ReconcileOutcome::Done, Duration::from_millis(3));
        metrics.leading(true);
        metrics.watch_queue("Task", || 3);
        metrics.watch_queue("Task", || 4);
        metrics.operated(&Report {
            operation: "power-state",
            attempts: vec![
                attempt(Stage::Open, 20, Some(ErrorKind::Timeout)),
                attempt(Stage::Operate, 200, None),
            ],
        });
        let machines = [
            Machine::default(),
            machine(PowerState::On, "True"),
            machine(PowerState::On, "True"),
            machine(PowerState::Unknown, "False"),
        ];
        for _ in 0..2 {
            let text = metrics.render(machines.iter()).unwrap();
            for line in [
                "rufio_reconciles_total{kind=\"Task\",outcome=\"done\"} 1",
                "rufio_reconcile_duration_seconds_count{kind=\"Task\"} 1",
                "rufio_bmc_attempts_total{provider=\"ipmi\",operation=\"power-state\",stage=\"open\",result=\"timeout\"} 1",
                "rufio_bmc_attempts_total{provider=\"ipmi\",operation=\"power-state\",stage=\"operate\",result=\"ok\"} 1",
                "rufio_bmc_attempt_duration_seconds_bucket{le=\"0.1\",provider=\"ipmi\",operation=\"power-state\",stage=\"operate\"} 0",
                "rufio_bmc_attempt_duration_seconds_bucket{le=\"0.25\",provider=\"ipmi\",operation=\"power-state\",stage=\"operate\"} 1",
                "rufio_machines{power=\"unknown\",contactable=\"Unknown\"} 1",
                "rufio_machines{power=\"unknown\",contactable=\"False\"} 1",
                "rufio_machines{power=\"on\",contactable=\"True\"} 2",
                "rufio_machines{power=\"off\",contactable=\"True\"} 0",
                "rufio_queue_depth{kind=\"Task\"} 4",
                "rufio_leader 1",
                concat!(
                    "rufio_build_info{version=\"",
                    env!("CARGO_PKG_VERSION"),
                    "\"} 1"
                ),
            ] {
                let times = text.lines().filter(|it| *it == line).count();
                assert_eq!(times, 1, "{line} in:\n{text}");
            }
            assert!(text.ends_with("# EOF\n"));
            assert_eq!(text.matches("# EOF").count(), 1);
        }
    }

    #[test]
    fn a_machine_that_is_gone_is_counted_no_more() {
        let metrics = Metrics::new();
        let one = machine(PowerState::Off, "True");
        let line =
            |count: u32| format!("rufio_machines{{power=\"off\",contactable=\"True\"}} {count}\n");
        assert!(
            metrics
                .render([&one].into_iter())
                .unwrap()
                .contains(&line(1))
        );
        assert!(metrics.render([].into_iter()).unwrap().contains(&line(0)));
    }
}
