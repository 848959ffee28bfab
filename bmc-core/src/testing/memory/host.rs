//! The machine itself: power, boot override, sessions and counters.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::Instant;

use super::session::Wire;
use super::{Counters, NO_OVERRIDE};
use crate::capability::{
    BootOverride, Component, ComponentKind, Event, IdentifyLight, MediaKind, MediaSource,
    PowerAction, PowerState, Sensor, SensorStatus, User, UserRole,
};

/// The event log.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) events: Vec<Event>,
    /// How often it was cleared.
    pub(super) clears: u64,
}

#[derive(Debug)]
pub(super) struct Host {
    power: PowerState,
    /// The state on its way, and when it arrives.
    coming: Option<(PowerState, Instant)>,
    pub(super) power_delay: Duration,
    pub(super) boot: BootOverride,
    pub(super) media: BTreeMap<MediaKind, MediaSource>,
    pub(super) log: Log,
    pub(super) sensors: Vec<Sensor>,
    pub(super) components: Vec<Component>,
    pub(super) users: Vec<User>,
    pub(super) light: IdentifyLight,
    /// The console, while somebody has it.
    pub(super) console: Option<Wire>,
    /// Starts of the host by command.
    pub(super) restarts: u32,
    pub(super) sessions: BTreeSet<u64>,
    pub(super) counters: Counters,
    /// Steps under way.
    active: usize,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            power: PowerState::Off,
            coming: None,
            power_delay: Duration::ZERO,
            boot: NO_OVERRIDE,
            media: BTreeMap::new(),
            log: Log::default(),
            sensors: vec![temperature()],
            components: vec![controller()],
            users: vec![administrator()],
            light: IdentifyLight::Off,
            console: None,
            restarts: 0,
            sessions: BTreeSet::new(),
            counters: Counters::default(),
            active: 0,
        }
    }
}

impl Host {
    pub(super) fn power(&mut self, now: Instant) -> PowerState {
        if let Some((state, at)) = self.coming
            && at <= now
        {
            self.force_power(state);
        }
        self.power
    }

    pub(super) fn force_power(&mut self, state: PowerState) {
        self.power = state;
        self.coming = None;
    }

    pub(super) fn act(&mut self, action: PowerAction, now: Instant) {
        let before = self.power(now);
        let (counter, at_once, then) = match action {
            PowerAction::On => (&mut self.counters.on, before, PowerState::On),
            PowerAction::Off => (&mut self.counters.off, before, PowerState::Off),
            PowerAction::Soft => (&mut self.counters.soft, before, PowerState::Off),
            PowerAction::Cycle => (&mut self.counters.cycle, PowerState::Off, PowerState::On),
            PowerAction::Reset => (&mut self.counters.reset, before, before),
        };
        *counter += 1;
        self.restarts += u32::from(then == PowerState::On);
        self.power = at_once;
        self.coming = Some((then, now + self.power_delay));
    }

    pub(super) fn login(&mut self) -> u64 {
        self.counters.logins += 1;
        let id = self.counters.logins as u64;
        self.sessions.insert(id);
        id
    }

    pub(super) fn enter(&mut self) {
        self.counters.overlaps += usize::from(self.active > 0);
        self.active += 1;
    }

    pub(super) fn leave(&mut self) {
        self.active = self.active.saturating_sub(1);
    }

    pub(super) fn counters(&self) -> Counters {
        Counters {
            open_sessions: self.sessions.len(),
            ..self.counters
        }
    }
}

fn temperature() -> Sensor {
    Sensor {
        id: "1".into(),
        name: "Inlet".into(),
        kind: "Temperature".into(),
        value: Some(21.5),
        unit: Some("°C".into()),
        status: SensorStatus::Ok,
        ..Sensor::default()
    }
}

fn controller() -> Component {
    Component {
        name: "BMC".into(),
        kind: ComponentKind::Bmc,
        manufacturer: Some("Memory".into()),
        model: Some("MemoryBmc".into()),
        version: Some("1.0".into()),
        ..Component::default()
    }
}

fn administrator() -> User {
    User {
        id: "1".into(),
        name: "admin".into(),
        enabled: Some(true),
        role: Some(UserRole::Administrator),
    }
}
