//! The BMC's end of SOL, §15.11.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use super::{CAPACITY, SerialFaults};
use crate::codec::{Reader, Wire};
use crate::wire::{SolFlags, SolHeader};

/// Packets, their numbers and their acknowledgements. Numbers go on from one activation to the next, as OpenIPMI's do.
#[derive(Debug)]
pub(super) struct Packets {
    is_active: bool,
    output: VecDeque<u8>,
    /// Events that the next packet tells of.
    status: SolFlags,
    number: u8,
    in_flight: Option<InFlight>,
    /// The console wants no more characters of the system.
    is_held: bool,
    /// Number of the last packet of the console, and what was said to it.
    last: Option<SolHeader>,
    acknowledgement: Option<SolHeader>,
    was_unavailable: bool,
    farewell: Option<u32>,
}

#[derive(Debug)]
struct InFlight {
    number: u8,
    status: SolFlags,
    characters: Vec<u8>,
    sends: u32,
    timer: Instant,
}

/// What a packet brought.
pub(super) struct Typed<'a> {
    pub(super) characters: &'a [u8],
    pub(super) is_break: bool,
}

impl Default for Packets {
    fn default() -> Self {
        Self {
            is_active: false,
            output: VecDeque::new(),
            status: SolFlags::default(),
            number: 1,
            in_flight: None,
            is_held: false,
            last: None,
            acknowledgement: None,
            was_unavailable: false,
            farewell: None,
        }
    }
}

impl Packets {
    pub(super) fn restart(&mut self) {
        self.stop();
        self.is_active = true;
    }

    pub(super) fn stop(&mut self) {
        self.is_active = false;
        if let Some(packet) = self.in_flight.take() {
            self.put_back(&packet.characters);
        }
        self.is_held = false;
        self.last = None;
        self.acknowledgement = None;
    }

    pub(super) fn print(&mut self, characters: &[u8]) {
        let room = CAPACITY.saturating_sub(self.output.len());
        if characters.len() > room {
            self.note(SolFlags::OVERRUN);
        }
        self.output.extend(characters.iter().take(room));
    }

    pub(super) fn note(&mut self, status: SolFlags) {
        self.status = self.status | status;
    }

    pub(super) fn waiting(&self) -> usize {
        let in_flight = self.in_flight.as_ref().map(|p| p.characters.len());
        self.output.len() + in_flight.unwrap_or_default()
    }

    pub(super) fn say_farewell(&mut self, session: u32) {
        self.farewell = Some(session);
    }

    pub(super) fn poll_farewell(&mut self) -> Option<(u32, Vec<u8>)> {
        let session = self.farewell.take()?;
        let header = SolHeader {
            flags: SolFlags::DEACTIVATING,
            ..SolHeader::default()
        };
        Some((session, header.to_bytes()))
    }

    /// Takes in a packet of the console. `None`: it has nothing for the system.
    pub(super) fn on_packet<'a>(
        &mut self,
        now: Instant,
        payload: &'a [u8],
        faults: &mut SerialFaults,
        interval: Duration,
    ) -> Option<Typed<'a>> {
        let mut r = Reader::new(SolHeader::NAME, payload);
        let header = SolHeader::decode(&mut r).ok()?;
        let characters = r.rest();
        self.on_acknowledgement(now, &header, interval);
        self.is_held = header.flags.contains(SolFlags::PAUSE);
        if header.sequence == 0 || characters.len() > SolHeader::MAX_DATA {
            return None;
        }
        if let Some(last) = self.last
            && last.acknowledged == header.sequence
        {
            if !faults.deaf_to_repeats {
                self.acknowledgement = Some(last);
            }
            return None;
        }
        let is_refused = faults.unavailable || use_up(&mut faults.nack_next);
        let accepted = match faults.partial {
            _ if is_refused => 0,
            Some(most) => characters.len().min(most),
            None => characters.len(),
        };
        let mut flags = SolFlags::default();
        if is_refused {
            flags = flags | SolFlags::NACK;
        }
        if faults.unavailable {
            flags = flags | SolFlags::UNAVAILABLE;
            self.was_unavailable = true;
        }
        let answer = SolHeader {
            sequence: 0,
            acknowledged: header.sequence,
            accepted: match faults.counts_nothing {
                true => 0,
                false => u8::try_from(accepted).unwrap_or(u8::MAX),
            },
            flags,
        };
        self.last = Some(answer);
        if !use_up(&mut faults.lose_next_acknowledgements) {
            self.acknowledgement = Some(answer);
        }
        if is_refused {
            return None;
        }
        if header.flags.contains(SolFlags::FLUSH_INBOUND) {
            self.output.clear();
        }
        Some(Typed {
            characters: characters.get(..accepted).unwrap_or_default(),
            is_break: header.flags.contains(SolFlags::SEND_BREAK),
        })
    }

    /// The next payload to send.
    pub(super) fn poll(
        &mut self,
        now: Instant,
        count: u32,
        interval: Duration,
        faults: &mut SerialFaults,
    ) -> Option<Vec<u8>> {
        if let Some(acknowledgement) = self.acknowledgement.take() {
            return Some(acknowledgement.to_bytes());
        }
        if self.was_unavailable && !faults.unavailable {
            self.was_unavailable = false;
            return Some(SolHeader::default().to_bytes());
        }
        if self
            .in_flight
            .as_ref()
            .is_some_and(|p| p.sends > count && p.timer <= now)
        {
            self.in_flight = None;
            self.note(SolFlags::OVERRUN);
        }
        if self.in_flight.is_none() {
            self.in_flight = self.next_packet(now);
        }
        let packet = self.in_flight.as_mut().filter(|p| p.timer <= now)?;
        packet.sends += 1;
        packet.timer = now + interval.max(Duration::from_millis(10));
        let header = SolHeader {
            sequence: packet.number,
            flags: packet.status,
            ..SolHeader::default()
        };
        let mut payload = header.to_bytes();
        payload.extend_from_slice(&packet.characters);
        Some(payload)
    }

    pub(super) fn timeout(&self) -> Option<Instant> {
        self.in_flight.as_ref().map(|packet| packet.timer)
    }

    fn next_packet(&mut self, now: Instant) -> Option<InFlight> {
        let has_news = self.status != SolFlags::default();
        let is_ready = self.is_active && (!self.output.is_empty() && !self.is_held || has_news);
        if !is_ready {
            return None;
        }
        let length = if self.is_held {
            0
        } else {
            self.output.len().min(SolHeader::MAX_DATA)
        };
        let number = self.number;
        self.number = SolHeader::next_sequence(number);
        Some(InFlight {
            number,
            status: std::mem::take(&mut self.status),
            characters: self.output.drain(..length).collect(),
            sends: 0,
            timer: now,
        })
    }

    fn on_acknowledgement(&mut self, now: Instant, header: &SolHeader, interval: Duration) {
        let is_ours = |packet: &mut InFlight| packet.number == header.acknowledged;
        let Some(mut packet) = self.in_flight.take_if(is_ours) else {
            return;
        };
        if header.flags.contains(SolFlags::NACK) {
            // The console comes back to it; if not, the BMC asks.
            packet.sends = 1;
            packet.timer = now + interval.max(Duration::from_millis(100)) * 5;
            self.in_flight = Some(packet);
            return;
        }
        let left = packet.characters.get(usize::from(header.accepted)..);
        self.put_back(left.unwrap_or_default());
    }

    fn put_back(&mut self, characters: &[u8]) {
        for character in characters.iter().rev() {
            self.output.push_front(*character);
        }
    }
}

fn use_up(counter: &mut u32) -> bool {
    let left = counter.checked_sub(1);
    *counter = left.unwrap_or(0);
    left.is_some()
}
