//! The settings of an [`HttpClient`].

use std::fmt;
use std::time::Duration;

use super::client::HttpClient;
use super::error::HttpConfigError;
use super::tls;
use crate::tls::TlsPolicy;

/// Settings of an [`HttpClient`]; [`build`](Self::build) checks them.
#[derive(Clone)]
#[must_use]
pub struct HttpOptions {
    tls: TlsPolicy,
    connect_timeout: Duration,
    idle_timeout: Duration,
    max_body: usize,
    proxy: Option<String>,
}

impl fmt::Debug for HttpOptions {
    // The proxy's URL may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpOptions")
            .field("connect_timeout", &self.connect_timeout)
            .field("idle_timeout", &self.idle_timeout)
            .field("max_body", &self.max_body)
            .finish_non_exhaustive()
    }
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl HttpOptions {
    /// Verified TLS, 5 s to connect, 30 s until an unused connection is closed, bodies up to 512 KiB, no proxy.
    pub fn new() -> Self {
        Self {
            tls: TlsPolicy::Verify,
            connect_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(30),
            max_body: 512 * 1024,
            proxy: None,
        }
    }

    /// Whom to believe at the other end of TLS.
    pub fn tls(mut self, policy: TlsPolicy) -> Self {
        self.tls = policy;
        self
    }

    /// How long connecting may take, name resolution and TLS included. A peer that drops packets costs this much.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How long an unused connection is kept. Zero: each request has its own.
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.idle_timeout = timeout;
        self
    }

    /// Most bytes of a body, unpacked.
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// Sends everything through this HTTP proxy. Variables of the environment are not looked at: BMCs are rarely behind
    /// the proxy that leads to the internet.
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = Some(url.into());
        self
    }

    /// The client. Reads root certificates, sends nothing.
    ///
    /// # Errors
    /// A setting cannot be used; the error names it.
    pub fn build(self) -> Result<HttpClient, HttpConfigError> {
        if self.max_body == 0 {
            return Err(HttpConfigError::MaxBody);
        }
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::client_config(&self.tls)?)
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(self.idle_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            // Some servers on BMCs look for `Content-Type` with these very capitals.
            .http1_title_case_headers()
            .http1_only();
        if self.idle_timeout.is_zero() {
            builder = builder.pool_max_idle_per_host(0);
        }
        if let Some(url) = &self.proxy {
            builder = builder.proxy(proxy(url)?);
        }
        let client = builder.build().map_err(|_| HttpConfigError::System)?;
        Ok(HttpClient::new(client, self.max_body))
    }
}

fn proxy(url: &str) -> Result<reqwest::Proxy, HttpConfigError> {
    let known = ["http://", "https://"];
    if !known.iter().any(|scheme| url.starts_with(scheme)) {
        return Err(HttpConfigError::Proxy);
    }
    reqwest::Proxy::all(url).map_err(|_| HttpConfigError::Proxy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_settings_are_named() {
        let refused = |options: HttpOptions| options.build().map(drop).unwrap_err();
        let roots = |pem: &str| HttpOptions::new().tls(TlsPolicy::VerifyRoots(pem.into()));
        assert_eq!(refused(roots("")), HttpConfigError::NoRoots);
        let garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert_eq!(refused(roots(garbage)), HttpConfigError::Roots { index: 0 });
        for proxy in ["", "proxy:3128", "socks5://proxy", "http://"] {
            assert_eq!(
                refused(HttpOptions::new().proxy(proxy)),
                HttpConfigError::Proxy,
                "{proxy}"
            );
        }
        assert_eq!(
            refused(HttpOptions::new().max_body(0)),
            HttpConfigError::MaxBody
        );
    }

    #[test]
    fn every_policy_builds() {
        for policy in [
            TlsPolicy::Verify,
            TlsPolicy::Pinned([0; 32]),
            TlsPolicy::DangerousAcceptAny,
        ] {
            HttpOptions::new().tls(policy).build().unwrap();
        }
    }
}
