//! What a provider and its sessions share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bmc_core::Endpoint;
use tokio::time::Instant;

use crate::client::Client;
use crate::config::Login;
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
    /// What earlier logins have learned.
    pub(super) known: Mutex<Known>,
}

impl Setup {
    /// Logs in and remembers what that has taught.
    pub(super) async fn connect(&self, deadline: Instant) -> Result<Client, Error> {
        let builder = Client::builder(&self.transport, &self.endpoint, Arc::clone(&self.login));
        let connected = builder.known(self.known()).connect(deadline).await;
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
