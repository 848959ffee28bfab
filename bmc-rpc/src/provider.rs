//! A webhook as a provider of bmc-core.

mod builder;
mod session;

use std::sync::Arc;

use async_trait::async_trait;
use bmc_core::{Effect, Provider, Session};
use tokio::time::Instant;

use crate::client::Client;
use crate::payload::Call;

pub use builder::RpcProviderBuilder;
use session::RpcSession;

/// A machine behind a webhook consumer.
///
/// Opening a session sends `ping`, and the consumer's answer counts: an error in it refuses the session.
///
/// ```
/// use bmc_rpc::{Algorithm, Keys, RpcProvider, Scheme};
///
/// let provider = RpcProvider::builder("https://consumer.example/hook", "rack-7-socket-3")
///     .keys(Keys::new().secret(Algorithm::Sha256, "a long random secret"))
///     .scheme(Scheme::rufio())
///     .build()?;
/// # Ok::<(), bmc_rpc::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct RpcProvider {
    client: Arc<Client>,
}

impl RpcProvider {
    /// Starts with bmclib's defaults: POST, `application/json`, `X-BMCLIB-*` headers, no keys. `host` tells the consumer
    /// which machine is meant.
    pub fn builder(consumer_url: impl Into<String>, host: impl Into<String>) -> RpcProviderBuilder {
        RpcProviderBuilder::new(consumer_url.into(), host.into())
    }
}

#[cfg(feature = "fuzzing")]
impl RpcProvider {
    /// What would be sent.
    pub(crate) fn http_request(
        &self,
        request: &crate::payload::Request,
        now: std::time::SystemTime,
    ) -> http::Request<bytes::Bytes> {
        self.client.shape.http_request(request, now)
    }
}

#[async_trait]
impl Provider for RpcProvider {
    fn name(&self) -> &'static str {
        "rpc"
    }

    async fn open(&self, deadline: Instant) -> Result<Arc<dyn Session>, bmc_core::Error> {
        match self.client.call(Call::Ping, None, deadline).await {
            Ok(_) => Ok(Arc::new(RpcSession::new(Arc::clone(&self.client)))),
            Err(error) => Err(bmc_core::Error::from(error).with_effect(Effect::None)),
        }
    }
}
