//! IPMI as a provider of bmc-core.

mod boot;
mod session;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{Credentials, Endpoint, Provider, Secret, Session};
use tokio::time::Instant;

use crate::client::Client;
use crate::config::{ConfigError, Login};
use crate::crypto::CipherSuite;
use crate::error::Error;
use crate::proto::Known;
use crate::transport::Transport;
use crate::wire::Privilege;

use session::IpmiSession;

/// IPMI over LAN to one BMC. Remembers the BMC's cipher suite and round trip, so that only the first login asks.
///
/// ```
/// use bmc_core::{Credentials, Endpoint};
/// use bmc_ipmi::{IpmiProvider, Transport};
///
/// let transport = Transport::new();
/// let endpoint = Endpoint::parse("192.0.2.7", IpmiProvider::PORT)?;
/// let provider = IpmiProvider::builder(endpoint, Credentials::new("admin", "secret"))
///     .transport(&transport)
///     .build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct IpmiProvider {
    endpoint: Endpoint,
    login: Arc<Login>,
    transport: Transport,
    command_timeout: Duration,
    known: Mutex<Known>,
}

/// Sets up an [`IpmiProvider`].
#[derive(Debug)]
#[must_use]
pub struct IpmiProviderBuilder {
    endpoint: Endpoint,
    credentials: Credentials,
    transport: Option<Transport>,
    cipher_suite: Option<CipherSuite>,
    privilege: Option<Privilege>,
    kg: Option<Secret>,
    command_timeout: Duration,
}

impl IpmiProvider {
    /// The UDP port of IPMI over LAN.
    pub const PORT: u16 = 623;

    /// Starts with the defaults: an own [`Transport`], the strongest cipher suite that the BMC offers, no Kg,
    /// ADMINISTRATOR or else OPERATOR, 10 seconds a command.
    pub fn builder(endpoint: Endpoint, credentials: Credentials) -> IpmiProviderBuilder {
        IpmiProviderBuilder {
            endpoint,
            credentials,
            transport: None,
            cipher_suite: None,
            privilege: None,
            kg: None,
            command_timeout: Duration::from_secs(10),
        }
    }

    /// Logs in for commands that no capability of bmc-core has a word for.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub async fn connect(&self, deadline: Instant) -> Result<Client, Error> {
        let login = Arc::clone(&self.login);
        let known = self.known();
        let connected =
            Client::connect(&self.transport, &self.endpoint, login, known, deadline).await;
        match &connected {
            Ok(client) => self.remember(client.known()),
            Err(Error::NoCipherSuite { .. }) => self.remember(Known::default()),
            Err(_) => {}
        }
        connected
    }

    fn known(&self) -> Known {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, known: Known) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }
}

impl IpmiProviderBuilder {
    /// Shares the sockets of `transport`. Give all BMCs the same one.
    pub fn transport(mut self, transport: &Transport) -> Self {
        self.transport = Some(transport.clone());
        self
    }

    /// Insists on a cipher suite. Saves the first login the question which the BMC offers.
    pub fn cipher_suite(mut self, suite: CipherSuite) -> Self {
        self.cipher_suite = Some(suite);
        self
    }

    /// Insists on a privilege to log in with: USER, OPERATOR or ADMINISTRATOR.
    pub fn privilege(mut self, privilege: Privilege) -> Self {
        self.privilege = Some(privilege);
        self
    }

    /// The BMC key Kg for two-key logins; at most 20 bytes, all zeroes mean none.
    pub fn kg(mut self, kg: Secret) -> Self {
        self.kg = Some(kg);
        self
    }

    /// How long a command in a session may take, repeats included; 10 seconds by default.
    pub fn command_timeout(mut self, timeout: Duration) -> Self {
        self.command_timeout = timeout;
        self
    }

    /// Checks the settings. Sends nothing.
    ///
    /// # Errors
    /// A setting breaks a limit of IPMI; the error names it.
    pub fn build(self) -> Result<IpmiProvider, ConfigError> {
        let mut login = Login::new(&self.credentials)?;
        if let Some(suite) = self.cipher_suite {
            login = login.cipher_suite(suite);
        }
        if let Some(privilege) = self.privilege {
            login = login.privilege(privilege)?;
        }
        if let Some(kg) = self.kg {
            login = login.kg(kg)?;
        }
        Ok(IpmiProvider {
            endpoint: self.endpoint,
            login: Arc::new(login),
            transport: self.transport.unwrap_or_default(),
            command_timeout: self.command_timeout,
            known: Mutex::default(),
        })
    }
}

#[async_trait]
impl Provider for IpmiProvider {
    fn name(&self) -> &'static str {
        "ipmi"
    }

    async fn open(&self, deadline: Instant) -> Result<Arc<dyn Session>, bmc_core::Error> {
        let client = self.connect(deadline).await?;
        Ok(Arc::new(IpmiSession::new(client, self.command_timeout)))
    }
}
