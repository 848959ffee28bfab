//! One way to talk to one BMC.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::time::Instant;

use crate::capability::{
    BmcControl, BootControl, Console, EventLog, Identify, Identity, Inventory, Nmi, PowerControl,
    RestartRecord, Sensors, Users, VirtualMedia,
};
use crate::error::Error;
use crate::operation::{ActionId, Argument};

/// One way to reach one BMC: a protocol, an address and a credential.
///
/// Building a provider does no I/O. [`Bmc`](crate::Bmc) opens it when it is needed.
#[async_trait]
pub trait Provider: fmt::Debug + Send + Sync + 'static {
    /// A short stable name such as `"ipmi"`, used in reports, status and metrics.
    fn name(&self) -> &'static str;

    /// Refuses what no session of this provider could carry out. Asked before there is one, so that nothing is sent.
    ///
    /// # Errors
    /// The protocol has no such thing, or does not allow it; the error names it.
    fn check(&self, _: Argument<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Logs in. Returns before `deadline`, with an error if need be.
    ///
    /// Tries the credential at most once, and has no effect on the host: its errors carry
    /// [`Effect::None`](crate::Effect::None). Cancellation-safe: dropping the future leaves no session behind for long.
    async fn open(&self, deadline: Instant) -> Result<Arc<dyn Session>, Error>;
}

/// An opened provider. Every accessor that returns `Some` is a capability that this session has.
#[async_trait]
pub trait Session: fmt::Debug + Send + Sync + 'static {
    /// Power state and actions.
    fn power(&self) -> Option<&dyn PowerControl> {
        None
    }

    /// Boot override.
    fn boot(&self) -> Option<&dyn BootControl> {
        None
    }

    /// Diagnostic interrupt.
    fn nmi(&self) -> Option<&dyn Nmi> {
        None
    }

    /// The BMC's identity.
    fn identity(&self) -> Option<&dyn Identity> {
        None
    }

    /// Virtual media.
    fn media(&self) -> Option<&dyn VirtualMedia> {
        None
    }

    /// Why the host started last.
    fn restart_record(&self) -> Option<&dyn RestartRecord> {
        None
    }

    /// Restart of the BMC itself.
    fn bmc_control(&self) -> Option<&dyn BmcControl> {
        None
    }

    /// The system event log.
    fn event_log(&self) -> Option<&dyn EventLog> {
        None
    }

    /// Sensors.
    fn sensors(&self) -> Option<&dyn Sensors> {
        None
    }

    /// The machine's components.
    fn inventory(&self) -> Option<&dyn Inventory> {
        None
    }

    /// The BMC's users.
    fn users(&self) -> Option<&dyn Users> {
        None
    }

    /// The host's serial console.
    fn console(&self) -> Option<&dyn Console> {
        None
    }

    /// The identify light.
    fn identify(&self) -> Option<&dyn Identify> {
        None
    }

    /// The same session, which tells the BMC that all it sends belongs to one action; `None` where the protocol has no
    /// place for that. See [`ForAction`](crate::ForAction).
    fn for_action(&self, _: ActionId) -> Option<Arc<dyn Session>> {
        None
    }

    /// `false` once the session is known to be lost; the next operation then opens a new one.
    fn is_alive(&self) -> bool {
        true
    }

    /// Logs out. Idempotent; bounded; failures are not the caller's problem.
    async fn close(&self);
}
