//! Leases in a cluster.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use k8s_openapi::api::coordination::v1::Lease;
use kube::api::{Api, ListParams, PostParams};
use kube::{Client, Error};

use super::{LEASE_NAME, LeaseError, Leases, RUFIO_LEASES};

/// Leases in a cluster.
#[derive(Clone)]
pub struct KubeLeases {
    own: Api<Lease>,
    all: Api<Lease>,
    namespace: String,
    /// Whether it was said that only our namespace can be seen.
    narrow: Arc<AtomicBool>,
}

impl KubeLeases {
    /// Our lease is in `namespace`.
    pub fn new(client: Client, namespace: &str) -> Self {
        Self {
            own: Api::namespaced(client.clone(), namespace),
            all: Api::all(client),
            namespace: namespace.to_owned(),
            narrow: Arc::default(),
        }
    }

    fn error(&self, verb: &'static str, error: Error) -> LeaseError {
        match error {
            Error::Api(status) if status.code == 409 => LeaseError::Conflict,
            Error::Api(status) if matches!(status.code, 401 | 403) => LeaseError::Refused {
                verb,
                namespace: self.namespace.clone(),
                message: status.message,
            },
            error => LeaseError::Other(error.to_string()),
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
        let lease = self.own.get_opt(LEASE_NAME).await;
        lease.map_err(|error| self.error("get", error))
    }

    async fn create(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        let created = self.own.create(&PostParams::default(), lease).await;
        created.map_err(|error| self.error("create", error))
    }

    async fn replace(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        let params = PostParams::default();
        let replaced = self.own.replace(LEASE_NAME, &params, lease).await;
        replaced.map_err(|error| self.error("update", error))
    }

    async fn rivals(&self) -> Result<Vec<Lease>, LeaseError> {
        let mut found = Vec::new();
        for name in RUFIO_LEASES {
            // RBAC can allow a list of one name.
            let params = ListParams::default().fields(&format!("metadata.name={name}"));
            match self.all.list(&params).await {
                Ok(list) => found.extend(list.items),
                // A rival in our namespace still shows.
                Err(Error::Api(status)) if status.code == 403 => {
                    if !self.narrow.swap(true, Ordering::Relaxed) {
                        tracing::warn!(
                            "another Rufio is noticed in namespace {} only: {}",
                            self.namespace,
                            status.message
                        );
                    }
                    let lease = self.own.get_opt(name).await;
                    found.extend(lease.map_err(|error| self.error("get", error))?);
                }
                Err(error) => return Err(self.error("list", error)),
            }
        }
        Ok(found)
    }
}
