//! The console's end of a SOL byte stream, §15.

mod inbound;
mod outbound;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::codec::{Reader, Wire};
use crate::proto::payload_handler::PayloadHandler;
use crate::wire::{SolFlags, SolHeader};

use inbound::Inbound;
use outbound::Outbound;

/// Events kept for a console that does not ask for them; older ones are dropped.
const MAX_EVENTS: usize = 64;

/// How a stream behaves; the defaults suit BMCs without known defects.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SolSettings {
    /// Most characters in one packet to the BMC, 1 to 255.
    pub max_data: usize,
    /// How long an acknowledgement is waited for at first; twice as long each further time, at most two seconds.
    pub retry_interval: Duration,
    /// How often a packet is sent again before its characters are given up as [unconfirmed](SolEvent::Unconfirmed).
    pub retries: u32,
    /// Characters kept in each direction. A BMC that sends more is told to wait.
    pub buffer: usize,
    /// A BMC that says it has accepted no character of a packet has accepted all, as some of Intel's do.
    pub zero_means_all: bool,
}

/// What has happened beside the characters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SolEvent {
    /// The BMC has lost characters of the system.
    Overrun,
    /// The serial port has seen a break.
    Break,
    /// The BMC has given up characters of the system that did not reach the console or that the console had no room
    /// for; or it has begun to count its packets anew.
    Lost,
    /// The BMC did not acknowledge so many characters, or, with 0, a break or the like. It may have taken them: some
    /// do not acknowledge what they receive a second time.
    Unconfirmed {
        /// Number of characters.
        characters: usize,
    },
    /// The BMC has ended SOL, for instance because another console took it over or because it was disabled.
    Deactivated,
}

/// The console's end of a SOL byte stream: characters and time come in, packets and deadlines go out.
///
/// Both directions have one packet under way at a time. The BMC's numbers may start and jump anywhere; repeated
/// packets are acknowledged again and their characters taken once.
#[derive(Debug)]
pub struct SolStream {
    inbound: Inbound,
    outbound: Outbound,
    events: VecDeque<SolEvent>,
    is_over: bool,
}

impl Default for SolSettings {
    fn default() -> Self {
        Self {
            max_data: SolHeader::MAX_DATA,
            retry_interval: Duration::from_millis(250),
            retries: 6,
            buffer: 1 << 16,
            zero_means_all: false,
        }
    }
}

impl SolStream {
    /// A stream that has just been activated.
    pub fn new(settings: &SolSettings) -> Self {
        Self {
            inbound: Inbound::new(settings),
            outbound: Outbound::new(settings),
            events: VecDeque::new(),
            is_over: false,
        }
    }

    /// Lowers the most characters in one packet to what the BMC says it takes; 1 to 255, clamped.
    pub fn limit_data(&mut self, max_data: usize) {
        self.outbound.limit_data(max_data);
    }

    /// Takes characters for the BMC; fewer than offered, or none, while the buffer is full.
    pub fn write(&mut self, characters: &[u8]) -> usize {
        if self.is_over {
            return 0;
        }
        self.outbound.write(characters)
    }

    /// Moves characters of the system into `buffer`; none while there are none.
    pub fn read(&mut self, now: Instant, buffer: &mut [u8]) -> usize {
        self.inbound.read(now, buffer)
    }

    /// Number of characters that can be read.
    pub fn readable(&self) -> usize {
        self.inbound.len()
    }

    /// Asks for a break, or to flush, ring or hang up, after the characters written so far. `false`: too much is waiting.
    pub fn control(&mut self, operation: SolFlags) -> bool {
        !self.is_over && self.outbound.control(operation)
    }

    /// What has happened since the last call.
    pub fn poll_event(&mut self) -> Option<SolEvent> {
        self.events.pop_front()
    }

    /// Whether [`write`](Self::write) takes anything now.
    pub fn is_writable(&self) -> bool {
        !self.is_over && self.outbound.has_room()
    }

    /// Whether everything written has been acknowledged or given up.
    pub fn is_flushed(&self) -> bool {
        self.outbound.is_empty()
    }

    /// Whether the BMC has ended SOL. What it sent before can still be read.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether [`poll_transmit`](PayloadHandler::poll_transmit) has something to send.
    pub fn wants_transmit(&self) -> bool {
        self.inbound.wants_transmit() || self.outbound.wants_transmit()
    }

    fn note(&mut self, event: SolEvent) {
        if self.events.len() >= MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }
}

impl PayloadHandler for SolStream {
    fn on_payload(&mut self, now: Instant, sequence: u32, payload: &[u8]) {
        let mut r = Reader::new(SolHeader::NAME, payload);
        let Ok(header) = SolHeader::decode(&mut r) else {
            return;
        };
        if self.is_over {
            return;
        }
        let age = self.inbound.age(sequence);
        if age == 0 {
            self.outbound.on_status(now, header.flags);
        }
        // Older acknowledgements may be of the last round of numbers.
        if header.acknowledged != 0 && age < SolHeader::MAX_SEQUENCE.into() {
            self.outbound.on_acknowledgement(now, &header);
        }
        let taken = self.inbound.on_packet(sequence, header.sequence, r.rest());
        if taken.is_lossy {
            self.note(SolEvent::Lost);
        }
        if !taken.is_repeat {
            if header.flags.contains(SolFlags::OVERRUN) {
                self.note(SolEvent::Overrun);
            }
            if header.flags.contains(SolFlags::BREAK_SEEN) {
                self.note(SolEvent::Break);
            }
        }
        if header.flags.contains(SolFlags::DEACTIVATING) {
            self.is_over = true;
            self.outbound.clear();
            self.note(SolEvent::Deactivated);
        }
    }

    fn on_timeout(&mut self, now: Instant) {
        self.inbound.on_timeout(now);
        if let Some(characters) = self.outbound.on_timeout(now) {
            self.note(SolEvent::Unconfirmed { characters });
        }
    }

    fn poll_transmit(&mut self, now: Instant, out: &mut Vec<u8>) -> bool {
        let pause = self.inbound.pause();
        let packet = self.outbound.poll(now);
        // A packet sent again is the same packet: what has arrived since is acknowledged alone.
        let acknowledgement = match &packet {
            Some(packet) if !packet.is_first => None,
            _ => self.inbound.take_acknowledgement(),
        };
        if packet.is_none() && acknowledgement.is_none() {
            return false;
        }
        let acknowledgement = acknowledgement.unwrap_or_default();
        let (number, operation, characters) = match &packet {
            Some(packet) => (packet.number, packet.operation, packet.characters),
            None => (0, SolFlags::default(), &[][..]),
        };
        let header = SolHeader {
            sequence: number,
            flags: operation | acknowledgement.flags | pause,
            ..acknowledgement
        };
        header.encode(out);
        out.extend_from_slice(characters);
        true
    }

    fn poll_timeout(&self) -> Option<Instant> {
        let timers = [self.inbound.timeout(), self.outbound.timeout()];
        timers.into_iter().flatten().min()
    }
}
