//! What a provider and its sessions share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bmc_core::Endpoint;
use tokio::time::Instant;

use super::glance::Glance;
use crate::client::{Client, ClientBuilder};
use crate::command::{DeviceId, GetChassisStatus};
use crate::config::Login;
use crate::device::SdrCache;
use crate::error::Error;
use crate::proto::Known;
use crate::quirks::Quirks;
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
    /// The quirks of the product that the BMC said it is, once it was asked.
    pub(super) detected: Mutex<Option<Quirks>>,
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

    /// Looks up the quirks of what the BMC is: they count from the next login on.
    pub(super) fn note(&self, device: &DeviceId) {
        *self.detected() = Some(Quirks::of(device));
    }

    /// Whether the BMC was asked what it is.
    pub(super) fn has_detected(&self) -> bool {
        self.detected().is_some()
    }

    /// The quirks that were configured, and those that were detected.
    pub(super) fn quirks(&self) -> Quirks {
        self.login.quirks.and(self.detected().unwrap_or_default())
    }

    fn builder(&self) -> ClientBuilder {
        let quirks = self.quirks();
        let login = match quirks == self.login.quirks {
            true => Arc::clone(&self.login),
            false => Arc::new(Login::clone(&self.login).quirks(quirks)),
        };
        Client::builder(&self.transport, &self.endpoint, login)
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

    fn detected(&self) -> MutexGuard<'_, Option<Quirks>> {
        self.detected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> Known {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, known: Known) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use bmc_core::Credentials;

    use super::*;
    use crate::quirks::Quirk;

    #[test]
    fn quirks_of_a_product_join_those_that_were_configured() {
        let credentials = Credentials::new("admin", "password");
        let login = Login::new(&credentials)
            .unwrap()
            .quirks(Quirk::SolPort.into());
        let setup = Setup {
            endpoint: Endpoint::parse("192.0.2.7", 623).unwrap(),
            login: Arc::new(login),
            transport: Transport::new(),
            command_timeout: Duration::ZERO,
            sweep_timeout: Duration::ZERO,
            cycle_by_off_and_on: false,
            eager_login: false,
            window: 1,
            sdr_cache: SdrCache::in_memory(),
            known: Mutex::default(),
            detected: Mutex::default(),
        };
        assert!(!setup.has_detected());
        let x8dt = DeviceId {
            device_id: 0x20,
            revision: 1,
            firmware_major: 2,
            firmware_minor: 0,
            ipmi_version: 0x02,
            support: 0xbf,
            manufacturer: 10876,
            product: 43707,
            auxiliary: None,
        };
        setup.note(&x8dt);
        assert!(setup.has_detected());
        for quirk in [
            Quirk::SolPort,
            Quirk::SolPayloadSize,
            Quirk::OpenSessionPrivilege,
        ] {
            assert!(setup.quirks().has(quirk), "{quirk}");
        }
    }
}
