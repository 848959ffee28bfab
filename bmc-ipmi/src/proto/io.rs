//! What handshake and session share: randomness, the round-trip estimate and datagrams on their way to the driver.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::proto::rtt::Rtt;

/// The surroundings of a state machine.
#[derive(Debug)]
pub(super) struct Io {
    pub(super) rng: StdRng,
    pub(super) rtt: Rtt,
    pub(super) out: Outbox,
    /// How much later than the estimate says a time-out comes, in 256ths.
    lateness: u32,
}

/// A queue of datagrams whose buffers go round.
#[derive(Default)]
pub(super) struct Outbox {
    queue: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
}

impl Io {
    pub(super) fn new(seed: [u8; 32], rtt: Rtt) -> Self {
        let mut rng = StdRng::from_seed(seed);
        Self {
            lateness: rng.next_u32() & 0x1f,
            rng,
            rtt,
            out: Outbox::default(),
        }
    }

    /// When to send again what has been sent `sends` times, the last time at `now`.
    ///
    /// Up to an eighth later than the estimate says, so that a fleet that lost its datagrams together does not repeat
    /// them together; always by the same share, as timers are cheapest when none overtakes an earlier one.
    pub(super) fn again_at(&self, now: Instant, sends: u32) -> Instant {
        let wait = self.rtt.timeout(sends.saturating_sub(1));
        now + wait + wait * self.lateness / 256
    }

    /// A random byte.
    pub(super) fn byte(&mut self) -> u8 {
        let [byte, ..] = self.rng.next_u32().to_le_bytes();
        byte
    }

    /// One round trip, within bounds.
    pub(super) fn round_trip(&self, least: Duration, most: Duration) -> Duration {
        self.rtt.smoothed().unwrap_or(most).clamp(least, most)
    }
}

impl Outbox {
    /// Queues what `write` appends to an empty buffer.
    pub(super) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        write(&mut buffer);
        self.queue.push_back(buffer);
    }

    /// Takes back what has not been fetched.
    pub(super) fn clear(&mut self) {
        self.queue.clear();
    }

    /// Swaps the oldest datagram in. `false`: there is none.
    pub(super) fn pop(&mut self, into: &mut Vec<u8>) -> bool {
        let Some(datagram) = self.queue.pop_front() else {
            return false;
        };
        let spare = std::mem::replace(into, datagram);
        if self.spare.len() < 2 {
            self.spare.push(spare);
        }
        true
    }
}

/// Without the datagrams: not every session encrypts the passwords in them.
impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbox")
            .field("waiting", &self.queue.len())
            .finish_non_exhaustive()
    }
}
