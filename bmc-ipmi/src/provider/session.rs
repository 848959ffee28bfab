//! The capabilities of a session.

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{
    BmcIdentity, BootControl, Effect, Error as CoreError, ErrorKind, Identity, Nmi, PowerAction,
    PowerControl, PowerState, Session,
};
use tokio::time::Instant;

use crate::client::Client;
use crate::command::{ChassisControl, Command, GetChassisStatus, GetDeviceId};
use crate::error::Error;
use crate::wire::CompletionCode;

/// A [`Client`] as bmc-core sees it.
#[derive(Debug)]
pub(super) struct IpmiSession {
    client: Client,
    command_timeout: Duration,
}

impl IpmiSession {
    pub(super) fn new(client: Client, command_timeout: Duration) -> Self {
        Self {
            client,
            command_timeout,
        }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.command_timeout
    }

    /// Carries out a command that changes something.
    pub(super) async fn change<C: Command>(&self, command: &C) -> Result<C::Response, Error> {
        self.client.execute(command, self.deadline()).await
    }

    /// Carries out a command that only reads, so that its failure has no effect.
    pub(super) async fn read<C: Command>(&self, command: &C) -> Result<C::Response, CoreError> {
        self.client
            .execute(command, self.deadline())
            .await
            .map_err(without_effect)
    }

    async fn control(&self, action: ChassisControl) -> Result<(), CoreError> {
        self.change(&action).await.map_err(CoreError::from)
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

    fn is_alive(&self) -> bool {
        self.client.is_alive()
    }

    async fn close(&self) {
        self.client.close().await;
    }
}

#[async_trait]
impl PowerControl for IpmiSession {
    async fn power_state(&self) -> Result<PowerState, CoreError> {
        let status = self.read(&GetChassisStatus).await?;
        Ok(if status.is_on() {
            PowerState::On
        } else {
            PowerState::Off
        })
    }

    async fn set_power(&self, action: PowerAction) -> Result<(), CoreError> {
        let refused = match self.control(control_for(action)).await {
            Err(error) if is_refusal(error.kind()) => error,
            done => return done,
        };
        // BMCs accept what is already so, but for some, which answer D5h or worse.
        match action.goal() {
            Some(goal) if self.power_state().await.is_ok_and(|state| state == goal) => Ok(()),
            _ => Err(refused),
        }
    }
}

#[async_trait]
impl Nmi for IpmiSession {
    async fn send_nmi(&self) -> Result<(), CoreError> {
        let sent = self.change(&ChassisControl::DIAGNOSTIC_INTERRUPT).await;
        sent.map_err(|error| match error.completion() {
            // The interrupt is optional; these say that the action is unknown.
            Some(CompletionCode::INVALID_DATA_FIELD | CompletionCode::OUT_OF_RANGE) => {
                CoreError::new(ErrorKind::Unsupported, "BMC has no diagnostic interrupt")
                    .with_source(error)
            }
            _ => error.into(),
        })
    }
}

#[async_trait]
impl Identity for IpmiSession {
    async fn identity(&self) -> Result<BmcIdentity, CoreError> {
        let device = self.read(&GetDeviceId).await?;
        let (major, minor) = device.ipmi();
        Ok(BmcIdentity {
            manufacturer: Some(manufacturer(device.manufacturer)),
            product: Some(format!("{:#06x}", device.product)),
            firmware: Some(device.firmware()),
            protocol: Some(format!("IPMI {major}.{minor}")),
        })
    }
}

fn control_for(action: PowerAction) -> ChassisControl {
    match action {
        PowerAction::On => ChassisControl::POWER_UP,
        PowerAction::Off => ChassisControl::POWER_DOWN,
        PowerAction::Soft => ChassisControl::SOFT_SHUTDOWN,
        PowerAction::Cycle => ChassisControl::POWER_CYCLE,
        PowerAction::Reset => ChassisControl::HARD_RESET,
    }
}

fn is_refusal(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Rejected | ErrorKind::Unsupported)
}

/// IANA private enterprise numbers that BMCs carry.
fn manufacturer(number: u32) -> String {
    let name = match number {
        2 => "IBM",
        11 => "Hewlett-Packard",
        343 => "Intel",
        674 => "Dell",
        5771 => "Cisco",
        7244 => "Quanta",
        10368 => "Fujitsu",
        10876 => "Supermicro",
        15370 => "Gigabyte",
        19046 => "Lenovo",
        42817 => "OpenPOWER",
        47196 => "Hewlett Packard Enterprise",
        _ => return format!("IANA {number}"),
    };
    name.to_owned()
}
