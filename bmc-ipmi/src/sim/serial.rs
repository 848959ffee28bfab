//! The serial port of the simulated machine, and SOL at it.

mod packets;

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::command::{SolAuthentication, SolBitRate, SolParameter, SolSetting};
use crate::wire::{Privilege, SolFlags};

use packets::Packets;

/// Characters kept in either direction; more are lost.
const CAPACITY: usize = 1 << 20;

/// The serial port of a simulated machine; all of it can be changed at any time.
#[derive(Debug)]
pub struct SerialPort {
    echo: bool,
    typed: Vec<u8>,
    breaks: Vec<usize>,
    pub(super) holder: Option<Holder>,
    packets: Packets,
    pub(super) configuration: BTreeMap<SolParameter, SolSetting>,
    faults: SerialFaults,
    /// Port of the BMC.
    pub(super) port: u16,
}

/// What can go wrong with SOL; by default nothing does.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SerialFaults {
    /// At most so many characters of a packet are accepted.
    pub partial: Option<usize>,
    /// So many of the next packets are refused with a NACK.
    pub nack_next: u32,
    /// So many of the next acknowledgements are lost.
    pub lose_next_acknowledgements: u32,
    /// The system takes no characters: packets are refused until that changes.
    pub unavailable: bool,
    /// Packets that come again are dropped without an acknowledgement, as OpenBMC does.
    pub deaf_to_repeats: bool,
    /// All packets are acknowledged with a count of 0, as some of Intel's BMCs do.
    pub counts_nothing: bool,
    /// The size of packets that Activate Payload reports.
    pub inbound_size: Option<u16>,
    /// The port that Activate Payload reports.
    pub port: Option<u16>,
    /// A console from which SOL is taken away is not told.
    pub silent_theft: bool,
    /// Deactivate Payload says that it was done, and nothing was.
    pub ignores_deactivation: bool,
}

/// Who has the serial port.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Holder {
    Session(u32),
    /// A session that this simulation knows nothing of.
    Stranger,
}

impl Default for SerialPort {
    fn default() -> Self {
        let settings = [
            SolSetting::SET_COMPLETE,
            SolSetting::Enable(true),
            SolSetting::Authentication(SolAuthentication {
                force_encryption: false,
                force_authentication: false,
                privilege: Privilege::USER,
            }),
            SolSetting::Accumulation {
                interval: 12,
                threshold: 96,
            },
            SolSetting::Retry {
                count: 7,
                interval: 10,
            },
            SolSetting::NonVolatileBitRate(SolBitRate::BPS_115200),
            SolSetting::VolatileBitRate(SolBitRate::BPS_115200),
            SolSetting::Channel(super::LAN_CHANNEL),
            SolSetting::Port(0),
        ];
        Self {
            echo: false,
            typed: Vec::new(),
            breaks: Vec::new(),
            holder: None,
            packets: Packets::default(),
            configuration: settings.map(|s| (s.parameter(), s)).into(),
            faults: SerialFaults::default(),
            port: 0,
        }
    }
}

impl SerialPort {
    /// Whether the system prints what is typed.
    pub fn set_echo(&mut self, echo: bool) {
        self.echo = echo;
    }

    /// Lets the system print.
    pub fn print(&mut self, characters: impl AsRef<[u8]>) {
        self.packets.print(characters.as_ref());
    }

    /// Lets the system send a break.
    pub fn print_break(&mut self) {
        self.packets.note(SolFlags::BREAK_SEEN);
    }

    /// Says that characters of the system were lost.
    pub fn overrun(&mut self) {
        self.packets.note(SolFlags::OVERRUN);
    }

    /// What has been typed so far.
    pub fn typed(&self) -> &[u8] {
        &self.typed
    }

    /// Numbers of characters typed before each break.
    pub fn breaks(&self) -> &[usize] {
        &self.breaks
    }

    /// Characters that the system has printed and no console has received.
    pub fn waiting(&self) -> usize {
        self.packets.waiting()
    }

    /// Whether a session has SOL.
    pub fn is_active(&self) -> bool {
        self.holder.is_some()
    }

    /// Ends SOL, as when it is disabled.
    pub fn deactivate(&mut self) {
        self.take_away();
    }

    /// Gives SOL to a session that this simulation knows nothing of.
    pub fn occupy(&mut self) {
        self.take_away();
        self.holder = Some(Holder::Stranger);
    }

    /// The faults.
    pub fn faults(&mut self) -> &mut SerialFaults {
        &mut self.faults
    }

    /// The bit rate now.
    pub fn bit_rate(&self) -> SolBitRate {
        match self.configuration.get(&SolParameter::VOLATILE_BIT_RATE) {
            Some(SolSetting::VolatileBitRate(rate)) => *rate,
            _ => SolBitRate::SERIAL,
        }
    }

    pub(super) fn is_enabled(&self) -> bool {
        let enabled = self.configuration.get(&SolParameter::ENABLE);
        enabled == Some(&SolSetting::Enable(true))
    }

    pub(super) fn authentication(&self) -> Option<SolAuthentication> {
        match self.configuration.get(&SolParameter::AUTHENTICATION) {
            Some(SolSetting::Authentication(authentication)) => Some(*authentication),
            _ => None,
        }
    }

    /// Gives SOL to a session.
    pub(super) fn activate(&mut self, session: u32) {
        self.holder = Some(Holder::Session(session));
        self.packets.restart();
    }

    /// The console's session has ended.
    pub(super) fn release(&mut self) {
        self.holder = None;
        self.packets.stop();
    }

    pub(super) fn on_packet(&mut self, now: Instant, session: u32, payload: &[u8]) {
        if self.holder != Some(Holder::Session(session)) {
            return;
        }
        let (_, interval) = self.retry();
        let Some(typed) = self
            .packets
            .on_packet(now, payload, &mut self.faults, interval)
        else {
            return;
        };
        if typed.is_break {
            self.breaks.push(self.typed.len());
        }
        let room = CAPACITY.saturating_sub(self.typed.len());
        let characters = typed.characters.get(..room).unwrap_or(typed.characters);
        self.typed.extend_from_slice(characters);
        if self.echo {
            self.packets.print(characters);
        }
    }

    /// The next payload for the console, and its session.
    pub(super) fn poll(&mut self, now: Instant) -> Option<(u32, Vec<u8>)> {
        if let Some(farewell) = self.packets.poll_farewell() {
            return Some(farewell);
        }
        let Some(Holder::Session(session)) = self.holder else {
            return None;
        };
        let (count, interval) = self.retry();
        let payload = self.packets.poll(now, count, interval, &mut self.faults)?;
        Some((session, payload))
    }

    /// When [`poll`](Self::poll) has more by itself.
    pub(super) fn timeout(&self) -> Option<Instant> {
        self.packets.timeout()
    }

    /// Takes SOL away from whoever has it.
    pub(super) fn take_away(&mut self) {
        if let Some(Holder::Session(session)) = self.holder
            && !self.faults.silent_theft
        {
            self.packets.say_farewell(session);
        }
        self.release();
    }

    /// Repeats, and the pause before each.
    fn retry(&self) -> (u32, Duration) {
        match self.configuration.get(&SolParameter::RETRY) {
            Some(SolSetting::Retry { count, interval }) => (
                (*count).into(),
                Duration::from_millis(u64::from(*interval) * 10),
            ),
            _ => (0, Duration::ZERO),
        }
    }
}
