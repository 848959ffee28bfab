//! Sets up an [`RpcProvider`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bmc_core::TlsPolicy;
use bmc_core::http::{HttpClient, HttpOptions};

use super::RpcProvider;
use crate::algorithm::Keys;
use crate::client::{Client, Clock, Ids};
use crate::config::ConfigError;
use crate::dot_path::Template;
use crate::exchange::{self, Shape};
use crate::scheme::Scheme;
use crate::sign::Signer;

/// Sets up an [`RpcProvider`]. The crate's documentation tells which setting stands for which field of Rufio's.
#[must_use]
pub struct RpcProviderBuilder {
    consumer_url: String,
    host: String,
    http_method: String,
    http_content_type: String,
    static_headers: BTreeMap<String, Vec<String>>,
    scheme: Scheme,
    keys: Keys,
    custom_payload: Option<(String, String)>,
    log_notifications: bool,
    request_timeout: Duration,
    client: Option<HttpClient>,
    tls: TlsPolicy,
    clock: Clock,
}

impl fmt::Debug for RpcProviderBuilder {
    // URL, static headers and payload may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RpcProviderBuilder")
            .field("host", &self.host)
            .field("scheme", &self.scheme)
            .field("keys", &self.keys)
            .finish_non_exhaustive()
    }
}

impl RpcProviderBuilder {
    pub(super) fn new(consumer_url: String, host: String) -> Self {
        Self {
            consumer_url,
            host,
            http_method: "POST".to_owned(),
            http_content_type: "application/json".to_owned(),
            static_headers: BTreeMap::new(),
            scheme: Scheme::bmclib(),
            keys: Keys::new(),
            custom_payload: None,
            log_notifications: true,
            request_timeout: Duration::from_secs(30),
            client: None,
            tls: TlsPolicy::Verify,
            clock: Clock(Arc::new(SystemTime::now)),
        }
    }

    /// The HTTP method; `POST` unless set.
    pub fn http_method(mut self, method: impl Into<String>) -> Self {
        self.http_method = method.into();
        self
    }

    /// The content type; `application/json` unless set, no such header if empty.
    pub fn http_content_type(mut self, content_type: impl Into<String>) -> Self {
        self.http_content_type = content_type.into();
        self
    }

    /// Headers that every request has. Several values of one are joined by commas. Their values are never logged.
    pub fn static_headers(mut self, headers: BTreeMap<String, Vec<String>>) -> Self {
        self.static_headers = headers;
        self
    }

    /// How requests are stamped and signed.
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = scheme;
        self
    }

    /// The secrets to sign with: every request is signed with each. None: nothing is signed.
    pub fn keys(mut self, keys: Keys) -> Self {
        self.keys = keys;
        self
    }

    /// Puts the request into this payload, in JSON or YAML, at this path; see [`dot_path`](crate::dot_path). If either is
    /// empty, the request is the whole body.
    pub fn custom_payload(
        mut self,
        payload: impl Into<String>,
        dot_path: impl Into<String>,
    ) -> Self {
        self.custom_payload = Some((payload.into(), dot_path.into()));
        self
    }

    /// Whether exchanges are logged, without bodies and headers; unless set, they are.
    pub fn log_notifications(mut self, log: bool) -> Self {
        self.log_notifications = log;
        self
    }

    /// How long one request may take; 30 s unless set.
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.request_timeout = timeout;
        self
    }

    /// Whom to believe at the other end of TLS. Without meaning if a [`client`](Self::client) is given.
    pub fn tls(mut self, policy: TlsPolicy) -> Self {
        self.tls = policy;
        self
    }

    /// Shares an HTTP client. Give it to all BMCs with the same TLS policy: it holds the root certificates.
    pub fn client(mut self, client: &HttpClient) -> Self {
        self.client = Some(client.clone());
        self
    }

    /// The wall clock for timestamps and ids; the system's unless set.
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Clock(Arc::new(clock));
        self
    }

    /// Checks the settings. Sends nothing.
    ///
    /// # Errors
    /// A setting cannot be used; the error names it.
    pub fn build(self) -> Result<RpcProvider, ConfigError> {
        if self.host.is_empty() {
            return Err(ConfigError::Empty { setting: "host" });
        }
        let signer = Signer::new(&self.scheme, self.keys)?;
        let template = match &self.custom_payload {
            Some((payload, path)) if !payload.is_empty() && !path.is_empty() => {
                Some(Template::new(payload, path)?)
            }
            _ => None,
        };
        let shape = Shape {
            url: exchange::url("consumer URL", &self.consumer_url)?,
            method: exchange::method(&self.http_method)?,
            headers: exchange::headers(&self.static_headers, &self.http_content_type, &signer)?,
            template,
            signer,
        };
        let http = match self.client {
            Some(client) => client,
            None => HttpOptions::new().tls(self.tls).build()?,
        };
        let client = Client {
            http,
            shape,
            host: self.host,
            timeout: self.request_timeout,
            log: self.log_notifications,
            clock: self.clock,
            ids: Ids::default(),
        };
        Ok(RpcProvider {
            client: Arc::new(client),
        })
    }
}
