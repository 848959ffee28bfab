//! Requester sequence numbers, §13.8: six bits that tell which request a response answers.

use std::time::{Duration, Instant};

use crate::wire::lan::LanRequest;

/// How long a late answer to a repeated or abandoned request may still come.
const REST: Duration = Duration::from_secs(30);

/// Hands out sequence numbers and keeps back those whose answers may still come.
#[derive(Debug)]
pub(super) struct Sequences {
    last: u8,
    resting: Vec<(u8, Instant)>,
}

impl Sequences {
    pub(super) fn new(first: u8) -> Self {
        Self {
            last: first % LanRequest::SEQUENCES,
            resting: Vec::new(),
        }
    }

    /// The next number; when all are resting, the one that has rested longest.
    pub(super) fn next(&mut self, now: Instant) -> u8 {
        self.resting.retain(|(_, until)| *until > now);
        for _ in 0..LanRequest::SEQUENCES {
            self.last = (self.last + 1) % LanRequest::SEQUENCES;
            if !self.resting.iter().any(|(number, _)| *number == self.last) {
                return self.last;
            }
        }
        if !self.resting.is_empty() {
            self.last = self.resting.remove(0).0;
        }
        self.last
    }

    /// Keeps a number back for a while.
    pub(super) fn rest(&mut self, number: u8, now: Instant) {
        self.resting.retain(|(resting, _)| *resting != number);
        self.resting.push((number, now + REST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resting_numbers_are_left_out_for_a_while() {
        let now = Instant::now();
        let mut sequences = Sequences::new(62);
        sequences.rest(0, now);
        assert_eq!([(); 3].map(|()| sequences.next(now)), [63, 1, 2]);
        sequences.last = 63;
        assert_eq!(sequences.next(now + REST), 0);
    }

    #[test]
    fn the_longest_rested_is_taken_when_all_rest() {
        let now = Instant::now();
        let mut sequences = Sequences::new(0);
        for number in (0..LanRequest::SEQUENCES).rev() {
            sequences.rest(number, now);
        }
        assert_eq!(sequences.next(now), 63);
        sequences.rest(63, now);
        assert_eq!(sequences.next(now), 62);
    }
}
