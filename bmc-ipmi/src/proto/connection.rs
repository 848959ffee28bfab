//! A login and the session that it leads to, as one state machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::Rng;

use crate::codec::Wire;
use crate::command::{CloseSession, Command};
use crate::config::Login;
use crate::crypto::CipherSuite;
use crate::error::Error;
use crate::proto::eager::Eager;
use crate::proto::exchange::{Active, Exchange};
use crate::proto::handshake::Established;
use crate::proto::io::Io;
use crate::proto::log_in::LogIn;
use crate::proto::payload_handler::PayloadHandler;
use crate::proto::pipeline::Pipeline;
use crate::proto::rtt::Rtt;
use crate::proto::sequences::Sequences;
use crate::target::Target;
use crate::wire::lan::LanRequest;
use crate::wire::{CompletionCode, NetFn, PayloadType, Privilege};

/// What is known about a BMC from earlier logins; saves round trips, is never trusted further.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Known {
    /// The suite that it accepted.
    pub suite: Option<CipherSuite>,
    /// Its round trip.
    pub round_trip: Option<Duration>,
    /// It has lost what reached it while it was busy: it gets one message at a time, whatever else was wished.
    pub single_buffer: bool,
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

/// Names a command of a [`Connection`] from its request until it is [forgotten](Connection::forget).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Ticket(pub(super) u32);

/// How the login ended.
#[derive(Debug)]
pub enum Event {
    /// The session is up.
    Established,
    /// The login has failed for good.
    LoginFailed(Error),
}

/// One login and its session. See the [module](crate::proto) for when to call what.
#[derive(Debug)]
pub struct Connection {
    console_id: u32,
    io: Io,
    state: State,
    eager: Eager,
    pipeline: Pipeline,
    handler: Option<(PayloadType, Box<dyn PayloadHandler>)>,
    event: Option<Event>,
    has_heard: bool,
    has_waited: bool,
    is_lost: bool,
}

#[derive(Debug)]
enum State {
    LoggingIn(LogIn),
    Open(Box<Active>),
    Closed,
}

impl Connection {
    /// Most commands that a session has in flight.
    pub const MAX_WINDOW: usize = Pipeline::MAX_WINDOW;

    /// Begins a login. `seed` is 32 random bytes that nobody else knows.
    pub fn new(login: Arc<Login>, known: Known, now: Instant, seed: [u8; 32]) -> Self {
        let rtt = known.round_trip.map_or_else(Rtt::default, Rtt::known);
        let mut io = Io::new(seed, rtt);
        let console_id = io.rng.next_u32().max(1);
        let handshake = LogIn::start(login, known.suite, console_id, now, &mut io);
        Self {
            console_id,
            io,
            state: State::LoggingIn(handshake),
            eager: Eager::default(),
            pipeline: Pipeline::new(known.single_buffer),
            handler: None,
            event: None,
            has_heard: false,
            has_waited: false,
            is_lost: false,
        }
    }

    /// Lets the first command, requested before the session is up, overlap the last step of the login.
    ///
    /// It goes out behind RAKP Message 3, when the BMC has proved itself, and its answer counts after RAKP Message 4.
    /// Only commands that read go out early, and requests for privilege; none with a BMC key Kg, which RAKP Message 2
    /// does not prove, and none to a BMC known for a single buffer.
    pub fn overlap_login(&mut self) {
        if !self.pipeline.has_single_buffer() {
            self.eager = Eager::Wanted;
        }
    }

    /// Lets up to `window` commands be in flight at a time; 1 to [`MAX_WINDOW`](Self::MAX_WINDOW), clamped, 1 at first.
    ///
    /// Of a BMC that loses some of them, it stays 1.
    pub fn set_window(&mut self, window: usize) {
        self.pipeline.set_window(window);
    }

    /// The ID that the BMC addresses this connection by, in the session.
    pub fn console_id(&self) -> u32 {
        self.console_id
    }

    /// Whether the session is up and not known to be lost.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_)) && !self.is_lost
    }

    /// Whether a command waits for its turn or its answer.
    pub fn is_busy(&self) -> bool {
        self.pipeline.is_busy()
    }

    /// Whether the first time-out has passed without any datagram from the BMC.
    pub fn is_silent(&self) -> bool {
        self.has_waited && !self.has_heard
    }

    /// The BMC's ID of the session while it is up.
    pub fn bmc_id(&self) -> Option<u32> {
        match &self.state {
            State::Open(active) => Some(active.session.bmc_id()),
            _ => None,
        }
    }

    /// What a later login at this BMC may start from.
    pub fn known(&self) -> Known {
        Known {
            suite: match &self.state {
                State::Open(active) => active.session.suite(),
                _ => None,
            },
            round_trip: self.io.rtt.smoothed(),
            single_buffer: self.pipeline.has_single_buffer(),
        }
    }

    /// Takes in a datagram; it may be decrypted in place. Drops it unless it belongs here.
    pub fn on_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        self.has_heard = true;
        match &mut self.state {
            State::LoggingIn(handshake) => {
                self.eager.keep(datagram, self.console_id);
                let outcome = handshake.on_datagram(now, datagram, &mut self.io);
                self.on_login(outcome, now);
            }
            State::Open(active) => {
                let Some(opened) = active.session.open(datagram) else {
                    return;
                };
                if opened.payload_type != PayloadType::IPMI {
                    if let Some((attached, handler)) = &mut self.handler
                        && *attached == opened.payload_type
                    {
                        handler.on_payload(now, opened.sequence, opened.payload);
                        self.on_payload_ready(now);
                    }
                    return;
                }
                if let Ok(response) = active.session.response(opened.payload) {
                    self.pipeline
                        .on_response(&response, active, now, &mut self.io);
                }
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
        match &mut self.state {
            State::LoggingIn(handshake) => {
                let outcome = handshake.on_timeout(now, &mut self.io);
                self.on_login(outcome, now);
            }
            State::Open(active) => {
                self.is_lost |= self.pipeline.on_timeout(active, now, &mut self.io);
            }
            State::Closed => {}
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
                let handler = self.handler.as_ref().and_then(|(_, h)| h.poll_timeout());
                self.pipeline.timeout().into_iter().chain(handler).min()
            }
            State::Closed => None,
        }
    }

    /// How the login ended, once.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.event.take()
    }

    /// Whether [`poll_event`](Self::poll_event) has something to say.
    pub fn has_event(&self) -> bool {
        self.event.is_some()
    }

    /// Sends a command in the session, as soon as there is one and the window has room.
    pub fn request(&mut self, now: Instant, request: &Request<'_>) -> Ticket {
        let ticket = self.pipeline.add(request, now);
        match &mut self.state {
            State::LoggingIn(_) => {}
            State::Open(active) => self.pipeline.advance(active, now, &mut self.io),
            State::Closed => self.pipeline.cut_off(now),
        }
        ticket
    }

    /// How a command ended, once it has: the completion code of the answer, or why there is none.
    pub fn outcome(&self, ticket: Ticket) -> Option<&Result<CompletionCode, Error>> {
        self.pipeline.outcome(ticket)
    }

    /// The data of the answer to a command that was answered.
    pub fn reply(&self, ticket: Ticket) -> &[u8] {
        let exchange = self.pipeline.get(ticket);
        exchange.map_or(&[], Exchange::reply)
    }

    /// When this command wants [`on_timeout`](Self::on_timeout) to be called.
    pub fn timeout_of(&self, ticket: Ticket) -> Option<Instant> {
        self.pipeline.get(ticket)?.timeout()
    }

    /// How often a command, or what must precede it, has been sent without an answer.
    pub fn sends(&self, ticket: Ticket) -> u32 {
        let exchange = self.pipeline.get(ticket);
        exchange.map_or(0, Exchange::sends)
    }

    /// Lets `handler` speak and listen in the session, in the place of an earlier one. Dropped where there is no session.
    pub fn attach(&mut self, payload_type: PayloadType, handler: Box<dyn PayloadHandler>) {
        if matches!(&self.state, State::Open(active) if active.session.carries(payload_type)) {
            if let Some((_, replaced)) = &mut self.handler {
                replaced.on_replaced();
            }
            self.handler = Some((payload_type, handler));
        }
    }

    /// Whether a handler is attached that is in use.
    pub fn has_handler(&self) -> bool {
        matches!(&self.handler, Some((_, handler)) if handler.is_in_use())
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

    /// Drops a command, whatever has become of it. If it is in flight, an answer to it is nobody's.
    pub fn forget(&mut self, ticket: Ticket, now: Instant) {
        match &mut self.state {
            State::Open(active) => {
                self.pipeline.remove(ticket, Some(active), now);
                self.pipeline.advance(active, now, &mut self.io);
            }
            _ => self.pipeline.remove(ticket, None, now),
        }
    }

    /// Drops a command whose time is over, with the error that says so. A session that gave no answer is thought to be
    /// lost.
    pub fn give_up_on(&mut self, ticket: Ticket, now: Instant) -> Error {
        let exchange = self.pipeline.get(ticket);
        let error = exchange.map_or(Error::Closed, Exchange::no_reply);
        self.is_lost |= exchange.is_some_and(Exchange::is_in_flight);
        self.forget(ticket, now);
        error
    }

    /// Ends the login, whose time is over, with the error that says so. A session that was about to open is closed.
    pub fn give_up(&mut self, now: Instant) -> Error {
        let error = match &mut self.state {
            State::LoggingIn(handshake) => handshake.give_up(),
            _ => Error::Closed,
        };
        self.close(now);
        error
    }

    /// Sends Close Session and forgets the keys. No answer is awaited: some BMCs give none.
    pub fn close(&mut self, now: Instant) {
        let session = match std::mem::replace(&mut self.state, State::Closed) {
            State::Open(mut active) => Some((active.sequences.take(now), active.session)),
            State::LoggingIn(handshake) => handshake.into_unconfirmed().map(|mut session| {
                self.eager.skip(&mut session);
                (0, session)
            }),
            State::Closed => None,
        };
        self.pipeline.cut_off(now);
        self.handler = None;
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

    /// Forgets the keys of a session that the BMC has closed.
    pub fn end(&mut self, now: Instant) {
        self.pipeline.cut_off(now);
        self.handler = None;
        self.state = State::Closed;
    }

    fn on_login(&mut self, outcome: Option<Result<Established, Error>>, now: Instant) {
        match outcome {
            None => {
                if let State::LoggingIn(LogIn::Plus(handshake)) = &self.state {
                    self.eager
                        .send(handshake, &mut self.pipeline, now, &mut self.io);
                }
            }
            Some(Ok(established)) => self.on_established(established, now),
            Some(Err(error)) => {
                self.state = State::Closed;
                self.pipeline.end(&error, None, now);
                self.event = Some(Event::LoginFailed(error));
            }
        }
    }

    fn on_established(&mut self, established: Established, now: Instant) {
        let Established { session, limit } = established;
        let mut active = Box::new(Active {
            privilege: session.first_privilege(limit),
            session,
            sequences: Sequences::new(self.io.byte()),
            limit,
            message: Vec::new(),
        });
        if let State::LoggingIn(LogIn::Plus(handshake)) = &self.state
            && self.eager.is_sent()
            && handshake.has_restarted()
        {
            self.pipeline.note_single_buffer();
        }
        let early = std::mem::take(&mut self.eager);
        let early = early.settle(&mut active, &mut self.pipeline, now, &mut self.io);
        self.pipeline.advance(&mut active, now, &mut self.io);
        self.state = State::Open(active);
        self.event = Some(Event::Established);
        for mut datagram in early {
            self.on_datagram(now, &mut datagram);
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
