//! Cluster mode: the objects live in Kubernetes.

mod client;

use std::io;
use std::pin::pin;
use std::time::Duration;

use kube::Client;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::args::RunArgs;
use crate::env::Env;
use crate::metrics::Metrics;
use crate::reconcile::Controllers;
use crate::run::admin::{Admin, BindError, Readiness};
use crate::run::behaviour;
use crate::run::leader::{
    Election, ElectionConfig, ElectionConfigError, KubeLeases, Leadership, Standing, warn_of_rivals,
};
use crate::run::shutdown::{self, CutOff, Shutdown, Signals, supervise};
use crate::store::kube::{INSTALL_DEFINITIONS, KubeStore, await_definitions};

pub use client::ClientError;

/// A Kubernetes pod has ten seconds to end; what is not done by then is left.
const GRACE: Duration = Duration::from_secs(9);

/// Why the operator ended.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Signals cannot be received.
    #[error("signals: {0}")]
    Signals(io::Error),
    /// A server could not be started.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// No cluster to talk to.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The times of the election do not fit together.
    #[error(transparent)]
    Election(#[from] ElectionConfigError),
    /// Another replica leads, or may soon.
    #[error("this replica no longer leads; it must start again")]
    Deposed,
    /// Not everything could be finished.
    #[error(transparent)]
    CutOff(#[from] CutOff),
}

/// Serves a cluster until a signal comes.
pub async fn run(args: RunArgs) -> Result<(), RunError> {
    let mut signals = Signals::new().map_err(RunError::Signals)?;
    let (trigger, shutdown) = shutdown::channel();
    let metrics = Metrics::new();
    let admin = Admin::new(metrics.clone(), shutdown.clone(), "starting");
    let _servers = admin
        .serve(&args.metrics_bind_address, &args.health_probe_bind_address)
        .await?;
    let serving = serve(args, admin, metrics, shutdown);
    supervise(serving, trigger, async || signals.next().await, GRACE).await?
}

async fn serve(
    args: RunArgs,
    admin: Admin,
    metrics: Metrics,
    shutdown: Shutdown,
) -> Result<(), RunError> {
    let (client, namespace) = client::connect(&args).await?;
    let store = tokio::select! {
        biased;
        () = shutdown.requested() => return Ok(()),
        store = open(&client, &args, &admin) => store,
    };
    admin.count_machines(&store);
    admin.set_ready(Readiness::Ready);
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "ready");

    let (stopped, released) = oneshot::channel();
    let (leadership, election) = elect(&args, client, namespace, &shutdown, released)?;
    let result = act(&args, store, leadership, metrics, &admin, &shutdown).await;
    drop(stopped);
    // Ends when the lease is released.
    let _ = election.await;
    result
}

/// Waits for the definitions and for the caches.
async fn open(client: &Client, args: &RunArgs, admin: &Admin) -> KubeStore {
    let waiting = |what: &str| admin.set_ready(Readiness::Waiting(what.to_owned()));
    waiting("waiting for the definitions of machines, jobs and tasks");
    await_definitions(client, |missing| {
        let advice = format!("{missing}; install the definitions: {INSTALL_DEFINITIONS}");
        tracing::warn!("{advice}");
        waiting(&advice);
    })
    .await;
    waiting("filling the caches");
    KubeStore::new(client.clone(), args.kube_namespace.as_deref()).await
}

/// Starts the election; without one, starts a lookout for another Rufio.
fn elect(
    args: &RunArgs,
    client: Client,
    namespace: String,
    shutdown: &Shutdown,
    released: oneshot::Receiver<()>,
) -> Result<(Leadership, JoinHandle<()>), RunError> {
    let leases = KubeLeases::new(client, &namespace);
    let scope = args.kube_namespace.clone();
    if !args.leader_elect {
        let lookout = tokio::spawn(warn_of_rivals(leases, scope, shutdown.clone()));
        return Ok((Leadership::without_election(), lookout));
    }
    let config = ElectionConfig {
        identity: identity(),
        namespace,
        scope,
        lease_duration: args.leader_election_lease_duration,
        renew_deadline: args.leader_election_renew_deadline,
        retry_period: args.leader_election_retry_period,
    };
    config.check()?;
    let (election, leadership) = Election::new(leases, config, Env::system());
    let released = async {
        // An error means that nothing acts any more, too.
        let _ = released.await;
    };
    let task = tokio::spawn(election.run(shutdown.clone(), released));
    Ok((leadership, task))
}

/// Acts while leading.
async fn act(
    args: &RunArgs,
    store: KubeStore,
    mut leadership: Leadership,
    metrics: Metrics,
    admin: &Admin,
    shutdown: &Shutdown,
) -> Result<(), RunError> {
    tokio::select! {
        biased;
        () = shutdown.requested() => return Ok(()),
        () = stand_by(&mut leadership, admin) => {}
    }
    metrics.leading(true);
    let connect = behaviour::connector(&args.behaviour, store.clone());
    let standing = leadership.clone();
    let config =
        behaviour::controllers(&args.behaviour, metrics.clone(), move || standing.is_held());
    let controllers = Controllers::new(store.clone(), connect, Env::system(), config);
    let (trigger, stop) = shutdown::channel();
    let mut acting = pin!(controllers.run(stop.requested()));
    let result = tokio::select! {
        biased;
        () = leadership.lost() => Err(RunError::Deposed),
        () = shutdown.requested() => Ok(()),
        () = &mut acting => return Ok(()),
    };
    metrics.leading(false);
    trigger.fire();
    if result.is_ok() {
        acting.await;
        store.flush_events().await;
    }
    result
}

/// Waits until this replica may act; meanwhile `/readyz` says for whom.
async fn stand_by(leadership: &mut Leadership, admin: &Admin) {
    loop {
        match leadership.standing() {
            Standing::Waiting { reason } => admin.set_ready(Readiness::StandingBy(reason)),
            Standing::Leading { .. } | Standing::Alone => break,
            // Only at a shutdown, which is waited for beside this.
            Standing::Lost { .. } => {}
        }
        leadership.changed().await;
    }
    admin.set_ready(Readiness::Ready);
}

/// Unique among all candidates, and telling.
fn identity() -> String {
    let host = std::env::var("POD_NAME")
        .or_else(|_| std::env::var("HOSTNAME"))
        .unwrap_or_else(|_| "rufio-operator".to_owned());
    format!("{host}_{:016x}", rand::random::<u64>())
}
