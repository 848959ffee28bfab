//! What a session's users and its socket's task share: the connection and who waits for it.

use std::io::{self, ErrorKind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::client::link::now;
use crate::command::GetDeviceId;
use crate::error::Error;
use crate::proto::{Connection, Event, PayloadHandler, Request, Ticket};
use crate::transport::{Outlet, Receiver};
use crate::wire::{CompletionCode, PayloadType};

/// Unanswered sends of a keep-alive after which the session is thought to be lost.
const MAX_PULSES: u32 = 3;

/// A connection behind a lock. The socket's task takes in datagrams and sends what follows from them; futures wait for
/// an outcome or a time-out, whichever is theirs.
pub(super) struct Line {
    state: Mutex<State>,
}

/// See [`Line`].
pub(super) struct State {
    pub(super) connection: Connection,
    /// A command's data before it is requested.
    pub(super) scratch: Vec<u8>,
    /// A datagram that the socket had no room for, or nothing.
    unsent: Vec<u8>,
    login: Option<(Waker, Instant)>,
    waiting: Vec<Waiting>,
    keep_alive: Option<Duration>,
    last_used: Instant,
    /// The keep-alive in flight.
    pulse: Option<Ticket>,
    /// How many payload handlers there have been.
    handlers: u64,
    is_gone: bool,
}

/// A future that waits for a command's outcome.
struct Waiting {
    ticket: Ticket,
    waker: Waker,
    /// When it looks again by itself.
    until: Instant,
}

/// What became of datagrams on their way out.
pub(super) enum Sent {
    All,
    /// The socket has no room.
    Blocked,
}

impl Line {
    pub(super) fn new(connection: Connection, keep_alive: Option<Duration>, now: Instant) -> Self {
        Self {
            state: Mutex::new(State {
                connection,
                scratch: Vec::new(),
                unsent: Vec::new(),
                login: None,
                waiting: Vec::new(),
                keep_alive,
                last_used: now,
                pulse: None,
                handlers: 0,
                is_gone: false,
            }),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Sends what is to be sent.
    ///
    /// # Errors
    /// There is no way to the BMC. All other errors are lost datagrams.
    pub(super) fn transmit(&mut self, outlet: &Outlet<'_>) -> io::Result<Sent> {
        loop {
            if self.unsent.is_empty() && !self.connection.poll_transmit(&mut self.unsent) {
                return Ok(Sent::All);
            }
            match outlet.try_send(&self.unsent) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Sent::Blocked),
                Err(error) if is_about_route(error.kind()) => {
                    self.unsent.clear();
                    return Err(error);
                }
                _ => self.unsent.clear(),
            }
        }
    }

    /// Ready when the login has ended, `until` has become too late to look again, or the socket is gone.
    pub(super) fn poll_login(
        &mut self,
        until: Instant,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Event>> {
        if self.login_wants_attention(until) {
            self.login = None;
            return Poll::Ready(self.connection.poll_event());
        }
        self.login = Some((cx.waker().clone(), until));
        Poll::Pending
    }

    /// Ready when the command has an outcome, `until` has become too late to look again, or datagrams are stuck.
    pub(super) fn poll_command(
        &mut self,
        ticket: Ticket,
        until: Instant,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        if self.wants_attention(ticket, until) || !self.unsent.is_empty() {
            return Poll::Ready(());
        }
        match self.waiting.iter_mut().find(|w| w.ticket == ticket) {
            Some(waiting) => {
                waiting.waker.clone_from(cx.waker());
                waiting.until = until;
            }
            None => self.waiting.push(Waiting {
                ticket,
                waker: cx.waker().clone(),
                until,
            }),
        }
        Poll::Pending
    }

    /// The command's outcome, or when to look again.
    pub(super) fn look(
        &self,
        ticket: Ticket,
        deadline: Instant,
    ) -> Result<&Result<CompletionCode, Error>, Instant> {
        let outcome = self.connection.outcome(ticket);
        outcome.ok_or_else(|| {
            let timeout = self.timeout_of(ticket);
            timeout.unwrap_or(deadline).min(deadline)
        })
    }

    /// Drops a command and whoever waits for it.
    pub(super) fn forget(&mut self, ticket: Ticket, now: Instant) {
        self.waiting.retain(|waiting| waiting.ticket != ticket);
        self.connection.forget(ticket, now);
        self.last_used = now;
        self.wake();
    }

    /// Acts on the time-outs that have come.
    pub(super) fn on_timeout(&mut self, now: Instant) {
        self.connection.on_timeout(now);
        self.wake();
    }

    pub(super) fn is_gone(&self) -> bool {
        self.is_gone
    }

    pub(super) fn set_keep_alive(&mut self, pause: Option<Duration>) {
        self.keep_alive = pause;
    }

    /// Lets a payload handler speak and listen, and gives its number. Only with `steal` it takes the place of one that is
    /// in use.
    pub(super) fn attach(
        &mut self,
        payload_type: PayloadType,
        handler: Box<dyn PayloadHandler>,
        steal: bool,
    ) -> Option<u64> {
        if !steal && self.connection.has_handler() {
            return None;
        }
        self.handlers += 1;
        self.connection.attach(payload_type, handler);
        Some(self.handlers)
    }

    /// Drops the handler of this number, unless another one has taken its place.
    pub(super) fn detach(&mut self, number: u64) {
        if number == self.handlers {
            self.connection.detach();
        }
    }

    /// Forgets a session that the BMC has closed.
    pub(super) fn end(&mut self, now: Instant) {
        self.connection.end(now);
        self.wake();
    }

    /// Sends Close Session and wakes everybody.
    pub(super) fn close(&mut self, outlet: &Outlet<'_>, now: Instant) {
        self.connection.close(now);
        let _ = self.transmit(outlet);
        self.wake();
    }

    /// Wakes those who have something to do.
    pub(super) fn wake(&mut self) {
        if let Some((_, until)) = &self.login
            && self.login_wants_attention(*until)
            && let Some((waker, _)) = self.login.take()
        {
            waker.wake();
        }
        for waiting in &self.waiting {
            if !self.unsent.is_empty() || self.wants_attention(waiting.ticket, waiting.until) {
                waiting.waker.wake_by_ref();
            }
        }
    }

    /// Whether the login is over or its time-out has moved up.
    fn login_wants_attention(&self, until: Instant) -> bool {
        let timeout = self.connection.poll_timeout();
        self.is_gone
            || self.connection.has_event()
            || !self.unsent.is_empty()
            || timeout.is_some_and(|at| at < until)
    }

    /// The command's time-out; that of the keep-alive, which no future waits for, while the command stands in line.
    fn timeout_of(&self, ticket: Ticket) -> Option<Instant> {
        let own = self.connection.timeout_of(ticket);
        own.or_else(|| self.connection.timeout_of(self.pulse?))
    }

    /// Whether a command is over or its time-out has moved up.
    fn wants_attention(&self, ticket: Ticket, until: Instant) -> bool {
        let timeout = self.timeout_of(ticket);
        self.is_gone
            || self.connection.outcome(ticket).is_some()
            || timeout.is_some_and(|at| at < until)
    }

    /// Keeps an idle session from being forgotten by the BMC.
    fn keep_alive(&mut self, now: Instant) {
        let Some(pause) = self.keep_alive else {
            return;
        };
        if let Some(pulse) = self.pulse {
            self.connection.on_timeout(now);
            if self.connection.outcome(pulse).is_some() {
                self.pulse = None;
                self.connection.forget(pulse, now);
            } else if self.connection.sends(pulse) > MAX_PULSES {
                self.pulse = None;
                self.connection.give_up_on(pulse, now);
            }
        } else if self.connection.is_open()
            && !self.connection.is_busy()
            && now.saturating_duration_since(self.last_used) >= pause
        {
            self.last_used = now;
            let request = Request::new(&GetDeviceId, &[]);
            self.pulse = Some(self.connection.request(now, &request));
        }
    }
}

impl Receiver for Line {
    fn on_datagram(&self, datagram: &mut [u8]) {
        self.lock().connection.on_datagram(now(), datagram);
    }

    fn on_tick(&self) {
        self.lock().keep_alive(now());
    }

    fn flush(&self, outlet: &Outlet<'_>) {
        let mut state = self.lock();
        // What cannot be sent is lost, or waits for the future that is woken.
        let _ = state.transmit(outlet);
        state.wake();
    }

    fn on_closed(&self) {
        let mut state = self.lock();
        state.is_gone = true;
        state.wake();
    }
}

fn is_about_route(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NetworkUnreachable
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::AddrNotAvailable
            | ErrorKind::PermissionDenied
            | ErrorKind::InvalidInput
    )
}
