//! IPMI as a provider of bmc-core.

mod bmc_control;
mod boot;
mod console;
mod event_log;
mod glance;
mod identify;
mod identity;
mod inventory;
mod nmi;
mod power;
mod restart_record;
mod sensors;
mod session;
mod setup;
mod users;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{Argument, Credentials, Endpoint, Provider, Secret, Session};
use tokio::time::Instant;

use crate::client::Client;
use crate::config::{ConfigError, Login};
use crate::crypto::CipherSuite;
use crate::device::SdrCache;
use crate::error::Error;
use crate::quirks::Quirks;
use crate::transport::Transport;
use crate::wire::{AuthType, Privilege};

use session::IpmiSession;
use setup::Setup;

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
    setup: Arc<Setup>,
}

/// Sets up an [`IpmiProvider`].
#[derive(Debug)]
#[must_use]
pub struct IpmiProviderBuilder {
    endpoint: Endpoint,
    credentials: Credentials,
    transport: Option<Transport>,
    cipher_suites: Vec<CipherSuite>,
    privilege: Option<Privilege>,
    kg: Option<Secret>,
    v15: Option<AuthType>,
    quirks: Quirks,
    command_timeout: Duration,
    sweep_timeout: Duration,
    cycle_by_off_and_on: bool,
    eager_login: bool,
    window: usize,
    sdr_cache: Option<SdrCache>,
}

impl IpmiProvider {
    /// The UDP port of IPMI over LAN.
    pub const PORT: u16 = 623;

    /// Starts with the defaults: an own [`Transport`], the strongest cipher suite that the BMC offers, no Kg,
    /// ADMINISTRATOR or else OPERATOR or USER, 10 seconds a command.
    pub fn builder(endpoint: Endpoint, credentials: Credentials) -> IpmiProviderBuilder {
        IpmiProviderBuilder {
            endpoint,
            credentials,
            transport: None,
            cipher_suites: CipherSuite::AUTOMATIC.to_vec(),
            privilege: None,
            kg: None,
            v15: None,
            quirks: Quirks::NONE,
            command_timeout: Duration::from_secs(10),
            sweep_timeout: Duration::from_secs(120),
            cycle_by_off_and_on: false,
            eager_login: false,
            window: 1,
            sdr_cache: None,
        }
    }

    /// Logs in for commands that no capability has: the session is the caller's own.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub async fn connect(&self, deadline: Instant) -> Result<Client, Error> {
        self.setup.connect(deadline).await
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
        self.cipher_suites = vec![suite];
        self
    }

    /// Allows these suites, to be tried in this order, and no others; 17 and 3 by default.
    pub fn cipher_suites(mut self, suites: impl IntoIterator<Item = CipherSuite>) -> Self {
        self.cipher_suites = suites.into_iter().collect();
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

    /// Opens IPMI v1.5 sessions, which are never encrypted; see [`Login::v15`].
    pub fn v15(mut self, auth_type: AuthType) -> Self {
        self.v15 = Some(auth_type);
        self
    }

    /// Bears with these deviations of the BMC, in the login and behind it.
    pub fn quirks(mut self, quirks: Quirks) -> Self {
        self.quirks = quirks;
        self
    }

    /// How long a command in a session may take, repeats included; 10 seconds by default.
    pub fn command_timeout(mut self, timeout: Duration) -> Self {
        self.command_timeout = timeout;
        self
    }

    /// How long a procedure of many commands may take, such as a reading of all sensors; 120 seconds by default.
    pub fn sweep_timeout(mut self, timeout: Duration) -> Self {
        self.sweep_timeout = timeout;
        self
    }

    /// Carries out a power cycle as power off, a look until the host is off, and power on; by default it is one command.
    ///
    /// For BMCs that do not cycle, and for networks that lose much: the one command must not be repeated, but these two
    /// can be. A host that is off is switched on.
    pub fn cycle_by_off_and_on(mut self, enabled: bool) -> Self {
        self.cycle_by_off_and_on = enabled;
        self
    }

    /// Asks for the power state while the login ends, see [`ClientBuilder::connect_with`](crate::ClientBuilder::connect_with):
    /// a power state takes three round trips, not four. A BMC that does not bear it is remembered.
    pub fn eager_login(mut self, enabled: bool) -> Self {
        self.eager_login = enabled;
        self
    }

    /// Commands in flight at a time, which makes long readings quick; 1 by default. Only for BMCs that bear more: see
    /// [`Client::set_window`].
    pub fn window(mut self, window: usize) -> Self {
        self.window = window;
        self
    }

    /// Keeps sensor data records in `cache`, which may serve any number of BMCs and outlive the process; by default in
    /// the provider's own memory.
    pub fn sdr_cache(mut self, cache: &SdrCache) -> Self {
        self.sdr_cache = Some(cache.clone());
        self
    }

    /// Checks the settings. Sends nothing.
    ///
    /// # Errors
    /// A setting breaks a limit of IPMI; the error names it.
    pub fn build(self) -> Result<IpmiProvider, ConfigError> {
        let login = Login::new(&self.credentials)?.quirks(self.quirks);
        let mut login = login.cipher_suites(self.cipher_suites)?;
        if let Some(privilege) = self.privilege {
            login = login.privilege(privilege)?;
        }
        if let Some(kg) = self.kg {
            login = login.kg(kg)?;
        }
        if let Some(auth_type) = self.v15 {
            login = login.v15(auth_type)?;
        }
        Ok(IpmiProvider {
            setup: Arc::new(Setup {
                endpoint: self.endpoint,
                login: Arc::new(login),
                transport: self.transport.unwrap_or_default(),
                command_timeout: self.command_timeout,
                sweep_timeout: self.sweep_timeout,
                cycle_by_off_and_on: self.cycle_by_off_and_on,
                eager_login: self.eager_login,
                window: self.window,
                sdr_cache: self.sdr_cache.unwrap_or_else(SdrCache::in_memory),
                known: Mutex::default(),
                detected: Mutex::default(),
            }),
        })
    }
}

#[async_trait]
impl Provider for IpmiProvider {
    fn name(&self) -> &'static str {
        "ipmi"
    }

    fn check(&self, argument: Argument<'_>) -> Result<(), bmc_core::Error> {
        match argument {
            Argument::BootOverride(wanted) => boot::flags_for(wanted).map(drop),
            Argument::Identify(wanted) => identify::command_for(wanted).map(drop),
            Argument::User(wanted) => users::Wish::new(wanted).map(drop),
            Argument::UserId(id) => users::number(id).map(drop),
            _ => Ok(()),
        }
    }

    async fn open(&self, deadline: Instant) -> Result<Arc<dyn Session>, bmc_core::Error> {
        let (client, glance) = self.setup.open(deadline).await?;
        let setup = Arc::clone(&self.setup);
        Ok(Arc::new(IpmiSession::new(client, glance, setup)))
    }
}
