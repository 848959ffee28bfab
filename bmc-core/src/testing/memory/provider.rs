//! One way to reach a [`MemoryBmc`].

use std::collections::BTreeSet;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

use super::fault::Script;
use super::session::MemorySession;
use super::{Fault, MemoryBmc, Step};
use crate::error::{Error, ErrorKind};
use crate::provider::{Provider, Session};

/// One way to reach a [`MemoryBmc`], with faults on demand. Clones share their faults and counters, so that a test keeps one and
/// hands the other to a [`Bmc`](crate::Bmc).
#[derive(Clone, Debug)]
pub struct MemoryProvider {
    name: &'static str,
    machine: MemoryBmc,
    lacks: BTreeSet<Capability>,
    shared: Arc<Mutex<Shared>>,
}

/// A capability that a [`MemoryProvider`] may lack.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Capability {
    /// [`PowerControl`](crate::PowerControl).
    Power,
    /// [`BootControl`](crate::BootControl).
    Boot,
    /// [`VirtualMedia`](crate::VirtualMedia).
    Media,
    /// [`Nmi`](crate::Nmi).
    Nmi,
    /// [`Identity`](crate::Identity).
    Identity,
    /// [`RestartRecord`](crate::RestartRecord).
    RestartRecord,
    /// [`BmcControl`](crate::BmcControl).
    BmcControl,
    /// [`EventLog`](crate::EventLog).
    EventLog,
    /// [`Sensors`](crate::Sensors).
    Sensors,
    /// [`Inventory`](crate::Inventory).
    Inventory,
    /// [`Users`](crate::Users).
    Users,
    /// [`Console`](crate::Console).
    Console,
    /// [`Identify`](crate::Identify).
    Identify,
}

#[derive(Debug, Default)]
struct Shared {
    logins: Script,
    requests: Script,
    tried: usize,
    refused: usize,
}

impl MemoryProvider {
    pub(super) fn new(name: &'static str, machine: MemoryBmc) -> Self {
        Self {
            name,
            machine,
            lacks: BTreeSet::new(),
            shared: Arc::default(),
        }
    }

    /// The same provider without a capability.
    #[must_use]
    pub fn without(mut self, capability: Capability) -> Self {
        self.lacks.insert(capability);
        self
    }

    /// Adds a fault for the next step of this kind that has none yet.
    pub fn fault(&self, step: Step, fault: Fault) {
        self.shared().script(step).push(fault);
    }

    /// Sets what befalls every step of this kind for which no fault was added; [`Fault::Pass`] ends it.
    pub fn always(&self, step: Step, fault: Fault) {
        self.shared().script(step).always(fault);
    }

    /// Logins tried through this provider.
    pub fn logins_tried(&self) -> usize {
        self.shared().tried
    }

    /// Logins refused through this provider.
    pub fn logins_refused(&self) -> usize {
        self.shared().refused
    }

    pub(super) fn machine(&self) -> &MemoryBmc {
        &self.machine
    }

    pub(super) fn lacks(&self, capability: Capability) -> bool {
        self.lacks.contains(&capability)
    }

    pub(super) fn next_request(&self) -> Fault {
        self.shared().requests.advance()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Provider for MemoryProvider {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn open(&self, _: Instant) -> Result<Arc<dyn Session>, Error> {
        let _busy = Busy::enter(&self.machine);
        let fault = {
            let mut shared = self.shared();
            shared.tried += 1;
            shared.logins.advance()
        };
        match fault {
            Fault::Pass | Fault::Lie => {}
            Fault::Delay(delay) => sleep(delay).await,
            Fault::Hang | Fault::HangAfter => pending().await,
            Fault::Refuse => {
                self.shared().refused += 1;
                self.machine.host().counters.refused_logins += 1;
                let message = "user name or password refused";
                return Err(Error::new(ErrorKind::Authentication, message));
            }
            Fault::Unreachable => {
                return Err(Error::new(ErrorKind::Unreachable, "nothing listens"));
            }
            Fault::Busy | Fault::LoseSession => {
                return Err(Error::new(ErrorKind::Busy, "no free session"));
            }
            Fault::RequestLost | Fault::ReplyLost => {
                return Err(Error::new(ErrorKind::Timeout, "no answer"));
            }
        }
        let id = self.machine.host().login();
        Ok(Arc::new(MemorySession::new(self.clone(), id)))
    }
}

impl Shared {
    fn script(&mut self, step: Step) -> &mut Script {
        match step {
            Step::Login => &mut self.logins,
            Step::Request => &mut self.requests,
        }
    }
}

/// Marks a step as under way, until it is done or dropped.
pub(super) struct Busy(MemoryBmc);

impl Busy {
    pub(super) fn enter(machine: &MemoryBmc) -> Self {
        machine.host().enter();
        Self(machine.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.host().leave();
    }
}
