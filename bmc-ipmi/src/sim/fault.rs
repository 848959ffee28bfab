//! What can go wrong between a BMC and its console, switchable at any time.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use tokio::time::Instant;

use crate::crypto::CipherSuite;
use crate::sim::Reply;
use crate::wire::{CompletionCode, NetFn, Status};

/// The faults of a simulated BMC; by default it has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// Probability with which each datagram is lost, in each direction.
    pub drop: f64,
    /// So many of the next requests are lost: the BMC does not see them.
    pub drop_next_requests: u32,
    /// So many of the next replies are lost: the BMC has done what they report.
    pub drop_next_replies: u32,
    /// Every reply takes this much longer.
    pub delay: Duration,
    /// Every reply takes up to this much longer, so that replies overtake each other.
    pub reorder: Duration,
    /// Every reply is sent twice.
    pub duplicate: bool,
    /// Probability with which one bit of a reply is changed.
    pub corrupt: f64,
    /// The BMC answers nothing.
    pub silent: bool,
    /// No session can be opened: there are too many.
    pub full: bool,
    /// Open Session is answered with this status.
    pub refuse_open: Option<Status>,
    /// Open Session is answered with the algorithms of this suite, whatever was asked for.
    pub downgrade: Option<CipherSuite>,
    /// The AuthCodes of replies in a session are wrong.
    pub wrong_integrity: bool,
    /// Replies in a session are neither authenticated nor encrypted.
    pub unprotected: bool,
    /// RAKP Message 1 is answered with this status.
    pub refuse_auth: Option<Status>,
    /// The BMC accepts commands that change something, and does nothing.
    pub ignore: bool,
    /// The BMC accepts a user's new password, and keeps the old one.
    pub forgets_passwords: bool,
    /// These commands end with these codes and do nothing.
    pub completion_codes: BTreeMap<(NetFn, u8), CompletionCode>,
    /// These commands are answered with this data and do nothing: answers that lie, or that are too short.
    pub answers: BTreeMap<(NetFn, u8), Vec<u8>>,
    /// So many of the next replies to these commands are lost: the BMC has done what they report.
    pub drop_replies_to: BTreeMap<(NetFn, u8), u32>,
}

impl Faults {
    /// Commands of this network function and number end with `code` and do nothing; [`CompletionCode::OK`] heals.
    pub fn completion_code(&mut self, netfn: NetFn, command: u8, code: CompletionCode) {
        if code.is_ok() {
            self.completion_codes.remove(&(netfn, command));
        } else {
            self.completion_codes.insert((netfn, command), code);
        }
    }

    /// What a command is answered with instead of being carried out.
    pub(crate) fn answer(&self, netfn: NetFn, command: u8) -> Option<(CompletionCode, Vec<u8>)> {
        let key = (netfn, command);
        let code = self.completion_codes.get(&key);
        let lie = self.answers.get(&key);
        code.map(|code| (*code, Vec::new()))
            .or_else(|| lie.map(|data| (CompletionCode::OK, data.clone())))
    }

    /// Loses the reply to a command if it is to be lost.
    pub(crate) fn on_command(&mut self, netfn: NetFn, command: u8) {
        let replies = self.drop_replies_to.get_mut(&(netfn, command));
        if replies.is_some_and(use_up) {
            self.drop_next_replies += 1;
        }
    }

    /// Whether a datagram reaches the BMC.
    pub(crate) fn lets_in(&mut self, rng: &mut StdRng) -> bool {
        if self.silent || use_up(&mut self.drop_next_requests) {
            return false;
        }
        !happens(rng, self.drop)
    }

    /// What becomes of a reply.
    pub(crate) fn send(
        &mut self,
        rng: &mut StdRng,
        now: Instant,
        to: SocketAddr,
        datagram: &[u8],
    ) -> Vec<Reply> {
        let mut sent = Vec::new();
        if use_up(&mut self.drop_next_replies) {
            return sent;
        }
        let copies = if self.duplicate { 2 } else { 1 };
        for _ in 0..copies {
            if happens(rng, self.drop) {
                continue;
            }
            let mut datagram = datagram.to_vec();
            if happens(rng, self.corrupt) {
                flip_a_bit(rng, &mut datagram);
            }
            let mut due = now + self.delay;
            if !self.reorder.is_zero() {
                due += rng.random_range(Duration::ZERO..=self.reorder);
            }
            sent.push(Reply { due, to, datagram });
        }
        sent
    }
}

/// Takes one off a counter; whether there was one.
fn use_up(counter: &mut u32) -> bool {
    let left = counter.checked_sub(1);
    *counter = left.unwrap_or(0);
    left.is_some()
}

fn happens(rng: &mut StdRng, probability: f64) -> bool {
    // Without a fault no randomness is drawn, so that switching faults does not change session IDs.
    probability > 0.0 && rng.random_bool(probability.min(1.0))
}

fn flip_a_bit(rng: &mut StdRng, datagram: &mut [u8]) {
    let at = rng.random_range(0..datagram.len());
    if let Some(byte) = datagram.get_mut(at) {
        *byte ^= 1 << rng.random_range(0..8);
    }
}
