//! Operations as values: what to do on a session, and how it may be repeated.

use async_trait::async_trait;

use crate::error::{Error, ErrorKind};
use crate::provider::Session;

mod action;
mod argument;
mod bmc_control;
mod boot;
mod console;
mod event_log;
mod identify;
mod identity;
mod inventory;
mod media;
mod nmi;
mod power;
mod restart_record;
mod sensors;
mod users;

pub use action::{ActionId, ForAction};
pub use argument::Argument;
pub use bmc_control::ResetBmc;
pub use boot::{GetBootOverride, SetBootOverride};
pub use console::OpenConsole;
pub use event_log::{ClearEvents, GetEventLog, GetEvents};
pub use identify::{GetIdentifyLight, SetIdentify};
pub use identity::GetIdentity;
pub use inventory::GetInventory;
pub use media::{EjectVirtualMedia, GetVirtualMedia, SetVirtualMedia};
pub use nmi::SendNmi;
pub use power::{GetPowerState, SetPower};
pub use restart_record::GetLastRestart;
pub use sensors::GetSensors;
pub use users::{DeleteUser, GetUsers, SetUser, SetUserEnabled};

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

    /// Whether it may take hundreds of requests, as a reading of all sensors does, and so has the time of
    /// [`BmcBuilder::sweep_timeout`](crate::BmcBuilder::sweep_timeout).
    fn is_sweep(&self) -> bool {
        false
    }

    /// What a [`Provider`](crate::Provider::check) may refuse before there is a session.
    fn argument(&self) -> Option<Argument<'_>> {
        None
    }

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
    use crate::capability::{BmcReset, BootDevice, BootOverride, PowerAction, UserSettings};

    #[test]
    fn only_what_can_be_looked_at_may_be_sent_again() {
        let repeat = |action| SetPower(action).repeat();
        assert_eq!(repeat(PowerAction::On), Repeat::Converge);
        assert_eq!(repeat(PowerAction::Off), Repeat::Converge);
        for action in [PowerAction::Soft, PowerAction::Cycle, PowerAction::Reset] {
            assert_eq!(repeat(action), Repeat::Never);
        }
        assert_eq!(SendNmi.repeat(), Repeat::Never);
        assert_eq!(ResetBmc(BmcReset::Cold).repeat(), Repeat::Never);
        assert_eq!(ClearEvents.repeat(), Repeat::Never);
        assert_eq!(SetUser(UserSettings::default()).repeat(), Repeat::Converge);
        assert_eq!(GetIdentity.repeat(), Repeat::Read);
    }

    #[test]
    fn names_say_what_is_done() {
        for action in PowerAction::ALL {
            assert_eq!(SetPower(*action).name(), format!("power {action}"));
        }
        for reset in BmcReset::ALL {
            assert_eq!(ResetBmc(*reset).name(), format!("bmc reset {reset}"));
        }
        let clear = SetBootOverride(BootOverride::once(BootDevice::None));
        assert_eq!(clear.name(), "boot clear");
    }
}
