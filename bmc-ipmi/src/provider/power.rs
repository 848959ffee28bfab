//! Power by Chassis Control.

use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{Effect, Error as CoreError, ErrorKind, PowerAction, PowerControl, PowerState};
use tokio::time::{Instant, sleep};

use super::session::{IpmiSession, without_effect};
use crate::client::Client;
use crate::command::{ChassisControl, GetChassisStatus};
use crate::error::Error;

/// Wait between two looks whether the host is off.
const PAUSE: Duration = Duration::from_millis(200);

#[async_trait]
impl PowerControl for IpmiSession {
    async fn power_state(&self) -> Result<PowerState, CoreError> {
        let is_on = match self.glance() {
            Some(is_on) => is_on,
            None => self.read(&GetChassisStatus).await?.is_on(),
        };
        Ok(if is_on {
            PowerState::On
        } else {
            PowerState::Off
        })
    }

    async fn set_power(&self, action: PowerAction) -> Result<(), CoreError> {
        if action == PowerAction::Cycle && self.setup().cycle_by_off_and_on {
            return self.off_and_on().await;
        }
        let sent = self.change(&control_for(action)).await;
        let refused = match sent.map_err(CoreError::from) {
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

impl IpmiSession {
    /// Both steps or none: once begun it goes on when the caller has gone.
    async fn off_and_on(&self) -> Result<(), CoreError> {
        let steps = off_and_on(self.client().clone(), self.setup().command_timeout);
        tokio::spawn(steps).await.unwrap_or_else(|_| {
            let error = CoreError::new(ErrorKind::Closed, "the runtime has ended");
            Err(error.with_effect(Effect::Unknown))
        })
    }
}

/// Each step has `time`, and so have the looks between them.
async fn off_and_on(client: Client, time: Duration) -> Result<(), CoreError> {
    let is_on = |deadline| {
        let client = &client;
        async move {
            let status = client.execute(&GetChassisStatus, deadline).await?;
            Ok::<_, Error>(status.is_on())
        }
    };
    let was_on = is_on(Instant::now() + time).await.map_err(without_effect)?;
    if was_on {
        client
            .execute(&ChassisControl::POWER_DOWN, Instant::now() + time)
            .await?;
        let deadline = Instant::now() + time;
        while is_on(deadline).await.map_err(halfway)? {
            if Instant::now() + PAUSE >= deadline {
                let message = "host is still on after power off, and was left so";
                return Err(
                    CoreError::new(ErrorKind::Timeout, message).with_effect(Effect::Unknown)
                );
            }
            sleep(PAUSE).await;
        }
    }
    let on = client.execute(&ChassisControl::POWER_UP, Instant::now() + time);
    on.await.map_err(halfway)
}

/// The error of a step behind power off.
fn halfway(error: Error) -> CoreError {
    CoreError::from(error).with_effect(Effect::Unknown)
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
