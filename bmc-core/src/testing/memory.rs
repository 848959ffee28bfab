//! A BMC in memory, reached by as many providers as a test wants, each with faults on demand.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::capability::{
    BootDevice, BootOverride, Component, Event, IdentifyLight, MediaKind, MediaSource, PowerAction,
    PowerState, Sensor, User,
};

mod fault;
mod host;
mod provider;
mod session;

pub use fault::{Fault, Step};
use host::Host;
pub use provider::{Capability, MemoryProvider};

/// A machine with its BMC. Clones are the same machine.
///
/// ```
/// # use bmc_core::{Bmc, PowerAction, PowerState, testing::memory::{Fault, MemoryBmc, Step}};
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), bmc_core::Exhausted> {
/// let machine = MemoryBmc::new();
/// let ipmi = machine.provider("ipmi");
/// ipmi.fault(Step::Login, Fault::Unreachable);
/// let bmc = Bmc::builder().provider(ipmi).provider(machine.provider("redfish")).build();
///
/// let done = bmc.set_power(PowerAction::On).await?;
/// assert_eq!(done.report.winner(), Some("redfish"));
/// assert_eq!(machine.power_state(), PowerState::On);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct MemoryBmc {
    host: Arc<Mutex<Host>>,
}

/// What has happened to a [`MemoryBmc`] since it was made.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Counters {
    /// Logins that were accepted.
    pub logins: usize,
    /// Logins that were refused.
    pub refused_logins: usize,
    /// Requests that reached the BMC in a session, failed ones included.
    pub operations: usize,
    /// Power actions carried out: on.
    pub on: usize,
    /// Power actions carried out: off.
    pub off: usize,
    /// Power actions carried out: soft.
    pub soft: usize,
    /// Power actions carried out: cycle.
    pub cycle: usize,
    /// Power actions carried out: reset.
    pub reset: usize,
    /// Diagnostic interrupts carried out.
    pub nmi: usize,
    /// Boot overrides written.
    pub boot_sets: usize,
    /// Virtual media inserted or ejected.
    pub media_sets: usize,
    /// Restarts of the BMC itself.
    pub bmc_resets: usize,
    /// Clearings of the event log.
    pub event_clears: usize,
    /// Changes of a user.
    pub user_sets: usize,
    /// Switchings of the identify light.
    pub identify_sets: usize,
    /// Breaks that arrived on the console.
    pub breaks: usize,
    /// Sessions open now.
    pub open_sessions: usize,
    /// Times that a login or a request came while another one was under way.
    pub overlaps: usize,
}

impl Default for MemoryBmc {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryBmc {
    /// A machine that is off, without a boot override, and switches at once.
    pub fn new() -> Self {
        Self {
            host: Arc::new(Mutex::new(Host::default())),
        }
    }

    /// The same machine, which from now on takes `delay` to switch on or off.
    #[must_use]
    pub fn power_delay(self, delay: Duration) -> Self {
        self.host().power_delay = delay;
        self
    }

    /// A way to reach this machine.
    pub fn provider(&self, name: &'static str) -> MemoryProvider {
        MemoryProvider::new(name, self.clone())
    }

    /// The power state, seen at the machine itself.
    pub fn power_state(&self) -> PowerState {
        self.host().power(Instant::now())
    }

    /// Presses the button at the machine itself: no BMC is asked and nothing is counted.
    pub fn set_power_state(&self, state: PowerState) {
        self.host().force_power(state);
    }

    /// The boot override, seen at the machine itself.
    pub fn boot_override(&self) -> BootOverride {
        self.host().boot
    }

    /// The virtual medium, seen at the machine itself.
    pub fn media(&self, kind: MediaKind) -> Option<MediaSource> {
        self.host().media.get(&kind).cloned()
    }

    /// Adds an event to the log.
    pub fn log_event(&self, event: Event) {
        self.host().log.events.push(event);
    }

    /// Replaces the sensors; one temperature to begin with.
    pub fn set_sensors(&self, sensors: Vec<Sensor>) {
        self.host().sensors = sensors;
    }

    /// Replaces the components; the BMC alone to begin with.
    pub fn set_components(&self, components: Vec<Component>) {
        self.host().components = components;
    }

    /// The users, seen at the machine itself; `admin` alone to begin with.
    pub fn users(&self) -> Vec<User> {
        self.host().users.clone()
    }

    /// The identify light, seen at the machine itself.
    pub fn identify_light(&self) -> IdentifyLight {
        self.host().light
    }

    /// The BMC restarts: it forgets all sessions, which their holders do not notice before they use them.
    pub fn lose_sessions(&self) {
        self.host().sessions.clear();
    }

    /// What has happened so far.
    pub fn counters(&self) -> Counters {
        self.host().counters()
    }

    fn host(&self) -> MutexGuard<'_, Host> {
        self.host.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counters {
    /// How often `action` was carried out.
    pub fn executed(&self, action: PowerAction) -> usize {
        match action {
            PowerAction::On => self.on,
            PowerAction::Off => self.off,
            PowerAction::Soft => self.soft,
            PowerAction::Cycle => self.cycle,
            PowerAction::Reset => self.reset,
        }
    }
}

const NO_OVERRIDE: BootOverride = BootOverride {
    device: BootDevice::None,
    persistence: crate::capability::Persistence::Once,
    mode: crate::capability::BootMode::Legacy,
};
