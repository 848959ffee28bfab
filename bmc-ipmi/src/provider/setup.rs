//! What a provider and its sessions share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bmc_core::Endpoint;
use tokio::time::Instant;

use super::glance::Glance;
use crate::client::{Client, ClientBuilder};
use crate::command::GetChassisStatus;
use crate::config::Login;
use crate::device::SdrCache;
use crate::error::Error;
use crate::proto::Known;
use crate::transport::Transport;

#[derive(Debug)]
pub(super) struct Setup {
    pub(super) endpoint: Endpoint,
    pub(super) login: Arc<Login>,
    pub(super) transport: Transport,
    pub(super) command_timeout: Duration,
    pub(super) sweep_timeout: Duration,
    pub(super) cycle_by_off_and_on: bool,
    pub(super) eager_login: bool,
    pub(super) window: usize,
    pub(super) sdr_cache: SdrCache,
    /// What earlier logins have learned.
    pub(super) known: Mutex<Known>,
}

impl Setup {
    /// Logs in and remembers what that has taught.
    pub(super) async fn connect(&self, deadline: Instant) -> Result<Client, Error> {
        let connected = self.builder().connect(deadline).await;
        self.learn(connected.as_ref());
        connected
    }

    /// The same; an eager login asks for the power state on the way.
    pub(super) async fn open(&self, deadline: Instant) -> Result<(Client, Glance), Error> {
        if !self.eager_login {
            return Ok((self.connect(deadline).await?, Glance::default()));
        }
        let builder = self.builder();
        let connected = builder.connect_with(&GetChassisStatus, deadline).await;
        self.learn(connected.as_ref().map(|(client, _)| client));
        let (client, status) = connected?;
        // Whoever wants to know why there is none will ask again.
        let glance = status.map_or_else(|_| Glance::default(), |s| Glance::of(s.is_on()));
        Ok((client, glance))
    }

    fn builder(&self) -> ClientBuilder {
        Client::builder(&self.transport, &self.endpoint, Arc::clone(&self.login))
            .known(self.known())
            .window(self.window)
            .keep_alive(Client::KEEP_ALIVE)
    }

    fn learn(&self, connected: Result<&Client, &Error>) {
        match connected {
            Ok(client) => self.remember(client.known()),
            Err(Error::NoCipherSuite { .. }) => self.remember(Known::default()),
            Err(_) => {}
        }
    }

    fn known(&self) -> Known {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, known: Known) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }
}
