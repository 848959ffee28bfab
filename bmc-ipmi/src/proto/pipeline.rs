//! Commands in line and in flight, in the order of their requests.

use std::time::Instant;

use crate::error::Error;
use crate::proto::connection::{Request, Ticket};
use crate::proto::exchange::{Active, Exchange, Outcome};
use crate::proto::io::Io;
use crate::wire::{CompletionCode, LanResponse};

/// Buffers kept for later commands.
const SPARES: usize = 8;

/// Sends up to `window` commands at a time.
#[derive(Debug)]
pub(super) struct Pipeline {
    window: usize,
    /// The BMC has shown that it loses what reaches it while it is busy.
    has_single_buffer: bool,
    last: u32,
    /// The command that overlapped the login.
    early: Option<Ticket>,
    list: Vec<(Ticket, Exchange)>,
    spare: Vec<Exchange>,
}

impl Pipeline {
    /// Most commands in flight at a time: what good BMCs are known to buffer.
    pub(super) const MAX_WINDOW: usize = 8;

    pub(super) fn new(has_single_buffer: bool) -> Self {
        Self {
            window: 1,
            has_single_buffer,
            last: 0,
            early: None,
            // Most sessions never have more, and there may be thousands.
            list: Vec::with_capacity(1),
            spare: Vec::with_capacity(1),
        }
    }

    pub(super) fn set_window(&mut self, window: usize) {
        self.window = window.clamp(1, Self::MAX_WINDOW);
    }

    pub(super) fn has_single_buffer(&self) -> bool {
        self.has_single_buffer
    }

    /// Keeps to one command at a time from now on.
    pub(super) fn note_single_buffer(&mut self) {
        self.has_single_buffer = true;
    }

    /// Puts a command in line.
    pub(super) fn add(&mut self, request: &Request<'_>, now: Instant) -> Ticket {
        self.last = self.last.wrapping_add(1);
        let ticket = Ticket(self.last);
        let exchange = Exchange::new(request, self.spare.pop(), now);
        self.list.push((ticket, exchange));
        ticket
    }

    pub(super) fn get(&self, ticket: Ticket) -> Option<&Exchange> {
        let found = self.list.iter().find(|(other, _)| *other == ticket);
        found.map(|(_, exchange)| exchange)
    }

    /// The command that is next in line.
    pub(super) fn first_in_line(&self) -> Option<(Ticket, &Exchange)> {
        let mut list = self.list.iter().map(|(ticket, e)| (*ticket, e));
        list.find(|(_, exchange)| exchange.is_in_line())
    }

    /// Lets `note` say how a command was sent before the session was up. `false`: nobody waits for it any more.
    pub(super) fn was_sent_early(
        &mut self,
        ticket: Ticket,
        note: impl FnOnce(&mut Exchange),
    ) -> bool {
        let found = self.list.iter_mut().find(|(other, _)| *other == ticket);
        let Some((_, exchange)) = found else {
            return false;
        };
        note(exchange);
        self.early = Some(ticket);
        true
    }

    pub(super) fn outcome(&self, ticket: Ticket) -> Option<&Outcome> {
        self.get(ticket)?.outcome()
    }

    /// The earliest time-out.
    pub(super) fn timeout(&self) -> Option<Instant> {
        let timers = self.list.iter().filter_map(|(_, e)| e.timeout());
        timers.min()
    }

    /// Whether a command is in flight or in line.
    pub(super) fn is_busy(&self) -> bool {
        self.list.iter().any(|(_, e)| e.outcome().is_none())
    }

    /// Sends what is next in line, as far as the window allows.
    pub(super) fn advance(&mut self, active: &mut Active, now: Instant, io: &mut Io) {
        let window = if self.has_single_buffer {
            1
        } else {
            self.window
        };
        while self.in_flight() < window {
            let raises = self.is_raising();
            let mut exchanges = self.list.iter_mut().map(|(_, exchange)| exchange);
            let Some(next) = exchanges.find(|exchange| exchange.is_in_line()) else {
                return;
            };
            // Two changes of the privilege could overtake each other.
            if raises && next.needs(active.privilege, active.limit).is_some() {
                return;
            }
            next.start(active, now, io);
        }
    }

    /// Takes in an authentic response.
    pub(super) fn on_response(
        &mut self,
        response: &LanResponse<'_>,
        active: &mut Active,
        now: Instant,
        io: &mut Io,
    ) {
        let may_raise = !self.is_raising();
        let has_company = self.in_flight() > 1;
        let mut exchanges = self.list.iter_mut().map(|(_, exchange)| exchange);
        let Some(exchange) = exchanges.find(|exchange| exchange.is_meant_by(response)) else {
            return;
        };
        exchange.on_response(response, may_raise, active, now, io);
        self.early = None;
        self.has_single_buffer |= has_company && response.completion == CompletionCode::NODE_BUSY;
        self.advance(active, now, io);
    }

    /// Acts on the time-outs that have come. `true`: a command had no answer at all.
    pub(super) fn on_timeout(&mut self, active: &mut Active, now: Instant, io: &mut Io) -> bool {
        let has_company = self.in_flight() > 1;
        let mut is_silent = false;
        for (ticket, exchange) in &mut self.list {
            if exchange.timeout().is_none_or(|timer| now < timer) {
                continue;
            }
            let sends = exchange.sends();
            exchange.on_timeout(active, now, io);
            is_silent |= exchange.outcome().is_some();
            let was_lost = exchange.sends() > sends;
            let has_company = has_company || self.early == Some(*ticket);
            self.has_single_buffer |= has_company && was_lost;
        }
        self.advance(active, now, io);
        is_silent
    }

    /// Forgets a command, whatever has become of it.
    pub(super) fn remove(&mut self, ticket: Ticket, active: Option<&mut Active>, now: Instant) {
        let Some(at) = self.list.iter().position(|(other, _)| *other == ticket) else {
            return;
        };
        let (_, mut exchange) = self.list.remove(at);
        exchange.end(Error::Closed, active, now);
        exchange.wipe();
        if self.spare.len() < SPARES {
            self.spare.push(exchange);
        }
    }

    /// Ends all commands that are not over, as their session is.
    pub(super) fn cut_off(&mut self, now: Instant) {
        for (_, exchange) in &mut self.list {
            exchange.end(exchange.cut_off(), None, now);
        }
    }

    /// Ends all commands that are not over.
    pub(super) fn end(&mut self, error: &Error, mut active: Option<&mut Active>, now: Instant) {
        for (_, exchange) in &mut self.list {
            exchange.end(error.clone(), active.as_deref_mut(), now);
        }
    }

    fn in_flight(&self) -> usize {
        self.list.iter().filter(|(_, e)| e.is_in_flight()).count()
    }

    fn is_raising(&self) -> bool {
        self.list.iter().any(|(_, exchange)| exchange.is_raising())
    }
}
