//! What the operator tells over HTTP: whether it lives, whether it is ready, what it counts.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::api::Machine;
use crate::args::Listen;
use crate::metrics::Metrics;
use crate::store::Store;

/// What the servers tell; clones share it.
#[derive(Clone)]
pub struct Admin {
    metrics: Metrics,
    ready: watch::Sender<Readiness>,
    machines: Arc<OnceLock<MachineSource>>,
}

/// Whether the operator is ready. Standing by without the lease is ready too.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Readiness {
    /// It serves, or could at once.
    Ready,
    /// What it waits for, for a person.
    Waiting(String),
}

/// A server could not be started.
#[derive(Debug, thiserror::Error)]
#[error("{flag}: cannot listen on {address}: {error}")]
pub struct BindError {
    /// The flag that said where.
    pub flag: &'static str,
    /// The address.
    pub address: String,
    /// What the system says.
    pub error: io::Error,
}

type MachineSource =
    Box<dyn Fn() -> Pin<Box<dyn Future<Output = Vec<Arc<Machine>>> + Send>> + Send + Sync>;

impl Admin {
    /// Not ready, for this reason.
    pub fn new(metrics: Metrics, waiting_for: &str) -> Self {
        Self {
            metrics,
            ready: watch::channel(Readiness::Waiting(waiting_for.to_owned())).0,
            machines: Arc::default(),
        }
    }

    /// Changes what `/readyz` says.
    pub fn set_ready(&self, readiness: Readiness) {
        self.ready.send_replace(readiness);
    }

    /// From now on `/metrics` counts the Machines of this store.
    pub fn count_machines<S: Store>(&self, store: &S) {
        let store = store.clone();
        let source: MachineSource = Box::new(move || {
            let store = store.clone();
            Box::pin(async move { store.cached_all::<Machine>().await })
        });
        // Called once; a second store would not replace the first.
        let _ = self.machines.set(source);
    }

    /// Starts the servers; one serves all where both addresses are the same and name a port.
    pub async fn serve(&self, metrics: &Listen, health: &Listen) -> Result<(), BindError> {
        if metrics == health && !metrics.is_any_port() {
            let all = self.health_routes().merge(self.metrics_routes());
            return spawn("--metrics-bind-address", metrics, all).await;
        }
        spawn("--metrics-bind-address", metrics, self.metrics_routes()).await?;
        spawn("--health-probe-bind-address", health, self.health_routes()).await
    }

    fn health_routes(&self) -> Router {
        Router::new()
            .route("/healthz", get(|| async { "ok" }))
            .route("/readyz", get(readyz))
            .with_state(self.clone())
    }

    fn metrics_routes(&self) -> Router {
        Router::new()
            .route("/metrics", get(metrics))
            .with_state(self.clone())
    }
}

async fn readyz(State(admin): State<Admin>) -> Response {
    let readiness = admin.ready.borrow().clone();
    match readiness {
        Readiness::Ready => "ok".into_response(),
        Readiness::Waiting(reason) => (StatusCode::SERVICE_UNAVAILABLE, reason).into_response(),
    }
}

async fn metrics(State(admin): State<Admin>) -> Response {
    let machines = match admin.machines.get() {
        Some(source) => source().await,
        None => vec![],
    };
    match admin.metrics.render(machines.iter().map(AsRef::as_ref)) {
        Ok(text) => {
            let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, content_type)], text).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

async fn spawn(flag: &'static str, listen: &Listen, routes: Router) -> Result<(), BindError> {
    let bound = match listen {
        Listen::Off => return Ok(()),
        Listen::At { host, port } => TcpListener::bind((host.as_str(), *port)).await,
        Listen::Everywhere { port } => {
            match TcpListener::bind((Ipv6Addr::UNSPECIFIED, *port)).await {
                // A host without IPv6.
                Err(error) if error.kind() != io::ErrorKind::AddrInUse => {
                    TcpListener::bind((Ipv4Addr::UNSPECIFIED, *port)).await
                }
                bound => bound,
            }
        }
    };
    let started = bound.and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) = started.map_err(|error| BindError {
        flag,
        address: listen.to_string(),
        error,
    })?;
    tracing::info!(flag, %address, "listening");
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, routes).await {
            tracing::error!("{flag}: {error}");
        }
    });
    Ok(())
}
