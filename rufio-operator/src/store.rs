//! The objects: one trait, two homes. Nothing outside `store/` and `run/` knows which.

pub mod fault;
mod key_feed;
pub mod kube;
pub mod memory;
mod view;

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use ::kube::Resource;
use bmc_core::Secret;
use futures_util::Stream;
use k8s_openapi::NamespaceResourceScope;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::{Job, JobStatus, Machine, MachineStatus, Task, TaskStatus};

/// Where the objects live.
///
/// Reads of the cache may be old; that is harmless, because each irreversible step follows a successful
/// [`write_status`](Self::write_status).
pub trait Store: Clone + Send + Sync + 'static {
    /// The object as the cache knows it.
    fn cached<K: Kind>(&self, key: &Key) -> impl Future<Output = Option<Arc<K>>> + Send;

    /// Every object of a kind as the cache knows it, in order of key.
    fn cached_all<K: Kind>(&self) -> impl Future<Output = Vec<Arc<K>>> + Send;

    /// The cached objects of a namespace whose controller owner has this uid, in order of name.
    fn cached_children<K: Kind>(
        &self,
        namespace: &str,
        owner_uid: &str,
    ) -> impl Future<Output = Vec<Arc<K>>> + Send;

    /// The object as it is now (linearizable).
    fn live<K: Kind>(
        &self,
        key: &Key,
    ) -> impl Future<Output = Result<Option<K>, StoreError>> + Send;

    /// Creates an object; the answer has uid and resourceVersion.
    fn create<K: Kind>(&self, new: &K) -> impl Future<Output = Result<K, StoreError>> + Send;

    /// Replaces the status if the object is still the one that was seen: compare-and-swap on resourceVersion.
    /// The answer is what the server kept (fields may be pruned).
    fn write_status<K: Kind>(
        &self,
        seen: &K,
        status: K::Status,
    ) -> impl Future<Output = Result<K, StoreError>> + Send;

    /// Deletes the object if it still has the uid that was seen.
    fn delete<K: Kind>(&self, seen: &K) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Every change from now on, beginning with a [`Change::Reset`] that holds all objects.
    fn changes<K: Kind>(&self) -> impl Stream<Item = Change<K>> + Send + 'static;

    /// The data of a Secret as it is now; and from now on changes of this Secret appear in
    /// [`secret_changes`](Self::secret_changes).
    fn secret(
        &self,
        key: &Key,
    ) -> impl Future<Output = Result<Option<SecretData>, StoreError>> + Send;

    /// Keys of Secrets, once asked for through [`secret`](Self::secret), that have appeared, changed or gone.
    fn secret_changes(&self) -> impl Stream<Item = Key> + Send + 'static;

    /// Publishes an Event. Never fails the caller: what cannot be published is logged.
    fn event(&self, event: Event) -> impl Future<Output = ()> + Send;
}

/// A kind of object that the store holds.
pub trait Kind:
    Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + Clone
    + fmt::Debug
    + DeserializeOwned
    + Serialize
    + Send
    + Sync
    + 'static
{
    /// The kind's status.
    type Status: Clone
        + fmt::Debug
        + Default
        + PartialEq
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static;
    /// The kind's name.
    const KIND: &'static str;

    /// The status, if there is one.
    fn status(&self) -> Option<&Self::Status>;

    /// Replaces the status.
    fn set_status(&mut self, status: Self::Status);

    /// Namespace and name.
    fn key(&self) -> Key {
        Key {
            namespace: self.meta().namespace.clone().unwrap_or_default(),
            name: self.meta().name.clone().unwrap_or_default(),
        }
    }

    /// The uid; empty on an object that was never stored.
    fn uid(&self) -> &str {
        self.meta().uid.as_deref().unwrap_or_default()
    }
}

/// Names an object of a known kind.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Key {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
}

/// A change of the objects of one kind. A lost watch shows only as `Reset`: consumers compare.
#[derive(Clone, Debug)]
pub enum Change<K> {
    /// These are all the objects.
    Reset(Vec<Arc<K>>),
    /// The object is new or has changed.
    Applied(Arc<K>),
    /// The object is gone.
    Deleted(Arc<K>),
}

/// Data of a Secret.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SecretData {
    /// The values by key, decoded from base64.
    pub data: BTreeMap<String, Secret>,
    /// Changes whenever the Secret does.
    pub version: String,
}

/// Something worth telling about an object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Event {
    /// The object.
    pub regarding: ObjectRef,
    /// Normal or Warning.
    pub severity: Severity,
    /// CamelCase, for programs.
    pub reason: &'static str,
    /// CamelCase verb: what the operator was doing.
    pub action: &'static str,
    /// For a person; cut to 1024 bytes.
    pub note: String,
}

/// Names one generation of an object.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ObjectRef {
    /// Kind of the group `bmc.tinkerbell.org`.
    pub kind: &'static str,
    /// Namespace and name.
    pub key: Key,
    /// Uid.
    pub uid: String,
}

/// Weight of an [`Event`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Severity {
    /// As it should be.
    Normal,
    /// Somebody may have to act.
    Warning,
}

/// Why the store did not do it.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum StoreError {
    /// An object of that name exists.
    #[error("already exists")]
    AlreadyExists,
    /// The object has changed since it was seen, or is another generation.
    #[error("the object has changed")]
    Conflict,
    /// The object is gone.
    #[error("the object is gone")]
    Gone,
    /// The server refuses the object; the text says which field.
    #[error("{0}")]
    Invalid(String),
    /// The caller lacks the right; the text is the server's.
    #[error("{0}")]
    Forbidden(String),
    /// The request may have been carried out: read live.
    #[error("unknown outcome: {0}")]
    Unknown(String),
    /// The server could not be asked.
    #[error("unavailable: {0}")]
    Unavailable(String),
}

/// Longest note of an Event that the API server accepts, in bytes.
pub const NOTE_LIMIT: usize = 1024;

impl Event {
    /// Cuts the note to [`NOTE_LIMIT`], between two characters.
    fn cut_note(&mut self) {
        let end = (0..=NOTE_LIMIT)
            .rev()
            .find(|end| self.note.is_char_boundary(*end));
        if self.note.len() > NOTE_LIMIT {
            self.note.truncate(end.unwrap_or_default());
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

macro_rules! kind {
    ($kind:ident, $status:ident) => {
        impl Kind for $kind {
            type Status = $status;
            const KIND: &'static str = stringify!($kind);

            fn status(&self) -> Option<&$status> {
                self.status.as_ref()
            }

            fn set_status(&mut self, status: $status) {
                self.status = Some(status);
            }
        }
    };
}

kind!(Machine, MachineStatus);
kind!(Job, JobStatus);
kind!(Task, TaskStatus);
