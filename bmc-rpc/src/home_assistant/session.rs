//! The capabilities of a session.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{
    BootControl, BootOverride, BootReading, Effect, Error as CoreError, ErrorKind, PowerAction,
    PowerControl, PowerState, Session,
};
use tokio::time::{Instant, sleep_until};

use super::{Client, Settling};
use crate::error::Error;

/// Longest time that a switching waits for the one before it. Whoever has to wait longer is told so, and free meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A switch that was there. There is no state on the wire.
#[derive(Debug)]
pub(super) struct HomeAssistantSession {
    client: Arc<Client>,
    closed: AtomicBool,
}

impl HomeAssistantSession {
    pub(super) fn new(client: Arc<Client>) -> Self {
        Self {
            client,
            closed: AtomicBool::new(false),
        }
    }

    fn check(&self) -> Result<(), Error> {
        match self.is_alive() {
            true => Ok(()),
            false => Err(Error::Closed),
        }
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.client.timeout
    }
}

#[async_trait]
impl Session for HomeAssistantSession {
    fn power(&self) -> Option<&dyn PowerControl> {
        Some(self)
    }

    fn boot(&self) -> Option<&dyn BootControl> {
        Some(self)
    }

    fn is_alive(&self) -> bool {
        !self.closed.load(Ordering::Acquire)
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }
}

#[async_trait]
impl PowerControl for HomeAssistantSession {
    async fn power_state(&self) -> Result<PowerState, CoreError> {
        self.check()?;
        let state = self.client.state(self.deadline()).await;
        let state = state.map_err(|error| CoreError::from(error).with_effect(Effect::None))?;
        let settling = self.client.settling();
        Ok(settling.map_or(state, Settling::state))
    }

    async fn set_power(&self, action: PowerAction) -> Result<(), CoreError> {
        self.check()?;
        let (on, goal) = match action {
            PowerAction::On => (true, PowerState::On),
            PowerAction::Off => (false, PowerState::Off),
            PowerAction::Soft => {
                return Err(Error::Unsupported {
                    what: "a soft shutdown",
                }
                .into());
            }
            PowerAction::Cycle => return Err(Error::Unsupported { what: "a cycle" }.into()),
            PowerAction::Reset => return Err(Error::Unsupported { what: "a reset" }.into()),
        };
        // Before anything is sent: given up here, nothing has happened.
        if let Some(settling) = self
            .client
            .settling()
            .filter(|settling| settling.to != goal)
        {
            let left = settling.until.saturating_duration_since(Instant::now());
            if left > LONGEST_WAIT {
                let state = settling.state();
                return Err(Error::Settling { state, left }.into());
            }
            sleep_until(settling.until).await;
        }
        // From here on it may be switched, also where no answer is heard or waited for.
        let before = self.client.settle(goal);
        let turned = self.client.turn(on, self.deadline()).await;
        match &turned {
            Err(error) if error.effect() == Effect::None => self.client.set_settling(before),
            _ => self.client.settle(goal),
        };
        Ok(turned?)
    }
}

#[async_trait]
impl BootControl for HomeAssistantSession {
    async fn boot_override(&self) -> Result<BootReading, CoreError> {
        self.check()?;
        let message = "a switch has no boot override";
        Err(CoreError::new(ErrorKind::Unsupported, message))
    }

    /// Succeeds and does nothing.
    async fn set_boot_override(&self, _: BootOverride) -> Result<(), CoreError> {
        Ok(self.check()?)
    }
}
