//! The first command of a session, sent behind RAKP Message 3 to save a round trip.

use std::time::{Duration, Instant};

use rand::Rng;

use crate::crypto::seal;
use crate::proto::connection::Ticket;
use crate::proto::exchange::Active;
use crate::proto::handshake::Handshake;
use crate::proto::io::Io;
use crate::proto::pipeline::Pipeline;
use crate::proto::sequences::Sequences;
use crate::proto::session::Session;
use crate::proto::{Addressee, MAX_DATAGRAM, addressee};
use crate::wire::{LanRequest, PayloadType, Privilege};

/// Datagrams kept until RAKP Message 4 says whether they can be believed: the answer, and one that is not.
const MAX_EARLY: usize = 2;

/// Whether and how the login is overlapped.
#[derive(Debug, Default)]
pub(super) enum Eager {
    #[default]
    Off,
    Wanted,
    Sent {
        ticket: Ticket,
        /// The privilege that was asked for, if it was not the command itself.
        raising: Option<Privilege>,
        sequence: u8,
        at: Instant,
        /// What has come to the session's ID before the session was confirmed, as it came.
        early: Vec<Vec<u8>>,
    },
}

impl Eager {
    /// Sends the first command if RAKP Message 3 has just gone out and the command is fit for it.
    pub(super) fn send(
        &mut self,
        handshake: &Handshake,
        pipeline: &mut Pipeline,
        now: Instant,
        io: &mut Io,
    ) {
        if !matches!(self, Self::Wanted) {
            return;
        }
        let Some(proved) = handshake.proved() else {
            return;
        };
        *self = Self::Off;
        let Some((ticket, first)) = pipeline.first_in_line() else {
            return;
        };
        let raising = first.needs(Privilege::USER, proved.limit);
        if raising.is_none() && !first.only_reads() {
            return;
        }
        let sequence = io.byte() % LanRequest::SEQUENCES;
        let mut message = Vec::new();
        first.encode(raising, sequence, &mut message);
        let mut iv = [0; 16];
        io.rng.fill_bytes(&mut iv);
        let (keys, payload_type) = (proved.keys, PayloadType::IPMI);
        io.out.push(|datagram| {
            seal(
                keys,
                payload_type,
                proved.bmc_id,
                Session::FIRST,
                &iv,
                &message,
                datagram,
            );
        });
        *self = Self::Sent {
            ticket,
            raising,
            sequence,
            at: now,
            early: Vec::new(),
        };
    }

    /// Whether the command has gone out.
    pub(super) fn is_sent(&self) -> bool {
        matches!(self, Self::Sent { .. })
    }

    /// Keeps what may be the answer, unread.
    pub(super) fn keep(&mut self, datagram: &[u8], console_id: u32) {
        if let Self::Sent { early, .. } = self
            && early.len() < MAX_EARLY
            && datagram.len() <= MAX_DATAGRAM
            && addressee(datagram) == Some(Addressee::Session(console_id))
        {
            early.push(datagram.to_vec());
        }
    }

    /// Leaves out the session sequence number that was used.
    pub(super) fn skip(&self, session: &mut Session) {
        if matches!(self, Self::Sent { .. }) {
            session.skip();
        }
    }

    /// The session is up: the command is in flight in it. Gives what was kept.
    pub(super) fn settle(
        self,
        active: &mut Active,
        pipeline: &mut Pipeline,
        now: Instant,
        io: &mut Io,
    ) -> Vec<Vec<u8>> {
        self.skip(&mut active.session);
        let Self::Sent {
            ticket,
            raising,
            sequence,
            at,
            early,
        } = self
        else {
            return Vec::new();
        };
        let before = sequence.wrapping_sub(1) % LanRequest::SEQUENCES;
        active.sequences = Sequences::new(before);
        let sequence = active.sequences.take(now);
        // Soon, as the BMC may have taken the command for a datagram of no session; to send it again does no harm.
        let patience = io.round_trip(Duration::from_millis(5), Duration::from_millis(250)) * 4;
        let is_awaited = pipeline.was_sent_early(ticket, |exchange| {
            exchange.was_sent(raising, sequence, at, now + patience);
        });
        if !is_awaited {
            active.sequences.give_back(sequence, true, now);
        }
        early
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::SessionHeader;

    /// Anybody can send to the session's ID before its keys are confirmed.
    #[test]
    fn little_is_kept_for_a_session_that_is_not_up() {
        let mut eager = Eager::Sent {
            ticket: Ticket(1),
            raising: None,
            sequence: 0,
            at: Instant::now(),
            early: Vec::new(),
        };
        let mut datagram = Vec::new();
        SessionHeader::encode_sessionless(PayloadType::IPMI, b"x", &mut datagram);
        eager.keep(&datagram, 0);
        for byte in datagram.iter_mut().skip(6).take(4) {
            *byte = 7;
        }
        let console_id = u32::from_le_bytes([7; 4]);
        eager.keep(&datagram, console_id + 1);
        for _ in 0..10 {
            eager.keep(&datagram, console_id);
        }
        let Eager::Sent { early, .. } = eager else {
            unreachable!("it was sent");
        };
        assert_eq!(early.len(), MAX_EARLY);
    }
}
