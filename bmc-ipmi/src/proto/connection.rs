//! A login and the session that it leads to, as one state machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::Rng;

use crate::codec::Wire;
use crate::command::{CloseSession, Command};
use crate::config::Login;
use crate::crypto::CipherSuite;
use crate::error::Error;
use crate::proto::exchange::{Active, Exchange};
use crate::proto::handshake::{Established, Handshake};
use crate::proto::io::Io;
use crate::proto::payload_handler::PayloadHandler;
use crate::proto::rtt::Rtt;
use crate::proto::sequences::Sequences;
use crate::target::Target;
use crate::wire::lan::LanRequest;
use crate::wire::{CompletionCode, LanResponse, NetFn, PayloadType, Privilege};

/// What is known about a BMC from earlier logins; saves round trips, is never trusted further.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// The suite that it accepted.
    pub suite: Option<CipherSuite>,
    /// Its round trip.
    pub round_trip: Option<Duration>,
}

/// A command as bytes.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Its name, for errors.
    pub name: &'static str,
    /// Network function.
    pub netfn: NetFn,
    /// Command number.
    pub command: u8,
    /// Request data.
    pub data: &'a [u8],
    /// Whether it may be sent again when no answer comes.
    pub idempotent: bool,
    /// The privilege that it needs.
    pub privilege: Privilege,
    /// Who executes it.
    pub target: Target,
}

/// What has happened.
#[derive(Debug)]
pub enum Event {
    /// The session is up: [`Connection::request`] may be called.
    Established,
    /// The login has failed for good.
    LoginFailed(Error),
    /// The command was answered; the response's data are in [`Connection::reply`].
    Reply(CompletionCode),
    /// The command was not answered.
    CommandFailed(Error),
}

/// One login and its session. See the [module](crate::proto) for when to call what.
#[derive(Debug)]
pub struct Connection {
    console_id: u32,
    io: Io,
    state: State,
    exchange: Option<Exchange>,
    handler: Option<(PayloadType, Box<dyn PayloadHandler>)>,
    event: Option<Event>,
    reply: Vec<u8>,
    spare: Vec<u8>,
    has_heard: bool,
    has_waited: bool,
    is_lost: bool,
}

#[derive(Debug)]
enum State {
    LoggingIn(Box<Handshake>),
    Open(Box<Active>),
    Closed,
}

impl Connection {
    /// Begins a login. `seed` is 32 random bytes that nobody else knows.
    pub fn new(login: Arc<Login>, known: Known, now: Instant, seed: [u8; 32]) -> Self {
        let rtt = known.round_trip.map_or_else(Rtt::default, Rtt::known);
        let mut io = Io::new(seed, rtt);
        let console_id = io.rng.next_u32().max(1);
        let handshake = Handshake::start(login, known.suite, console_id, now, &mut io);
        Self {
            console_id,
            io,
            state: State::LoggingIn(Box::new(handshake)),
            exchange: None,
            handler: None,
            event: None,
            reply: Vec::new(),
            spare: Vec::new(),
            has_heard: false,
            has_waited: false,
            is_lost: false,
        }
    }

    /// The ID that the BMC addresses this connection by, in the session.
    pub fn console_id(&self) -> u32 {
        self.console_id
    }

    /// Whether the session is up and not known to be lost.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_)) && !self.is_lost
    }

    /// Whether the first time-out has passed without any datagram from the BMC.
    pub fn is_silent(&self) -> bool {
        self.has_waited && !self.has_heard
    }

    /// What a later login at this BMC may start from.
    pub fn known(&self) -> Known {
        Known {
            suite: match &self.state {
                State::Open(active) => Some(active.session.keys().suite()),
                _ => None,
            },
            round_trip: self.io.rtt.smoothed(),
        }
    }

    /// Takes in a datagram; it may be decrypted in place. Drops it unless it belongs here.
    pub fn on_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        self.has_heard = true;
        match &mut self.state {
            State::LoggingIn(handshake) => {
                let outcome = handshake.on_datagram(now, datagram, &mut self.io);
                self.on_login(outcome);
            }
            State::Open(active) => {
                let Some((payload_type, payload)) = active.session.open(datagram) else {
                    return;
                };
                if payload_type != PayloadType::IPMI {
                    if let Some((attached, handler)) = &mut self.handler
                        && *attached == payload_type
                    {
                        handler.on_payload(now, payload);
                        self.on_payload_ready(now);
                    }
                    return;
                }
                let (Ok(response), Some(exchange)) =
                    (LanResponse::decode(payload), self.exchange.as_mut())
                else {
                    return;
                };
                let reply = &mut self.reply;
                let verdict = exchange.on_response(&response, reply, active, now, &mut self.io);
                self.on_verdict(verdict, now);
            }
            State::Closed => {}
        }
    }

    /// Acts on a time-out, if one has come.
    pub fn on_timeout(&mut self, now: Instant) {
        if self.poll_timeout().is_none_or(|at| now < at) {
            return;
        }
        self.has_waited = true;
        if let Some((_, handler)) = &mut self.handler {
            handler.on_timeout(now);
            self.on_payload_ready(now);
        }
        match (&mut self.state, &mut self.exchange) {
            (State::LoggingIn(handshake), _) => {
                let outcome = handshake.on_timeout(now, &mut self.io);
                self.on_login(outcome);
            }
            (State::Open(active), Some(exchange)) => {
                let verdict = exchange.on_timeout(active, now, &mut self.io);
                self.on_verdict(verdict, now);
            }
            _ => {}
        }
    }

    /// Swaps the next datagram to send into `out`. `false`: there is none.
    pub fn poll_transmit(&mut self, out: &mut Vec<u8>) -> bool {
        self.io.out.pop(out)
    }

    /// When to call [`on_timeout`](Self::on_timeout); `None` while nothing is awaited.
    pub fn poll_timeout(&self) -> Option<Instant> {
        match &self.state {
            State::LoggingIn(handshake) => Some(handshake.timeout()),
            State::Open(_) => {
                let exchange = self.exchange.as_ref().map(Exchange::timeout);
                let handler = self.handler.as_ref().and_then(|(_, h)| h.poll_timeout());
                exchange.into_iter().chain(handler).min()
            }
            State::Closed => None,
        }
    }

    /// What has happened since the last call.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.event.take()
    }

    /// The data of the last [`Event::Reply`].
    pub fn reply(&self) -> &[u8] {
        &self.reply
    }

    /// Sends a command in the session. One at a time: a command that is still in flight is abandoned.
    pub fn request(&mut self, now: Instant, request: &Request<'_>) {
        self.drop_exchange(false, now);
        self.event = None;
        let State::Open(active) = &mut self.state else {
            self.event = Some(Event::CommandFailed(Error::Closed));
            return;
        };
        let data = std::mem::take(&mut self.spare);
        self.exchange = Some(Exchange::start(request, data, active, now, &mut self.io));
    }

    /// Lets `handler` speak and listen in the session, in the place of an earlier one. Dropped where there is no session.
    pub fn attach(&mut self, payload_type: PayloadType, handler: Box<dyn PayloadHandler>) {
        if matches!(self.state, State::Open(_)) {
            self.handler = Some((payload_type, handler));
        }
    }

    /// Drops the handler.
    pub fn detach(&mut self) {
        self.handler = None;
    }

    /// Sends what the handler has to send; to be called whenever that may have become more.
    pub fn on_payload_ready(&mut self, now: Instant) {
        let (State::Open(active), Some((payload_type, handler))) =
            (&mut self.state, &mut self.handler)
        else {
            return;
        };
        let Active {
            session, message, ..
        } = &mut **active;
        message.clear();
        while handler.poll_transmit(now, message) {
            let rng = &mut self.io.rng;
            let out = &mut self.io.out;
            out.push(|datagram| session.seal_as(*payload_type, message, rng, datagram));
            message.clear();
        }
    }

    /// Ends the login or the command in flight, whose time is over, with the error that says so.
    ///
    /// A session that gave no answer is thought to be lost; one that was about to open is closed.
    pub fn give_up(&mut self, now: Instant) -> Error {
        if let State::LoggingIn(handshake) = &mut self.state {
            let error = handshake.give_up();
            self.close(now);
            return error;
        }
        let error = self
            .exchange
            .as_ref()
            .map_or(Error::Closed, Exchange::no_reply);
        self.is_lost |= self.exchange.is_some();
        self.drop_exchange(false, now);
        error
    }

    /// Sends Close Session and forgets the keys. No answer is awaited: some BMCs give none.
    pub fn close(&mut self, now: Instant) {
        self.drop_exchange(false, now);
        self.handler = None;
        let session = match std::mem::replace(&mut self.state, State::Closed) {
            State::Open(mut active) => Some((active.sequences.next(now), active.session)),
            State::LoggingIn(handshake) => handshake.into_unconfirmed().map(|session| (0, session)),
            State::Closed => None,
        };
        let Some((sequence, mut session)) = session else {
            return;
        };
        let session_id = session.bmc_id();
        let data = CloseSession { session_id }.to_bytes();
        let mut message = Vec::new();
        LanRequest::to_bmc(CloseSession::NETFN, CloseSession::CMD, sequence, &data)
            .encode(&mut message);
        let rng = &mut self.io.rng;
        self.io
            .out
            .push(|datagram| session.seal(&message, rng, datagram));
    }

    fn on_login(&mut self, outcome: Option<Result<Established, Error>>) {
        match outcome {
            None => {}
            Some(Ok(Established { session, limit })) => {
                self.state = State::Open(Box::new(Active {
                    session,
                    sequences: Sequences::new(self.io.byte()),
                    privilege: Privilege::USER,
                    limit,
                    message: Vec::new(),
                }));
                self.event = Some(Event::Established);
            }
            Some(Err(error)) => {
                self.state = State::Closed;
                self.event = Some(Event::LoginFailed(error));
            }
        }
    }

    fn on_verdict(&mut self, verdict: Option<Result<CompletionCode, Error>>, now: Instant) {
        match verdict {
            None => return,
            Some(Ok(code)) => self.event = Some(Event::Reply(code)),
            Some(Err(error)) => {
                self.is_lost |= !error.is_answer();
                self.event = Some(Event::CommandFailed(error));
            }
        }
        self.drop_exchange(true, now);
    }

    fn drop_exchange(&mut self, answered: bool, now: Instant) {
        if let (Some(exchange), State::Open(active)) = (self.exchange.take(), &mut self.state) {
            self.spare = exchange.finish(active, answered, now);
        }
    }
}

impl<'a> Request<'a> {
    /// The typed command `command`, whose encoded data are `data`.
    pub fn new<C: Command>(command: &C, data: &'a [u8]) -> Self {
        Self {
            name: C::NAME,
            netfn: C::NETFN,
            command: C::CMD,
            data,
            idempotent: command.is_idempotent(),
            privilege: C::PRIVILEGE,
            target: Target::BMC,
        }
    }

    /// The same command, executed by `target`.
    #[must_use]
    pub fn at(self, target: Target) -> Self {
        Self { target, ..self }
    }
}
