//! A session with a [`MemoryBmc`](super::MemoryBmc).

mod console;
mod records;
mod switches;
mod users;

use std::future::pending;
use std::sync::atomic::{AtomicU8, Ordering};

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

use super::host::Host;
use super::provider::{Busy, Capability, MemoryProvider};
use super::{Fault, NO_OVERRIDE};
use crate::capability::{
    BmcControl, BmcIdentity, BootControl, BootDevice, BootOverride, BootReading, Console, EventLog,
    Identify, Identity, Inventory, MediaKind, MediaSource, Nmi, PowerAction, PowerControl,
    PowerState, RestartRecord, Sensors, Users, VirtualMedia,
};
use crate::error::{Effect, Error, ErrorKind};
use crate::provider::{Provider, Session};

pub(super) use console::Wire;

#[derive(Debug)]
pub(super) struct MemorySession {
    provider: MemoryProvider,
    id: u64,
    state: AtomicU8,
}

const ALIVE: u8 = 0;
const LOST: u8 = 1;
const CLOSED: u8 = 2;

impl MemorySession {
    pub(super) fn new(provider: MemoryProvider, id: u64) -> Self {
        Self {
            provider,
            id,
            state: AtomicU8::new(ALIVE),
        }
    }

    /// One request: `effect` is carried out on the host as the next fault has it; `Lie` answers `lie` instead.
    async fn request<T: Send>(
        &self,
        effect: impl FnOnce(&mut Host) -> T + Send,
        lie: impl FnOnce(T) -> T + Send,
    ) -> Result<T, Error> {
        let machine = self.provider.machine();
        let _busy = Busy::enter(machine);
        self.check()?;
        machine.host().counters.operations += 1;
        match self.provider.next_request() {
            Fault::Pass => Ok(effect(&mut machine.host())),
            Fault::Delay(delay) => {
                sleep(delay).await;
                self.check()?;
                Ok(effect(&mut machine.host()))
            }
            Fault::Hang => pending().await,
            Fault::HangAfter => {
                effect(&mut machine.host());
                pending().await
            }
            Fault::Refuse => Err(Error::new(ErrorKind::Authentication, "session expired")),
            Fault::Unreachable => Err(Error::new(ErrorKind::Unreachable, "nothing listens")),
            Fault::Busy => Err(Error::new(ErrorKind::Busy, "busy")),
            Fault::RequestLost => Err(no_answer()),
            Fault::ReplyLost => {
                effect(&mut machine.host());
                Err(no_answer())
            }
            Fault::LoseSession => {
                machine.host().sessions.remove(&self.id);
                self.check()?;
                Err(no_answer())
            }
            Fault::Lie => {
                let mut pretended = Host::default();
                pretended.force_power(machine.host().power(Instant::now()));
                Ok(lie(effect(&mut pretended)))
            }
        }
    }

    fn check(&self) -> Result<(), Error> {
        if self.state.load(Ordering::Acquire) == CLOSED {
            return Err(Error::new(ErrorKind::Closed, "the session is closed"));
        }
        if self.provider.machine().host().sessions.contains(&self.id) {
            return Ok(());
        }
        self.state.store(LOST, Ordering::Release);
        Err(Error::new(
            ErrorKind::Protocol,
            "the BMC does not know the session",
        ))
    }

    fn has(&self, capability: Capability) -> Option<&Self> {
        (!self.provider.lacks(capability)).then_some(self)
    }
}

#[async_trait]
impl Session for MemorySession {
    fn power(&self) -> Option<&dyn PowerControl> {
        self.has(Capability::Power).map(|session| session as _)
    }

    fn boot(&self) -> Option<&dyn BootControl> {
        self.has(Capability::Boot).map(|session| session as _)
    }

    fn media(&self) -> Option<&dyn VirtualMedia> {
        self.has(Capability::Media).map(|session| session as _)
    }

    fn nmi(&self) -> Option<&dyn Nmi> {
        self.has(Capability::Nmi).map(|session| session as _)
    }

    fn identity(&self) -> Option<&dyn Identity> {
        self.has(Capability::Identity).map(|session| session as _)
    }

    fn restart_record(&self) -> Option<&dyn RestartRecord> {
        self.has(Capability::RestartRecord)
            .map(|session| session as _)
    }

    fn bmc_control(&self) -> Option<&dyn BmcControl> {
        self.has(Capability::BmcControl).map(|session| session as _)
    }

    fn event_log(&self) -> Option<&dyn EventLog> {
        self.has(Capability::EventLog).map(|session| session as _)
    }

    fn sensors(&self) -> Option<&dyn Sensors> {
        self.has(Capability::Sensors).map(|session| session as _)
    }

    fn inventory(&self) -> Option<&dyn Inventory> {
        self.has(Capability::Inventory).map(|session| session as _)
    }

    fn users(&self) -> Option<&dyn Users> {
        self.has(Capability::Users).map(|session| session as _)
    }

    fn console(&self) -> Option<&dyn Console> {
        self.has(Capability::Console).map(|session| session as _)
    }

    fn identify(&self) -> Option<&dyn Identify> {
        self.has(Capability::Identify).map(|session| session as _)
    }

    fn is_alive(&self) -> bool {
        self.state.load(Ordering::Acquire) == ALIVE
    }

    async fn close(&self) {
        self.state.store(CLOSED, Ordering::Release);
        self.provider.machine().host().sessions.remove(&self.id);
    }
}

#[async_trait]
impl PowerControl for MemorySession {
    async fn power_state(&self) -> Result<PowerState, Error> {
        self.request(
            |host| host.power(Instant::now()),
            |state| match state {
                PowerState::On => PowerState::Off,
                _ => PowerState::On,
            },
        )
        .await
    }

    async fn set_power(&self, action: PowerAction) -> Result<(), Error> {
        self.request(|host| host.act(action, Instant::now()), |()| ())
            .await
    }
}

#[async_trait]
impl BootControl for MemorySession {
    async fn boot_override(&self) -> Result<BootReading, Error> {
        self.request(|host| reading(host.boot), |_| reading(NO_OVERRIDE))
            .await
    }

    async fn set_boot_override(&self, wanted: BootOverride) -> Result<(), Error> {
        self.request(
            |host| {
                host.counters.boot_sets += 1;
                host.boot = wanted;
            },
            |()| (),
        )
        .await
    }
}

#[async_trait]
impl VirtualMedia for MemorySession {
    async fn media(&self, kind: MediaKind) -> Result<Option<MediaSource>, Error> {
        self.request(|host| host.media.get(&kind).cloned(), |_| None)
            .await
    }

    async fn insert_media(&self, kind: MediaKind, source: &MediaSource) -> Result<(), Error> {
        let source = source.clone();
        self.request(
            |host| {
                host.counters.media_sets += 1;
                host.media.insert(kind, source);
            },
            |()| (),
        )
        .await
    }

    async fn eject_media(&self, kind: MediaKind) -> Result<(), Error> {
        self.request(
            |host| {
                host.counters.media_sets += 1;
                host.media.remove(&kind);
            },
            |()| (),
        )
        .await
    }
}

#[async_trait]
impl Nmi for MemorySession {
    async fn send_nmi(&self) -> Result<(), Error> {
        self.request(|host| host.counters.nmi += 1, |()| ()).await
    }
}

#[async_trait]
impl Identity for MemorySession {
    async fn identity(&self) -> Result<BmcIdentity, Error> {
        let truth = BmcIdentity {
            manufacturer: Some("Memory".into()),
            product: Some("MemoryBmc".into()),
            firmware: Some("1.0".into()),
            protocol: Some(self.provider.name().into()),
        };
        self.request(|_| truth, |_| BmcIdentity::default()).await
    }
}

fn reading(settings: BootOverride) -> BootReading {
    BootReading {
        settings,
        valid: settings.device != BootDevice::None,
        raw: settings.to_string(),
    }
}

fn no_answer() -> Error {
    Error::new(ErrorKind::Timeout, "no answer").with_effect(Effect::Unknown)
}
