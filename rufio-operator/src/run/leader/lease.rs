//! The Lease object, and the seam to where it is kept.

use std::future::Future;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;

use super::LEASE_NAME;

/// Where leases are kept. The seam that tests replace.
pub trait Leases: Send + Sync + 'static {
    /// Our lease.
    fn get(&self) -> impl Future<Output = Result<Option<Lease>, LeaseError>> + Send;

    /// Makes our lease.
    fn create(&self, lease: &Lease) -> impl Future<Output = Result<Lease, LeaseError>> + Send;

    /// Writes our lease if its resourceVersion is still the server's.
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
    /// The right is missing (401, 403).
    #[error(
        "not allowed to {verb} leases.coordination.k8s.io in namespace {namespace}: the API server says {message:?}"
    )]
    Refused {
        /// RBAC verb.
        verb: &'static str,
        /// Namespace of our lease.
        namespace: String,
        /// The server's words.
        message: String,
    },
    /// Anything else; it may pass, and a write may have been carried out.
    #[error("{0}")]
    Other(String),
}

/// What a Lease says.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Record {
    pub(super) holder: Option<String>,
    pub(super) duration: Option<Duration>,
    pub(super) acquired: Option<Timestamp>,
    pub(super) renewed: Option<Timestamp>,
    pub(super) transitions: i32,
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

    /// Renewed if `holder` has it, taken over if not.
    pub(super) fn taken_by(self, holder: &str, duration: Duration, now: Timestamp) -> Self {
        let ours = self.holder.as_deref() == Some(holder);
        let is_new = self.holder.is_none();
        Self {
            holder: Some(holder.to_owned()),
            duration: Some(duration),
            acquired: if ours { self.acquired } else { Some(now) },
            renewed: Some(now),
            transitions: self.transitions.saturating_add(i32::from(!ours && !is_new)),
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
        let spec = current.and_then(|lease| lease.spec.clone());
        Lease {
            metadata,
            spec: Some(LeaseSpec {
                holder_identity: self.holder,
                lease_duration_seconds: self.duration.map(whole_seconds),
                acquire_time: self.acquired.map(MicroTime),
                renew_time: self.renewed.map(MicroTime),
                lease_transitions: Some(self.transitions),
                ..spec.unwrap_or_default()
            }),
        }
    }
}

/// Rounded up: others must not wait less than we count on.
fn whole_seconds(duration: Duration) -> i32 {
    let seconds = duration.as_millis().div_ceil(1000).max(1);
    i32::try_from(seconds).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn a_lease_is_made_renewed_taken_and_released() {
        let duration = Duration::from_millis(15_001);
        let made = Record::default().taken_by("a", duration, at(1));
        let lease = made.clone().into_lease("ns", None);
        assert_eq!(lease.metadata.name.as_deref(), Some(LEASE_NAME));
        assert_eq!(lease.metadata.namespace.as_deref(), Some("ns"));
        let made = Record::of(&lease);
        assert_eq!(made.duration, Some(Duration::from_secs(16)));
        assert_eq!(made.transitions, 0);
        let renewed = made.taken_by("a", duration, at(2));
        assert_eq!(
            (renewed.acquired, renewed.renewed),
            (Some(at(1)), Some(at(2)))
        );
        assert_eq!(renewed.transitions, 0);
        let taken = renewed.taken_by("b", duration, at(3));
        assert_eq!((taken.acquired, taken.renewed), (Some(at(3)), Some(at(3))));
        assert_eq!(taken.transitions, 1);
        let free = taken.released(at(4));
        assert_eq!(free.holder.as_deref(), Some(""));
        assert_eq!(free.taken_by("c", duration, at(5)).transitions, 2);
    }

    #[test]
    fn what_others_wrote_on_the_lease_stays() {
        let mut theirs = Record::default().into_lease("ns", None);
        theirs.metadata.resource_version = Some("7".to_owned());
        theirs.spec.as_mut().unwrap().preferred_holder = Some("x".to_owned());
        let ours = Record::of(&theirs).taken_by("a", Duration::from_secs(1), at(1));
        let ours = ours.into_lease("ns", Some(&theirs));
        assert_eq!(ours.metadata, theirs.metadata);
        assert_eq!(ours.spec.unwrap().preferred_holder.as_deref(), Some("x"));
    }
}
