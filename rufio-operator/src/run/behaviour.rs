//! From arguments to the settings of the controllers and of the way to the BMCs.

mod scope;

use std::sync::Arc;
use std::time::Duration;

use crate::args::{BehaviourArgs, SecretScope};
use crate::connect::{Connect, ConnectConfig, Connector, Transport};
use crate::metrics::Metrics;
use crate::reconcile::Config;
use crate::store::Store;

use scope::Scoped;

/// Passes and logouts together stay below the ten seconds that a pod has.
const DRAIN: Duration = Duration::from_secs(3);

/// The settings of the controllers; `leads` is asked before every irreversible step.
pub(super) fn controllers(
    args: &BehaviourArgs,
    metrics: Metrics,
    leads: impl Fn() -> bool + Send + Sync + 'static,
) -> Config {
    let workers = usize::from(args.max_concurrent_reconciles);
    Config {
        task_timeout: args.task_timeout,
        poll_interval: args.power_check_interval,
        machine_workers: workers,
        job_workers: workers,
        task_workers: workers,
        drain: DRAIN,
        leads: Arc::new(leads),
        metrics,
    }
}

/// The way to the BMCs, with the Secrets of `store`.
pub(super) fn connector<S: Store>(args: &BehaviourArgs, store: S) -> impl Connect + use<S> {
    let config = ConnectConfig {
        attempt_timeout: args.bmc_connect_timeout,
        // A handle must outlive the pause between two looks.
        idle: ConnectConfig::default()
            .idle
            .max(args.power_check_interval.saturating_mul(2)),
    };
    Scoped {
        connect: Connector::new(store, Transport::new(), config),
        own_namespace_only: args.secret_scope == SecretScope::SameNamespace,
    }
}
