//! How a client is set up.

use std::sync::Arc;
use std::time::Duration;

use bmc_core::Endpoint;
use tokio::time::Instant;

use crate::client::{Client, Setup};
use crate::command::Command;
use crate::config::Login;
use crate::error::Error;
use crate::proto::Known;
use crate::transport::Transport;

/// Sets up a [`Client`].
///
/// ```no_run
/// # async fn connect(transport: &bmc_ipmi::Transport, endpoint: &bmc_core::Endpoint, login: std::sync::Arc<bmc_ipmi::Login>) -> Result<(), bmc_ipmi::Error> {
/// use std::time::Duration;
///
/// use bmc_ipmi::Client;
/// use bmc_ipmi::command::GetChassisStatus;
/// use tokio::time::Instant;
///
/// let deadline = Instant::now() + Duration::from_secs(10);
/// let (client, status) = Client::builder(transport, endpoint, login)
///     .window(6)
///     .keep_alive(Client::KEEP_ALIVE)
///     .relogin(true)
///     .connect_with(&GetChassisStatus, deadline)
///     .await?;
/// println!("on: {}, at {}", status?.is_on(), client.peer());
/// # Ok(()) }
/// ```
#[derive(Clone)]
#[must_use]
pub struct ClientBuilder {
    pub(super) setup: Setup,
    known: Known,
}

impl ClientBuilder {
    pub(super) fn new(transport: &Transport, endpoint: &Endpoint, login: Arc<Login>) -> Self {
        Self {
            setup: Setup {
                transport: transport.clone(),
                endpoint: endpoint.clone(),
                login,
                window: 1,
                keep_alive: None,
                relogin: false,
            },
            known: Known::default(),
        }
    }

    /// What an earlier client of this BMC has learned: saves round trips.
    pub fn known(mut self, known: Known) -> Self {
        self.known = known;
        self
    }

    /// Commands in flight at a time; see [`Client::set_window`].
    pub fn window(mut self, window: usize) -> Self {
        self.setup.window = window;
        self
    }

    /// Asks an idle session for the device ID whenever nothing was sent for `pause`, lest the BMC forget it (they do
    /// after 60 s, §6.12.15). Looked after every 5 seconds.
    pub fn keep_alive(mut self, pause: Duration) -> Self {
        self.setup.keep_alive = Some(pause);
        self
    }

    /// Logs in again when the session is lost, and carries on. A command that must not be executed twice is only sent
    /// in the new session if it was not sent in the lost one.
    ///
    /// If the BMC refuses the user or the password by then, it is asked once: the refusal is the answer to all commands
    /// that wait and to all later ones, as a BMC may lock an account that fails too often. A new client tries again.
    pub fn relogin(mut self, relogin: bool) -> Self {
        self.setup.relogin = relogin;
        self
    }

    /// Logs in at the first address that answers.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub async fn connect(self, deadline: Instant) -> Result<Client, Error> {
        Client::open(self.setup, self.known, deadline).await
    }

    /// Logs in and carries out `first`, which overlaps the last step of the login where that is safe: one round trip
    /// less. Otherwise, and when a BMC does not like it, `first` follows the login; [`Client::known`] remembers that.
    ///
    /// `first` itself goes out early if it only reads (it is idempotent and needs USER at most), else the request for
    /// the privilege that it needs. Nothing goes out early with a BMC key Kg. The answer counts once RAKP Message 4
    /// has confirmed the session.
    ///
    /// # Errors
    /// As [`Client::connect`]; the inner result is that of `first`.
    pub async fn connect_with<C: Command>(
        self,
        first: &C,
        deadline: Instant,
    ) -> Result<(Client, Result<C::Response, Error>), Error> {
        Client::open_with(self.setup, self.known, first, deadline).await
    }
}
