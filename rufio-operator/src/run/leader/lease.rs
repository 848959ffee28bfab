//! The Lease object and where it is kept.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, ListParams, PostParams};
use kube::{Client, Error};

use super::{ElectionConfig, LEASE_NAME, RIVAL_LEASES};

/// Where leases are kept. The seam that tests replace.
pub trait Leases: Send + Sync + 'static {
    /// Our lease.
    fn get(&self) -> impl Future<Output = Result<Option<Lease>, LeaseError>> + Send;

    /// Makes our lease.
    fn create(&self, lease: &Lease) -> impl Future<Output = Result<Lease, LeaseError>> + Send;

    /// Writes our lease unless it has changed.
    fn replace(&self, lease: &Lease) -> impl Future<Output = Result<Lease, LeaseError>> + Send;

    /// The leases of every Rufio that can be seen, ours among them.
    fn rivals(&self) -> impl Future<Output = Result<Vec<Lease>, LeaseError>> + Send;
}

/// Why a lease could not be read or written.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LeaseError {
    /// Somebody else was faster.
    #[error("the lease has changed")]
    Conflict,
    /// We have no right (401, 403).
    #[error("{0}")]
    Refused(String),
    /// Anything else; it may pass.
    #[error("{0}")]
    Other(String),
}

/// Leases in a cluster.
#[derive(Clone)]
pub struct KubeLeases {
    own: Api<Lease>,
    all: Api<Lease>,
}

impl KubeLeases {
    /// Our lease is in `namespace`.
    pub fn new(client: Client, namespace: &str) -> Self {
        Self {
            own: Api::namespaced(client.clone(), namespace),
            all: Api::all(client),
        }
    }
}

impl fmt::Debug for KubeLeases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KubeLeases(..)")
    }
}

impl Leases for KubeLeases {
    async fn get(&self) -> Result<Option<Lease>, LeaseError> {
        Ok(self.own.get_opt(LEASE_NAME).await?)
    }

    async fn create(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        Ok(self.own.create(&PostParams::default(), lease).await?)
    }

    async fn replace(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        let params = PostParams::default();
        Ok(self.own.replace(LEASE_NAME, &params, lease).await?)
    }

    async fn rivals(&self) -> Result<Vec<Lease>, LeaseError> {
        let mut found = Vec::new();
        for name in RIVAL_LEASES {
            // RBAC can allow a list of one name.
            let params = ListParams::default().fields(&format!("metadata.name={name}"));
            match self.all.list(&params).await.map_err(LeaseError::from) {
                Ok(list) => found.extend(list.items),
                // Rights for one namespace only: a rival in it still shows.
                Err(LeaseError::Refused(_)) => found.extend(self.own.get_opt(name).await?),
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}

impl From<Error> for LeaseError {
    fn from(error: Error) -> Self {
        match &error {
            Error::Api(status) if status.code == 409 => Self::Conflict,
            Error::Api(status) if matches!(status.code, 401 | 403) => {
                Self::Refused(status.message.clone())
            }
            _ => Self::Other(error.to_string()),
        }
    }
}

/// What a Lease says.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Record {
    pub(super) holder: Option<String>,
    pub(super) duration: Option<Duration>,
    acquired: Option<Timestamp>,
    renewed: Option<Timestamp>,
    transitions: i32,
}

impl Record {
    pub(super) fn of(lease: &Lease) -> Self {
        let Some(spec) = &lease.spec else {
            return Self::default();
        };
        Self {
            holder: spec.holder_identity.clone(),
            duration: spec
                .lease_duration_seconds
                .and_then(|seconds| u64::try_from(seconds).ok())
                .map(Duration::from_secs),
            acquired: spec.acquire_time.as_ref().map(|time| time.0),
            renewed: spec.renew_time.as_ref().map(|time| time.0),
            transitions: spec.lease_transitions.unwrap_or_default(),
        }
    }

    pub(super) fn first(config: &ElectionConfig, now: Timestamp) -> Self {
        Self {
            holder: Some(config.identity.clone()),
            duration: Some(config.lease_duration),
            acquired: Some(now),
            renewed: Some(now),
            transitions: 0,
        }
    }

    /// Renewed if it is ours, taken over if not.
    pub(super) fn taken_by(self, config: &ElectionConfig, now: Timestamp) -> Self {
        let ours = self.holder.as_deref() == Some(config.identity.as_str());
        Self {
            acquired: if ours { self.acquired } else { Some(now) },
            transitions: self.transitions.saturating_add(i32::from(!ours)),
            ..Self::first(config, now)
        }
    }

    /// Held by nobody; the shortest duration, as client-go writes it.
    pub(super) fn released(self, now: Timestamp) -> Self {
        Self {
            holder: Some(String::new()),
            duration: Some(Duration::from_secs(1)),
            renewed: Some(now),
            acquired: Some(now),
            transitions: self.transitions,
        }
    }

    /// The object; `current` is what it replaces.
    pub(super) fn into_lease(self, namespace: &str, current: Option<&Lease>) -> Lease {
        let metadata = current.map_or_else(
            || ObjectMeta {
                name: Some(LEASE_NAME.to_owned()),
                namespace: Some(namespace.to_owned()),
                ..ObjectMeta::default()
            },
            |lease| lease.metadata.clone(),
        );
        let seconds = self
            .duration
            .map(|duration| i32::try_from(duration.as_secs().max(1)).unwrap_or(i32::MAX));
        Lease {
            metadata,
            spec: Some(LeaseSpec {
                holder_identity: self.holder,
                lease_duration_seconds: seconds,
                acquire_time: self.acquired.map(MicroTime),
                renew_time: self.renewed.map(MicroTime),
                lease_transitions: Some(self.transitions),
                ..current
                    .and_then(|lease| lease.spec.clone())
                    .unwrap_or_default()
            }),
        }
    }
}

/// Namespace and name.
pub(super) fn place(lease: &Lease) -> String {
    let namespace = lease.metadata.namespace.as_deref().unwrap_or_default();
    let name = lease.metadata.name.as_deref().unwrap_or_default();
    format!("{namespace}/{name}")
}
