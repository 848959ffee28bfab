//! What the operator tells over HTTP: whether it lives, whether it is ready, what it counts.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::api::Machine;
use crate::args::Listen;
use crate::metrics::Metrics;
use crate::run::shutdown::Shutdown;
use crate::store::Store;

/// What the servers tell; clones share it.
#[derive(Clone)]
pub struct Admin {
    metrics: Metrics,
    shutdown: Shutdown,
    ready: watch::Sender<Readiness>,
    machines: Arc<OnceLock<MachineSource>>,
}

/// Whether the operator is ready. Until it stops: from then on it is not, whatever was said.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Readiness {
    /// It serves.
    Ready,
    /// It could serve at once, but somebody else does: ready too. Who, for a person.
    StandingBy(Arc<str>),
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

/// The running servers. Dropping it ends them.
#[must_use = "dropping it ends the servers"]
#[derive(Debug, Default)]
pub struct Servers {
    tasks: JoinSet<()>,
    /// Where they listen, that of the metrics first.
    pub addresses: Vec<SocketAddr>,
}

type MachineSource =
    Box<dyn Fn() -> Pin<Box<dyn Future<Output = Vec<Arc<Machine>>> + Send>> + Send + Sync>;

impl Admin {
    /// Not ready, for this reason.
    pub fn new(metrics: Metrics, shutdown: Shutdown, waiting_for: &str) -> Self {
        Self {
            metrics,
            shutdown,
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
    ///
    /// They go on while the operator stops, so that probes see it stop.
    pub async fn serve(&self, metrics: &Listen, health: &Listen) -> Result<Servers, BindError> {
        let mut servers = Servers::default();
        let mut routes = self.metrics_routes();
        if metrics == health && !metrics.is_any_port() {
            routes = routes.merge(self.health_routes());
        } else {
            let flag = "--health-probe-bind-address";
            servers.start(flag, health, self.health_routes()).await?;
        }
        let flag = "--metrics-bind-address";
        servers.start(flag, metrics, routes).await?;
        servers.addresses.reverse();
        Ok(servers)
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

impl Servers {
    async fn start(
        &mut self,
        flag: &'static str,
        listen: &Listen,
        routes: Router,
    ) -> Result<(), BindError> {
        let bound = match bind(listen).await {
            Ok(None) => return Ok(()),
            Ok(Some(listener)) => listener.local_addr().map(|address| (address, listener)),
            Err(error) => Err(error),
        };
        let (address, listener) = bound.map_err(|error| BindError {
            flag,
            address: listen.to_string(),
            error,
        })?;
        tracing::info!(flag, %address, "listening");
        self.addresses.push(address);
        self.tasks.spawn(async move {
            if let Err(error) = axum::serve(listener, routes).await {
                tracing::error!("{flag}: {error}");
            }
        });
        Ok(())
    }
}

async fn bind(listen: &Listen) -> io::Result<Option<TcpListener>> {
    match listen {
        Listen::Off => Ok(None),
        Listen::At { host, port } => TcpListener::bind((host.as_str(), *port)).await.map(Some),
        Listen::Everywhere { port } => {
            match TcpListener::bind((Ipv6Addr::UNSPECIFIED, *port)).await {
                // A host without IPv6.
                Err(error) if error.kind() != io::ErrorKind::AddrInUse => {
                    TcpListener::bind((Ipv4Addr::UNSPECIFIED, *port)).await
                }
                bound => bound,
            }
            .map(Some)
        }
    }
}

async fn readyz(State(admin): State<Admin>) -> Response {
    if admin.shutdown.is_requested() {
        return (StatusCode::SERVICE_UNAVAILABLE, "shutting down").into_response();
    }
    let readiness = admin.ready.borrow().clone();
    match readiness {
        Readiness::Ready => "ok".into_response(),
        Readiness::StandingBy(reason) => format!("ok: standing by: {reason}").into_response(),
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

#[cfg(test)]
mod tests;
