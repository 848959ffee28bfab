//! Requester sequence numbers, §13.8: six bits that tell which request a response answers.

use std::time::{Duration, Instant};

use crate::wire::lan::LanRequest;

/// How long a late answer to a repeated or abandoned request may still come.
const REST: Duration = Duration::from_secs(30);

/// Hands out sequence numbers; keeps back those in use, and for a while those whose answers may still come.
#[derive(Debug)]
pub(super) struct Sequences {
    last: u8,
    /// Bit n: number n belongs to a request in flight.
    in_use: u64,
    resting: Vec<(u8, Instant)>,
}

impl Sequences {
    pub(super) fn new(first: u8) -> Self {
        Self {
            last: first % LanRequest::SEQUENCES,
            in_use: 0,
            resting: Vec::new(),
        }
    }

    /// The next number, in use from now on; when all others are resting, the one that has rested longest.
    pub(super) fn take(&mut self, now: Instant) -> u8 {
        self.resting.retain(|(_, until)| *until > now);
        for _ in 0..LanRequest::SEQUENCES {
            self.last = (self.last + 1) % LanRequest::SEQUENCES;
            let rests = self.resting.iter().any(|(number, _)| *number == self.last);
            if !rests && self.in_use & bit(self.last) == 0 {
                self.in_use |= bit(self.last);
                return self.last;
            }
        }
        if !self.resting.is_empty() {
            self.last = self.resting.remove(0).0;
        }
        self.in_use |= bit(self.last);
        self.last
    }

    /// Gives a number back; it rests first where an answer `may_come` still.
    pub(super) fn give_back(&mut self, number: u8, may_come: bool, now: Instant) {
        self.in_use &= !bit(number);
        if may_come {
            self.resting.retain(|(resting, _)| *resting != number);
            self.resting.push((number, now + REST));
        }
    }
}

fn bit(number: u8) -> u64 {
    1 << (number % LanRequest::SEQUENCES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_use_or_resting_are_left_out() {
        let now = Instant::now();
        let mut sequences = Sequences::new(62);
        sequences.give_back(0, true, now);
        assert_eq!([(); 3].map(|()| sequences.take(now)), [63, 1, 2]);
        sequences.give_back(1, false, now);
        sequences.last = 62;
        assert_eq!(
            [(); 2].map(|()| sequences.take(now + REST)),
            [0, 1],
            "63 and 2 are in use"
        );
    }

    #[test]
    fn the_longest_rested_is_taken_when_all_rest() {
        let now = Instant::now();
        let mut sequences = Sequences::new(0);
        let held = sequences.take(now);
        for number in (0..LanRequest::SEQUENCES).rev().filter(|n| *n != held) {
            sequences.give_back(number, true, now);
        }
        assert_eq!(sequences.take(now), 63);
        sequences.give_back(63, true, now);
        assert_eq!(sequences.take(now), 62);
    }

    #[test]
    fn a_number_in_use_is_never_handed_out_again() {
        let now = Instant::now();
        let mut sequences = Sequences::new(7);
        let held = sequences.take(now);
        for _ in 0..1000 {
            let next = sequences.take(now);
            assert_ne!(next, held);
            sequences.give_back(next, true, now);
        }
    }
}
