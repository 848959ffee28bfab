//! Sets up a [`HomeAssistantProvider`].

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_core::http::{HttpClient, HttpOptions};
use bmc_core::{Secret, TlsPolicy};

use super::{Client, HomeAssistantProvider};
use crate::config::ConfigError;
use crate::home_assistant::wire::Switch;

/// Longest delay that is accepted.
const MAX_DELAY: Duration = Duration::from_secs(24 * 3600);

/// Sets up a [`HomeAssistantProvider`].
#[must_use]
pub struct HomeAssistantBuilder {
    url: String,
    entity: String,
    token: Secret,
    delay: Duration,
    timeout: Duration,
    client: Option<HttpClient>,
    tls: TlsPolicy,
}

impl fmt::Debug for HomeAssistantBuilder {
    // The URL may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HomeAssistantBuilder")
            .field("entity", &self.entity)
            .field("delay", &self.delay)
            .finish_non_exhaustive()
    }
}

impl HomeAssistantBuilder {
    pub(super) fn new(url: String, entity: String) -> Self {
        Self {
            url,
            entity,
            token: Secret::new([]),
            delay: Duration::ZERO,
            timeout: Duration::from_secs(30),
            client: None,
            tls: TlsPolicy::Verify,
        }
    }

    /// The long-lived access token.
    pub fn token(mut self, token: impl Into<Secret>) -> Self {
        self.token = token.into();
        self
    }

    /// How long the machine needs after it was switched, at most a day; none unless set.
    pub fn operation_delay(mut self, delay: Duration) -> Self {
        self.delay = delay.min(MAX_DELAY);
        self
    }

    /// How long one request may take; 30 s unless set.
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Whom to believe at the other end of TLS. Without meaning if a [`client`](Self::client) is given.
    pub fn tls(mut self, policy: TlsPolicy) -> Self {
        self.tls = policy;
        self
    }

    /// Shares an HTTP client.
    pub fn client(mut self, client: &HttpClient) -> Self {
        self.client = Some(client.clone());
        self
    }

    /// Checks the settings. Sends nothing.
    ///
    /// # Errors
    /// A setting cannot be used; the error names it.
    pub fn build(self) -> Result<HomeAssistantProvider, ConfigError> {
        let switch = Switch::new(&self.url, &self.entity, &self.token)?;
        let http = match self.client {
            Some(client) => client,
            None => HttpOptions::new().tls(self.tls).build()?,
        };
        let client = Client {
            http,
            switch,
            timeout: self.timeout,
            delay: self.delay,
            settling: Mutex::new(None),
        };
        Ok(HomeAssistantProvider {
            client: Arc::new(client),
        })
    }
}
