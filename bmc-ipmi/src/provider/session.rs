//! A session as bmc-core sees it: what it can do, and within which time.

use std::sync::Arc;

use async_trait::async_trait;
use bmc_core::{
    BmcControl, BootControl, Console, Effect, Error as CoreError, EventLog, Identify, Identity,
    Inventory, Nmi, PowerControl, RestartRecord, Sensors, Session, Users,
};
use tokio::time::Instant;

use super::glance::Glance;
use super::setup::Setup;
use crate::client::Client;
use crate::command::{Command, DeviceId, GetDeviceId};
use crate::error::Error;

/// A [`Client`] with bmc-core's capabilities, one file each.
#[derive(Debug)]
pub(super) struct IpmiSession {
    client: Client,
    glance: Glance,
    setup: Arc<Setup>,
}

impl IpmiSession {
    pub(super) fn new(client: Client, glance: Glance, setup: Arc<Setup>) -> Self {
        Self {
            client,
            glance,
            setup,
        }
    }

    /// The session, for whatever may change the machine.
    pub(super) fn client(&self) -> &Client {
        self.glance.take();
        &self.client
    }

    /// Whether the machine was on during the login, if that is still worth something.
    pub(super) fn glance(&self) -> Option<bool> {
        self.glance.take()
    }

    pub(super) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// When a command must have its answer.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.setup.command_timeout
    }

    /// When a procedure of many commands must be complete.
    pub(super) fn sweep_deadline(&self) -> Instant {
        Instant::now() + self.setup.sweep_timeout
    }

    /// Carries out a command that changes something.
    pub(super) async fn change<C: Command>(&self, command: &C) -> Result<C::Response, Error> {
        self.client().execute(command, self.deadline()).await
    }

    /// Carries out a command that only reads, so that its failure has no effect.
    pub(super) async fn read<C: Command>(&self, command: &C) -> Result<C::Response, CoreError> {
        self.client
            .execute(command, self.deadline())
            .await
            .map_err(without_effect)
    }

    /// Asks the BMC what it is, and remembers what that says of its quirks.
    pub(super) async fn read_device(&self) -> Result<DeviceId, CoreError> {
        let device = self.read(&GetDeviceId).await?;
        self.setup.note(&device);
        Ok(device)
    }
}

/// The error of a step that changes nothing.
pub(super) fn without_effect(error: Error) -> CoreError {
    CoreError::from(error).with_effect(Effect::None)
}

#[async_trait]
impl Session for IpmiSession {
    fn power(&self) -> Option<&dyn PowerControl> {
        Some(self)
    }

    fn boot(&self) -> Option<&dyn BootControl> {
        Some(self)
    }

    fn nmi(&self) -> Option<&dyn Nmi> {
        Some(self)
    }

    fn identity(&self) -> Option<&dyn Identity> {
        Some(self)
    }

    fn restart_record(&self) -> Option<&dyn RestartRecord> {
        Some(self)
    }

    fn bmc_control(&self) -> Option<&dyn BmcControl> {
        Some(self)
    }

    fn console(&self) -> Option<&dyn Console> {
        Some(self)
    }

    fn event_log(&self) -> Option<&dyn EventLog> {
        Some(self)
    }

    fn inventory(&self) -> Option<&dyn Inventory> {
        Some(self)
    }

    fn sensors(&self) -> Option<&dyn Sensors> {
        Some(self)
    }

    fn users(&self) -> Option<&dyn Users> {
        Some(self)
    }

    fn identify(&self) -> Option<&dyn Identify> {
        Some(self)
    }

    fn is_alive(&self) -> bool {
        self.client.is_alive()
    }

    async fn close(&self) {
        self.client.close().await;
    }
}
