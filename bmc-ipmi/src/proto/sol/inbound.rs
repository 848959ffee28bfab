//! Characters on their way from the BMC.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::proto::sol::SolSettings;
use crate::wire::{SolFlags, SolHeader};

/// How often a BMC that was told to wait is told to go on, as nothing says that it has heard.
const RESUMES: u32 = 5;

#[derive(Debug)]
pub(super) struct Inbound {
    buffer: VecDeque<u8>,
    capacity: usize,
    retry_interval: Duration,
    /// Session sequence number of the newest payload.
    newest: Option<u32>,
    /// Session sequence number of the newest payload that has a number of its own.
    newest_numbered: Option<u32>,
    last: Option<Last>,
    acknowledgement: Option<SolHeader>,
    is_paused: bool,
    /// Times to say "go on" that are left, and when.
    resume: Option<(u32, Instant)>,
}

/// The last packet with a number.
#[derive(Debug)]
struct Last {
    number: u8,
    characters: Vec<u8>,
    accepted: usize,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Taken {
    /// It had come before.
    pub(super) is_repeat: bool,
    /// An earlier one has not arrived and will not: the BMC has given it up.
    pub(super) is_lossy: bool,
}

impl Inbound {
    pub(super) fn new(settings: &SolSettings) -> Self {
        Self {
            buffer: VecDeque::new(),
            capacity: settings.buffer.max(SolHeader::MAX_DATA),
            retry_interval: settings.retry_interval,
            newest: None,
            newest_numbered: None,
            last: None,
            acknowledgement: None,
            is_paused: false,
            resume: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.buffer.len()
    }

    /// How many payloads the BMC has sent since the one with this session sequence number; 0 for the newest.
    pub(super) fn age(&mut self, sequence: u32) -> u32 {
        advance(&mut self.newest, sequence)
    }

    /// Takes the characters of a packet and prepares its acknowledgement. Whole packets are taken or none: BMCs repeat
    /// all of a packet that is taken in part.
    pub(super) fn on_packet(&mut self, sequence: u32, number: u8, characters: &[u8]) -> Taken {
        if number == 0 {
            return Taken::default();
        }
        if advance(&mut self.newest_numbered, sequence) > 0 {
            // The BMC has sent another since: this one was taken, or given up by the BMC.
            return Taken {
                is_repeat: true,
                is_lossy: false,
            };
        }
        self.resume = None;
        let characters = characters.get(..SolHeader::MAX_DATA).unwrap_or(characters);
        let earlier = self.last.take();
        let accepted_before = match &earlier {
            Some(last) if last.is_repeated_by(number, characters) => Some(last.accepted),
            _ => None,
        };
        let is_lossy = accepted_before.is_none()
            && earlier.is_some_and(|last| !last.is_followed_by(number, characters));
        let skip = accepted_before.unwrap_or_default();
        let fresh = characters.get(skip..).unwrap_or_default();
        let is_accepted = fresh.len() <= self.room();
        let mut accepted = skip;
        if is_accepted {
            self.buffer.extend(fresh);
            accepted = characters.len().max(skip);
        }
        self.is_paused |= !is_accepted || self.room() < self.capacity / 4;
        self.last = Some(Last {
            number,
            characters: characters.to_vec(),
            accepted,
        });
        self.acknowledge(!is_accepted);
        Taken {
            is_repeat: accepted_before.is_some(),
            is_lossy,
        }
    }

    pub(super) fn read(&mut self, now: Instant, buffer: &mut [u8]) -> usize {
        let count = buffer.len().min(self.buffer.len());
        for (to, from) in buffer.iter_mut().zip(self.buffer.drain(..count)) {
            *to = from;
        }
        if self.is_paused && self.room() >= self.capacity / 2 {
            self.is_paused = false;
            self.resume = Some((RESUMES, now));
            self.on_timeout(now);
        }
        count
    }

    /// Whether the BMC is to hold the system back.
    pub(super) fn pause(&self) -> SolFlags {
        match self.is_paused {
            true => SolFlags::PAUSE,
            false => SolFlags::default(),
        }
    }

    pub(super) fn wants_transmit(&self) -> bool {
        self.acknowledgement.is_some()
    }

    /// The acknowledgement to send, alone or with characters.
    pub(super) fn take_acknowledgement(&mut self) -> Option<SolHeader> {
        self.acknowledgement.take()
    }

    pub(super) fn on_timeout(&mut self, now: Instant) {
        let Some((left, at)) = self.resume else {
            return;
        };
        if at <= now {
            let left = left.saturating_sub(1);
            self.resume = (left > 0).then_some((left, now + self.retry_interval));
            self.acknowledge(false);
        }
    }

    pub(super) fn timeout(&self) -> Option<Instant> {
        self.resume.map(|(_, at)| at)
    }

    fn room(&self) -> usize {
        self.capacity.saturating_sub(self.buffer.len())
    }

    fn acknowledge(&mut self, is_nack: bool) {
        let Some(last) = &self.last else {
            return;
        };
        self.acknowledgement = Some(SolHeader {
            sequence: 0,
            acknowledged: last.number,
            accepted: u8::try_from(last.accepted).unwrap_or(u8::MAX),
            flags: if is_nack {
                SolFlags::NACK
            } else {
                SolFlags::default()
            },
        });
    }
}

impl Last {
    /// A BMC that starts counting anew may use the same number for other characters.
    fn is_repeated_by(&self, number: u8, characters: &[u8]) -> bool {
        let accepted = self.characters.get(..self.accepted).unwrap_or_default();
        number == self.number && characters.starts_with(accepted)
    }

    /// Whether nothing was lost in between. What was refused comes again under the next number.
    fn is_followed_by(&self, number: u8, characters: &[u8]) -> bool {
        let refused = self.characters.get(self.accepted..).unwrap_or_default();
        number == SolHeader::next_sequence(self.number) && characters.starts_with(refused)
    }
}

/// Notes a session sequence number if it is newer than all before; otherwise says by how much it is older.
fn advance(newest: &mut Option<u32>, sequence: u32) -> u32 {
    let age = newest.unwrap_or(sequence).wrapping_sub(sequence);
    if age == 0 || age > u32::MAX / 2 {
        *newest = Some(sequence);
        return 0;
    }
    age
}
