//! From a Connection and its Secrets to a BMC handle: the one file that names every protocol crate.

use std::future::Future;

use bmc_core::Bmc;

use crate::api::Connection;
use crate::store::{Key, StoreError};

/// Turns a [`Connection`] into a handle. The seam that tests replace.
pub trait Connect: Clone + Send + Sync + 'static {
    /// The handle for this connection; the same handle as long as connection and Secrets are unchanged.
    /// `owner_namespace` is where a Secret reference without a namespace looks.
    fn connect(
        &self,
        connection: &Connection,
        owner_namespace: &str,
    ) -> impl Future<Output = Result<Bmc, ConnectError>> + Send;
}

/// Why there is no handle. Nothing was sent to the BMC.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ConnectError {
    /// A Secret does not exist (yet).
    #[error("secret {0} not found")]
    SecretMissing(Key),
    /// A Secret lacks a key.
    #[error("secret {secret} has no key {key:?}")]
    SecretKeyMissing {
        /// The Secret.
        secret: Key,
        /// The key that is not there.
        key: &'static str,
    },
    /// A field of the connection is not usable; waiting does not help.
    #[error("{field}: {reason}")]
    Invalid {
        /// Path of the field below `spec.connection`.
        field: &'static str,
        /// What is allowed.
        reason: String,
    },
    /// The Secret could not be read.
    #[error("secret {secret}: {error}")]
    Store {
        /// The Secret.
        secret: Key,
        /// Why.
        error: StoreError,
    },
}
