//! The console's side of IPMI over LAN without I/O: bytes, time and randomness come in, bytes and deadlines go out.
//!
//! A [`Connection`] is one login and the session that it leads to. Its six verbs:
//!
//! | Verb | When to call it |
//! |---|---|
//! | [`on_datagram`](Connection::on_datagram) | for each datagram that [`addressee`] says may be for it |
//! | [`on_timeout`](Connection::on_timeout) | when the time of `poll_timeout` has come |
//! | [`poll_transmit`](Connection::poll_transmit) | after each of the above and after `request`, `forget` and `close`, until it yields nothing |
//! | [`poll_timeout`](Connection::poll_timeout) | then, for the time of the next `on_timeout` |
//! | [`poll_event`](Connection::poll_event) | then, for the end of the login |
//! | [`outcome`](Connection::outcome) | then, for the end of each command |
//!
//! Whatever is sent is safe to lose, to repeat and to delay: handshake messages are repeated with a fresh tag and all
//! outstanding tags stay valid, idempotent commands are repeated with a fresh session sequence number and the same
//! requester sequence number, all others are sent once. Whatever arrives is dropped in silence unless it proves that
//! it belongs here; refusals, which prove nothing, count only when the time for a better answer is over.

mod bridge;
mod connection;
mod discovery;
mod eager;
mod exchange;
mod greeting;
mod handshake;
mod handshake_v15;
mod io;
mod ladder;
mod log_in;
mod payload_handler;
mod pipeline;
mod proposal;
mod rtt;
mod sequences;
mod session;
mod sol;
pub(crate) mod window;

pub use connection::{Connection, Event, Known, Request, Ticket};
pub(crate) use greeting::greet;
pub use payload_handler::PayloadHandler;
pub use sol::{SolEvent, SolSettings, SolStream};

use crate::wire::{PayloadType, RmcpHeader, SessionHeader};

/// Longest datagram that is looked at, in bytes. Longer ones do not exist in IPMI.
pub const MAX_DATAGRAM: usize = 2048;

/// For whom a datagram is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Addressee {
    /// For the session with this console session ID.
    Session(u32),
    /// It belongs to no session: for everybody who talks with the sender.
    Anyone,
}

/// For whom `datagram` is; `None` if it is not IPMI over LAN. Nothing is verified.
pub fn addressee(datagram: &[u8]) -> Option<Addressee> {
    if datagram.first() != Some(&RmcpHeader::VERSION) {
        return None;
    }
    if !SessionHeader::announced_by(datagram) {
        return Some(Addressee::Anyone);
    }
    let (header, _, _) = SessionHeader::split(datagram).ok()?;
    Some(match header.session_id {
        0 => Addressee::Anyone,
        id => Addressee::Session(id),
    })
}

/// Whether `header` is that of a datagram outside a session with this payload.
fn is_plain(header: &SessionHeader, payload_type: PayloadType) -> bool {
    header.payload_type == payload_type
        && !header.encrypted
        && !header.authenticated
        && header.session_id == 0
}
