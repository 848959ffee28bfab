//! One command and its answer: repeats, retries, and privilege raised where that is needed.

use std::time::{Duration, Instant};

use crate::codec::Wire;
use crate::command::{Command, SetSessionPrivilegeLevel};
use crate::error::Error;
use crate::proto::bridge::{Envelope, Seen};
use crate::proto::connection::Request;
use crate::proto::io::Io;
use crate::proto::sequences::Sequences;
use crate::proto::session::Session;
use crate::target::Target;
use crate::wire::{CompletionCode, LanResponse, NetFn, Privilege};

/// How long the answer to a command that is sent only once is waited for, at least.
const SINGLE_SEND_WAIT: Duration = Duration::from_secs(5);
/// First pause after a BMC said that it is busy; it doubles up to ten times that.
const BUSY_PAUSE: Duration = Duration::from_millis(50);
/// Busy answers after which the BMC is believed.
const MAX_BUSY: u32 = 8;
/// How long a controller behind the BMC is waited for, at least: its bus is slow and others use it too.
const BRIDGE_WAIT: Duration = Duration::from_secs(1);

/// The part of a session that commands change.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) session: Session,
    pub(super) sequences: Sequences,
    /// The session's privilege now; it starts at USER.
    pub(super) privilege: Privilege,
    /// The privilege that the login asked for.
    pub(super) limit: Privilege,
    /// A message before it is sealed.
    pub(super) message: Vec<u8>,
}

/// A command in flight.
#[derive(Debug)]
pub(super) struct Exchange {
    name: &'static str,
    netfn: NetFn,
    command: u8,
    target: Target,
    idempotent: bool,
    data: Vec<u8>,
    /// The level that is being asked for before the command can go out.
    raising: Option<Privilege>,
    sequence: u8,
    sends: u32,
    first_sent: Instant,
    timer: Instant,
    /// How many controllers on the way have passed the command on.
    passed: usize,
    /// The BMC is busy: `timer` ends a pause, not a wait.
    is_paused: bool,
    busy: u32,
}

/// How an exchange ended.
pub(super) type Verdict = Option<Result<CompletionCode, Error>>;

impl Exchange {
    /// Sends the command, or first the request for the privilege that it needs. `data` is a buffer to use again.
    pub(super) fn start(
        request: &Request<'_>,
        mut data: Vec<u8>,
        active: &mut Active,
        now: Instant,
        io: &mut Io,
    ) -> Self {
        data.clear();
        data.extend_from_slice(request.data);
        let needed = request.privilege.min(active.limit);
        let mut exchange = Self {
            name: request.name,
            netfn: request.netfn,
            command: request.command,
            target: request.target,
            idempotent: request.idempotent,
            data,
            raising: (needed > active.privilege).then_some(needed),
            sequence: 0,
            sends: 0,
            first_sent: now,
            timer: now,
            passed: 0,
            is_paused: false,
            busy: 0,
        };
        exchange.begin(active, now, io);
        exchange
    }

    pub(super) fn timeout(&self) -> Instant {
        self.timer
    }

    /// The buffer, for the next exchange. The sequence number rests if an answer may still come.
    pub(super) fn finish(self, active: &mut Active, answered: bool, now: Instant) -> Vec<u8> {
        if !answered || self.sends > 1 {
            active.sequences.rest(self.sequence, now);
        }
        self.data
    }

    /// The error of an exchange that has to end without an answer.
    pub(super) fn no_reply(&self) -> Error {
        if self.raising.is_some() {
            // Nothing of the command itself has been sent.
            return Error::LoginTimeout {
                step: crate::error::Step::SetPrivilege,
                sent: self.sends,
                last: None,
            };
        }
        Error::NoReply { command: self.name }
    }

    /// Takes in an authentic response; its data are copied to `reply` when the command is complete.
    pub(super) fn on_response(
        &mut self,
        response: &LanResponse<'_>,
        reply: &mut Vec<u8>,
        active: &mut Active,
        now: Instant,
        io: &mut Io,
    ) -> Verdict {
        if self.is_paused {
            return None;
        }
        let envelope = self.envelope();
        let (code, data, stopped_before) = match envelope.read(response, self.passed) {
            Ok(Seen::Stray) => return None,
            Ok(Seen::Passed(controllers)) => {
                self.passed = controllers;
                self.timer = self.timer.max(now + BRIDGE_WAIT);
                return None;
            }
            Ok(Seen::Stopped(hop, code)) => (code, &[][..], Some(hop)),
            Ok(Seen::Answer(code, data)) => (code, data, None),
            Err(error) => return Some(Err(error.into())),
        };
        if code == CompletionCode::DUPLICATE {
            return None;
        }
        if self.sends == 1 && envelope.target.bridge().is_none() {
            io.rtt
                .sample(now.saturating_duration_since(self.first_sent));
        }
        if self.is_passing(code) && self.busy < MAX_BUSY {
            self.pause(active, now);
            return None;
        }
        if let Some(level) = self.raising {
            if !code.is_ok() {
                let command = SetSessionPrivilegeLevel::NAME;
                return Some(Err(Error::Completion { command, code }));
            }
            active.privilege = level;
            self.rest_if_repeated(active, now);
            self.raising = None;
            self.begin(active, now, io);
            return None;
        }
        if code == CompletionCode::INSUFFICIENT_PRIVILEGE && active.privilege < active.limit {
            self.rest_if_repeated(active, now);
            self.raising = Some(active.limit);
            self.begin(active, now, io);
            return None;
        }
        if let Some(hop) = stopped_before {
            let command = self.name;
            return Some(Err(Error::Bridge { command, hop, code }));
        }
        reply.clear();
        reply.extend_from_slice(data);
        Some(Ok(code))
    }

    /// The time for an answer, or a pause, is over.
    pub(super) fn on_timeout(&mut self, active: &mut Active, now: Instant, io: &mut Io) -> Verdict {
        if now < self.timer {
            return None;
        }
        if self.is_paused {
            self.begin(active, now, io);
        } else if self.may_repeat() {
            self.transmit(active, now, io);
        } else {
            return Some(Err(self.no_reply()));
        }
        None
    }

    /// What is being asked now, and of whom.
    fn envelope(&self) -> Envelope {
        let (target, netfn, command) = match self.raising {
            None => (self.target, self.netfn, self.command),
            Some(_) => (
                Target::BMC,
                SetSessionPrivilegeLevel::NETFN,
                SetSessionPrivilegeLevel::CMD,
            ),
        };
        Envelope {
            target,
            netfn,
            command,
            sequence: self.sequence,
        }
    }

    fn may_repeat(&self) -> bool {
        self.idempotent || self.raising.is_some()
    }

    /// Whether the code says that the BMC has not executed the command and may do so soon.
    fn is_passing(&self, code: CompletionCode) -> bool {
        match code {
            CompletionCode::NODE_BUSY | CompletionCode::INITIALIZING => true,
            CompletionCode::TIMEOUT => self.may_repeat(),
            _ => false,
        }
    }

    fn pause(&mut self, active: &mut Active, now: Instant) {
        self.rest_if_repeated(active, now);
        self.is_paused = true;
        self.timer = now + (BUSY_PAUSE * 2_u32.saturating_pow(self.busy)).min(BUSY_PAUSE * 10);
        self.busy += 1;
    }

    fn rest_if_repeated(&self, active: &mut Active, now: Instant) {
        if self.sends > 1 {
            active.sequences.rest(self.sequence, now);
        }
    }

    /// Sends the current message for the first time.
    fn begin(&mut self, active: &mut Active, now: Instant, io: &mut Io) {
        self.sequence = active.sequences.next(now);
        self.is_paused = false;
        self.sends = 0;
        self.passed = 0;
        self.first_sent = now;
        self.transmit(active, now, io);
    }

    fn transmit(&mut self, active: &mut Active, now: Instant, io: &mut Io) {
        let envelope = self.envelope();
        let level = self.raising.unwrap_or(Privilege::HIGHEST);
        let level = [level.value()];
        let data = match self.raising {
            None => self.data.as_slice(),
            Some(_) => &level,
        };
        active.message.clear();
        envelope.encode(data, &mut active.message);
        let (session, message, rng) = (&mut active.session, &active.message, &mut io.rng);
        io.out.push(|datagram| session.seal(message, rng, datagram));
        self.sends += 1;
        self.timer = if self.may_repeat() {
            io.again_at(now, self.sends)
        } else {
            now + SINGLE_SEND_WAIT.max(io.rtt.timeout(0) * 4)
        };
        if envelope.target.bridge().is_some() {
            self.timer = self.timer.max(now + BRIDGE_WAIT);
        }
    }
}
