//! Operations as values: what to do on a session, and how it may be repeated.

use async_trait::async_trait;

use crate::capability::{
    BmcIdentity, BootDevice, BootOverride, BootReading, PowerAction, PowerState,
};
use crate::error::{Error, ErrorKind};
use crate::provider::Session;

mod action;
mod media;

pub use action::{ActionId, ForAction};
pub use media::{EjectVirtualMedia, SetVirtualMedia};

/// Something to do on a session of whichever provider has the capability.
///
/// A third party's capability passes through [`Bmc::run`](crate::Bmc::run) like ours.
#[async_trait]
pub trait Operation: Send + Sync + 'static {
    /// What a success yields.
    type Output: Send + 'static;

    /// A short name for reports, such as `"power cycle"`.
    fn name(&self) -> &'static str;

    /// Whether it may be sent again after a failure with unknown effect.
    fn repeat(&self) -> Repeat;

    /// Carries it out. `None`: this session lacks the capability, and nothing was sent.
    async fn run(&self, session: &dyn Session) -> Option<Result<Self::Output, Error>>;

    /// Looks whether the wanted state is already there: asked after an unknown effect of a [`Repeat::Converge`]
    /// operation, before it is sent again. `None`: this session cannot tell. `Some(Ok(None))`: not reached.
    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<Self::Output>, Error>>;
}

/// What may follow a failure whose effect is unknown.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Repeat {
    /// Only reads; may be sent again freely.
    Read,
    /// Leads to a state that can be looked at; look first, then send again.
    Converge,
    /// Must not be sent twice.
    Never,
}

/// Reads the power state.
#[derive(Clone, Copy, Debug)]
pub struct GetPowerState;

/// Sends a power action.
#[derive(Clone, Copy, Debug)]
pub struct SetPower(pub PowerAction);

/// Reads the boot override.
#[derive(Clone, Copy, Debug)]
pub struct GetBootOverride;

/// Sets the boot override.
#[derive(Clone, Copy, Debug)]
pub struct SetBootOverride(pub BootOverride);

/// Sends a non-maskable interrupt.
#[derive(Clone, Copy, Debug)]
pub struct SendNmi;

/// Reads the BMC's identity.
#[derive(Clone, Copy, Debug)]
pub struct GetIdentity;

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

#[async_trait]
impl Operation for GetBootOverride {
    type Output = BootReading;

    fn name(&self) -> &'static str {
        "boot get"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<BootReading, Error>> {
        Some(session.boot()?.boot_override().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<BootReading>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for SetBootOverride {
    type Output = ();

    fn name(&self) -> &'static str {
        match self.0.device {
            BootDevice::None => "boot clear",
            _ => "boot set",
        }
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.boot()?.set_boot_override(self.0).await)
    }

    async fn reached(&self, session: &dyn Session) -> Option<Result<Option<()>, Error>> {
        let reading = answer(session.boot()?.boot_override().await)?;
        Some(reading.map(|reading| {
            let reached = match self.0.device {
                BootDevice::None => !reading.valid || reading.settings.device == BootDevice::None,
                _ => reading.valid && reading.settings == self.0,
            };
            reached.then_some(())
        }))
    }
}

#[async_trait]
impl Operation for SendNmi {
    type Output = ();

    fn name(&self) -> &'static str {
        "power nmi"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Never
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.nmi()?.send_nmi().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<()>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for GetIdentity {
    type Output = BmcIdentity;

    fn name(&self) -> &'static str {
        "info"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<BmcIdentity, Error>> {
        Some(session.identity()?.identity().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<BmcIdentity>, Error>> {
        None
    }
}

/// What a look at the BMC yielded; `None` where the protocol has no such question.
fn answer<T>(looked: Result<T, Error>) -> Option<Result<T, Error>> {
    match looked {
        Err(error) if error.kind() == ErrorKind::Unsupported => None,
        looked => Some(looked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_looked_at_may_be_sent_again() {
        let repeat = |action| SetPower(action).repeat();
        assert_eq!(repeat(PowerAction::On), Repeat::Converge);
        assert_eq!(repeat(PowerAction::Off), Repeat::Converge);
        for action in [PowerAction::Soft, PowerAction::Cycle, PowerAction::Reset] {
            assert_eq!(repeat(action), Repeat::Never);
        }
        assert_eq!(SendNmi.repeat(), Repeat::Never);
        assert_eq!(GetIdentity.repeat(), Repeat::Read);
    }

    #[test]
    fn names_say_what_is_done() {
        for action in PowerAction::ALL {
            assert_eq!(SetPower(*action).name(), format!("power {action}"));
        }
        let clear = SetBootOverride(BootOverride::once(BootDevice::None));
        assert_eq!(clear.name(), "boot clear");
    }
}
