//! The login in the form that was chosen: RMCP+ or IPMI v1.5.

use std::sync::Arc;
use std::time::Instant;

use crate::config::Login;
use crate::crypto::CipherSuite;
use crate::error::Error;
use crate::proto::handshake::{Established, Handshake};
use crate::proto::handshake_v15::HandshakeV15;
use crate::proto::io::Io;
use crate::proto::session::Session;
use crate::quirks::Quirk;

/// One login.
#[derive(Debug)]
pub(super) enum LogIn {
    Plus(Box<Handshake>),
    V15(Box<HandshakeV15>),
}

impl LogIn {
    /// Begins a login and sends its first datagrams. `known` is the suite of an earlier login at this BMC.
    pub(super) fn start(
        login: Arc<Login>,
        known: Option<CipherSuite>,
        console_id: u32,
        now: Instant,
        io: &mut Io,
    ) -> Self {
        if login.quirks.has(Quirk::NoChecksumCheck) {
            tracing::warn!("checksums of IPMI messages are not checked, as configured");
        }
        match login.v15 {
            None => Self::Plus(Box::new(Handshake::start(
                login, known, console_id, now, io,
            ))),
            Some(auth_type) => Self::V15(Box::new(HandshakeV15::start(login, auth_type, now, io))),
        }
    }

    /// When [`on_timeout`](Self::on_timeout) wants to be called.
    pub(super) fn timeout(&self) -> Instant {
        match self {
            Self::Plus(handshake) => handshake.timeout(),
            Self::V15(handshake) => handshake.timeout(),
        }
    }

    /// Takes in a datagram. Whatever does not belong to this login is dropped.
    pub(super) fn on_datagram(
        &mut self,
        now: Instant,
        datagram: &mut [u8],
        io: &mut Io,
    ) -> Option<Result<Established, Error>> {
        match self {
            Self::Plus(handshake) => handshake.on_datagram(now, datagram, io),
            Self::V15(handshake) => handshake.on_datagram(now, datagram, io),
        }
    }

    /// The time for an answer is over: acts on a refusal, or sends again.
    pub(super) fn on_timeout(
        &mut self,
        now: Instant,
        io: &mut Io,
    ) -> Option<Result<Established, Error>> {
        match self {
            Self::Plus(handshake) => handshake.on_timeout(now, io),
            Self::V15(handshake) => handshake.on_timeout(now, io),
        }
    }

    /// The error of a login that has to end now.
    pub(super) fn give_up(&mut self) -> Error {
        match self {
            Self::Plus(handshake) => handshake.give_up(),
            Self::V15(handshake) => handshake.give_up(),
        }
    }

    /// The session that the BMC may have opened although its last message has not come, so that it can be closed.
    pub(super) fn into_unconfirmed(self) -> Option<Session> {
        match self {
            Self::Plus(handshake) => handshake.into_unconfirmed(),
            // Its ID is in the message that has not come.
            Self::V15(_) => None,
        }
    }
}
