//! Characters on their way to the BMC.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::proto::sol::SolSettings;
use crate::wire::{SolFlags, SolHeader};

/// Longest wait for an acknowledgement.
const MAX_RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// How often a BMC that cannot take characters is asked whether it can.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Breaks and the like that may wait.
const MAX_MARKS: usize = 16;

#[derive(Debug)]
pub(super) struct Outbound {
    settings: SolSettings,
    queue: VecDeque<u8>,
    /// Position in the stream of the first character of the queue.
    position: u64,
    /// Operations, and the position of the character that they come before.
    marks: VecDeque<(u64, SolFlags)>,
    /// Number of the next packet.
    number: u8,
    in_flight: Option<InFlight>,
    paused_until: Option<Instant>,
}

/// A packet that is not acknowledged.
#[derive(Debug)]
struct InFlight {
    number: u8,
    operation: SolFlags,
    characters: Vec<u8>,
    sends: u32,
    is_due: bool,
    timer: Instant,
}

/// A packet to send now.
pub(super) struct Packet<'a> {
    pub(super) number: u8,
    pub(super) operation: SolFlags,
    pub(super) characters: &'a [u8],
    /// Whether it is sent for the first time.
    pub(super) is_first: bool,
}

impl Outbound {
    pub(super) fn new(settings: &SolSettings) -> Self {
        let max_data = settings.max_data.clamp(1, SolHeader::MAX_DATA);
        Self {
            settings: SolSettings {
                max_data,
                ..*settings
            },
            queue: VecDeque::new(),
            position: 0,
            marks: VecDeque::new(),
            number: 1,
            in_flight: None,
            paused_until: None,
        }
    }

    pub(super) fn limit_data(&mut self, max_data: usize) {
        let max_data = max_data.clamp(1, SolHeader::MAX_DATA);
        self.settings.max_data = self.settings.max_data.min(max_data);
    }

    pub(super) fn write(&mut self, characters: &[u8]) -> usize {
        let room = self.settings.buffer.saturating_sub(self.queue.len());
        let taken = characters.get(..room).unwrap_or(characters);
        self.queue.extend(taken);
        taken.len()
    }

    pub(super) fn control(&mut self, operation: SolFlags) -> bool {
        if self.marks.len() >= MAX_MARKS {
            return false;
        }
        self.marks.push_back((self.end(), operation));
        true
    }

    pub(super) fn has_room(&self) -> bool {
        self.queue.len() < self.settings.buffer
    }

    pub(super) fn is_empty(&self) -> bool {
        self.in_flight.is_none() && !self.has_more()
    }

    pub(super) fn clear(&mut self) {
        self.queue.clear();
        self.marks.clear();
        self.in_flight = None;
    }

    pub(super) fn wants_transmit(&self) -> bool {
        match &self.in_flight {
            Some(packet) => packet.is_due,
            None => self.paused_until.is_none() && self.has_more(),
        }
    }

    /// The next packet to send, first or again.
    pub(super) fn poll(&mut self, now: Instant) -> Option<Packet<'_>> {
        if self.in_flight.is_none() && self.paused_until.is_none() {
            self.in_flight = self.next_packet(now);
        }
        let packet = self.in_flight.as_mut().filter(|packet| packet.is_due)?;
        let wait = self.settings.retry_interval * 2_u32.saturating_pow(packet.sends);
        packet.timer = now + wait.min(MAX_RETRY_INTERVAL.max(self.settings.retry_interval));
        packet.is_due = false;
        packet.sends += 1;
        Some(Packet {
            number: packet.number,
            operation: packet.operation,
            characters: &packet.characters,
            is_first: packet.sends == 1,
        })
    }

    pub(super) fn on_acknowledgement(&mut self, now: Instant, header: &SolHeader) {
        let is_ours = |packet: &mut InFlight| packet.number == header.acknowledged;
        let Some(packet) = self.in_flight.take_if(is_ours) else {
            return;
        };
        let length = packet.characters.len();
        let accepted = match usize::from(header.accepted) {
            0 if self.settings.zero_means_all => length,
            count => count.min(length),
        };
        let is_nack = header.flags.contains(SolFlags::NACK) && !self.settings.zero_means_all;
        let left = packet.characters.get(accepted..).unwrap_or_default();
        for character in left.iter().rev() {
            self.queue.push_front(*character);
        }
        self.position -= u64::try_from(left.len()).unwrap_or_default();
        if is_nack && packet.operation != SolFlags::default() {
            self.marks.push_front((self.position, packet.operation));
        }
        if is_nack || accepted == 0 && length > 0 {
            // Nothing at all may pass: do not fill the line with attempts.
            let until = now + self.settings.retry_interval;
            self.paused_until = self.paused_until.max(Some(until));
        }
    }

    /// The BMC says whether it can take characters. A NACK is for [`on_acknowledgement`](Self::on_acknowledgement).
    pub(super) fn on_status(&mut self, now: Instant, status: SolFlags) {
        if status.contains(SolFlags::UNAVAILABLE) {
            self.paused_until = Some(now + POLL_INTERVAL);
        } else if !status.contains(SolFlags::NACK) {
            self.paused_until = None;
        }
    }

    /// Gives a packet up that was sent often enough, and says how many characters it had.
    pub(super) fn on_timeout(&mut self, now: Instant) -> Option<usize> {
        if self.paused_until.is_some_and(|until| until <= now) {
            self.paused_until = None;
        }
        let packet = self.in_flight.as_mut()?;
        if packet.is_due || now < packet.timer {
            return None;
        }
        if packet.sends <= self.settings.retries {
            packet.is_due = true;
            return None;
        }
        let packet = self.in_flight.take()?;
        Some(packet.characters.len())
    }

    pub(super) fn timeout(&self) -> Option<Instant> {
        match &self.in_flight {
            Some(packet) => Some(packet.timer),
            None if self.has_more() => self.paused_until,
            None => None,
        }
    }

    fn has_more(&self) -> bool {
        !self.queue.is_empty() || !self.marks.is_empty()
    }

    fn end(&self) -> u64 {
        self.position + u64::try_from(self.queue.len()).unwrap_or_default()
    }

    /// An operation, or characters up to the next operation.
    fn next_packet(&mut self, now: Instant) -> Option<InFlight> {
        let mut operation = SolFlags::default();
        let mut length = self.queue.len().min(self.settings.max_data);
        if let Some((at, waiting)) = self.marks.front() {
            let before = at.saturating_sub(self.position);
            length = length.min(usize::try_from(before).unwrap_or(usize::MAX));
            if before == 0 {
                operation = *waiting;
                self.marks.pop_front();
            }
        }
        if length == 0 && operation == SolFlags::default() {
            return None;
        }
        let number = self.number;
        self.number = SolHeader::next_sequence(number);
        self.position += u64::try_from(length).unwrap_or_default();
        Some(InFlight {
            number,
            operation,
            characters: self.queue.drain(..length).collect(),
            sends: 0,
            is_due: true,
            timer: now,
        })
    }
}
