//! HTTP clients, one for each TLS policy: they hold the root certificates.

use std::sync::OnceLock;

use bmc_core::TlsPolicy;
use bmc_core::http::{HttpClient, HttpOptions};

use super::ConnectError;

/// The HTTP clients of this process.
#[derive(Debug, Default)]
pub(super) struct HttpClients {
    verifying: OnceLock<HttpClient>,
    trusting: OnceLock<HttpClient>,
}

impl HttpClients {
    /// The client that verifies certificates, or the one that does not.
    pub(super) fn get(&self, insecure_tls: bool) -> Result<HttpClient, ConnectError> {
        let (cell, policy) = match insecure_tls {
            true => (&self.trusting, TlsPolicy::DangerousAcceptAny),
            false => (&self.verifying, TlsPolicy::Verify),
        };
        if let Some(client) = cell.get() {
            return Ok(client.clone());
        }
        let client = HttpOptions::new().tls(policy).build();
        let client = client.map_err(|error| ConnectError::Invalid {
            field: "insecureTLS",
            reason: error.to_string(),
        })?;
        Ok(cell.get_or_init(|| client).clone())
    }
}
