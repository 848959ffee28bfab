//! Operations on the host's power.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::{PowerAction, PowerState};
use crate::error::Error;
use crate::provider::Session;

/// Reads the power state.
#[derive(Clone, Copy, Debug)]
pub struct GetPowerState;

/// Sends a power action.
#[derive(Clone, Copy, Debug)]
pub struct SetPower(pub PowerAction);

#[async_trait]
impl Operation for GetPowerState {
    type Output = PowerState;

    fn name(&self) -> &'static str {
        "power status"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<PowerState, Error>> {
        Some(session.power()?.power_state().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<PowerState>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for SetPower {
    type Output = ();

    fn name(&self) -> &'static str {
        match self.0 {
            PowerAction::On => "power on",
            PowerAction::Off => "power off",
            PowerAction::Soft => "power soft",
            PowerAction::Cycle => "power cycle",
            PowerAction::Reset => "power reset",
        }
    }

    fn repeat(&self) -> Repeat {
        match self.0 {
            PowerAction::On | PowerAction::Off => Repeat::Converge,
            PowerAction::Soft | PowerAction::Cycle | PowerAction::Reset => Repeat::Never,
        }
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.power()?.set_power(self.0).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let goal = self.0.goal()?;
        let state = session.power()?.power_state().await;
        Some(state.map(|state| (state == goal).then_some(())))
    }
}
