//! From a Connection and its Secrets to a BMC handle: the one file that names every protocol crate.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::Bmc;
pub use bmc_ipmi::Transport;

use self::options::IpmiOptions;
use self::port::IpmiWithFallback;
use self::secrets::Secrets;
use crate::api::Connection;
use crate::bmc_pool::BmcPool;
use crate::store::{Key, Store, StoreError};

mod options;
mod port;
mod secrets;

/// Turns a [`Connection`] into a handle. The seam that tests replace.
pub trait Connect: Clone + Send + Sync + 'static {
    /// The handle for this connection; the same handle as long as connection and Secrets are unchanged.
    /// `owner_namespace` is where a Secret reference without a namespace looks.
    fn connect(
        &self,
        connection: &Connection,
        owner_namespace: &str,
    ) -> impl Future<Output = Result<Bmc, ConnectError>> + Send;

    /// This Secret has appeared, changed or gone.
    fn secret_changed(&self, _secret: &Key) {}

    /// Something that the owner of a working connection should know.
    fn notice(&self, _connection: &Connection, _owner_namespace: &str) -> Option<String> {
        None
    }

    /// Logs out everywhere; takes at most `limit`.
    fn close(&self, _limit: Duration) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// Limits of the handles that a [`Connect`] makes.
#[derive(Clone, Copy, Debug)]
pub struct ConnectConfig {
    /// Time that logging in and one operation may take: 20 s by default.
    pub attempt_timeout: Duration,
    /// When a handle that nobody asks for is forgotten; longer than the poll interval. 2 h by default.
    pub idle: Duration,
}

/// Connects by IPMI over one [`Transport`]. Clones share handles and Secrets.
#[derive(Clone, Debug)]
pub struct IpmiConnect<S> {
    shared: Arc<Shared<S>>,
}

#[derive(Debug)]
struct Shared<S> {
    store: S,
    transport: Transport,
    config: ConnectConfig,
    secrets: Secrets,
    pool: BmcPool<PoolKey, IpmiWithFallback>,
}

/// One BMC, reached in one way with one credential.
type PoolKey = (IpmiOptions, Key);

impl<S: Store> IpmiConnect<S> {
    /// Reads Secrets from `store` and reaches BMCs over `transport`.
    pub fn new(store: S, transport: Transport, config: ConnectConfig) -> Self {
        Self {
            shared: Arc::new(Shared {
                store,
                transport,
                config,
                secrets: Secrets::default(),
                pool: BmcPool::new(config.idle),
            }),
        }
    }

    /// Number of BMCs that a handle is kept for.
    pub fn handles(&self) -> usize {
        self.shared.pool.len()
    }
}

impl<S: Store> Connect for IpmiConnect<S> {
    async fn connect(
        &self,
        connection: &Connection,
        owner_namespace: &str,
    ) -> Result<Bmc, ConnectError> {
        let shared = &self.shared;
        let options = IpmiOptions::of(connection)?;
        let Some(secret) = secrets_of(connection, owner_namespace).into_iter().next() else {
            return Err(ConnectError::Invalid {
                field: "authSecretRef.name",
                reason: "required: names the Secret with username and password".into(),
            });
        };
        let (credentials, version) = shared.secrets.credentials(&shared.store, &secret).await?;
        let key = (options, secret);
        let handle = shared.pool.get_or_build(&key, &version, || {
            let provider = key.0.provider(&credentials, &shared.transport)?;
            let bmc = Bmc::builder()
                .provider(provider.clone())
                .attempt_timeout(shared.config.attempt_timeout)
                .build();
            Ok((bmc, provider))
        });
        Ok(handle?.0)
    }

    fn secret_changed(&self, secret: &Key) {
        self.shared.secrets.forget(secret);
    }

    fn notice(&self, connection: &Connection, owner_namespace: &str) -> Option<String> {
        let options = IpmiOptions::of(connection).ok()?;
        let secret = secrets_of(connection, owner_namespace).into_iter().next()?;
        let key = (options, secret);
        let in_use = self.shared.pool.extra(&key)?.is_in_use();
        in_use.then(|| key.0.notice()).flatten()
    }

    async fn close(&self, limit: Duration) {
        self.shared.pool.close(limit).await;
    }
}

impl Default for ConnectConfig {
    fn default() -> Self {
        Self {
            attempt_timeout: Duration::from_secs(20),
            idle: Duration::from_secs(2 * 3600),
        }
    }
}

/// The Secrets that a connection needs.
pub fn secrets_of(connection: &Connection, owner_namespace: &str) -> Vec<Key> {
    let reference = &connection.auth_secret_ref;
    let name = reference.name.clone().filter(|name| !name.is_empty());
    let namespace = reference
        .namespace
        .clone()
        .filter(|namespace| !namespace.is_empty());
    let key = name.map(|name| Key {
        namespace: namespace.unwrap_or_else(|| owner_namespace.to_owned()),
        name,
    });
    key.into_iter().collect()
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
    #[error("spec.connection.{field}: {reason}")]
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

impl ConnectError {
    /// For programs.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::SecretMissing(_) => "SecretMissing",
            Self::SecretKeyMissing { .. } => "SecretInvalid",
            Self::Invalid { .. } => "InvalidSpec",
            Self::Store { .. } => "SecretUnreadable",
        }
    }

    /// Whether it passes by itself, without anybody changing anything.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Store {
                error: StoreError::Unavailable(_) | StoreError::Unknown(_) | StoreError::Conflict,
                ..
            }
        )
    }
}
