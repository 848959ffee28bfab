//! One command and its answer: repeats, retries, and privilege raised where that is needed.

use std::fmt;
use std::time::{Duration, Instant};

use zeroize::{Zeroize, Zeroizing};

use crate::codec::Wire;
use crate::command::{Command, SetSessionPrivilegeLevel};
use crate::error::{Error, Step};
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

/// Length of what is around a command's data on its way to the BMC, in bytes.
const OVERHEAD: usize = 8;

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

/// A command from its request to its outcome.
pub(super) struct Exchange {
    name: &'static str,
    netfn: NetFn,
    command: u8,
    target: Target,
    idempotent: bool,
    privilege: Privilege,
    /// May hold a password.
    data: Zeroizing<Vec<u8>>,
    phase: Phase,
    /// The level that is being asked for before the command can go out.
    raising: Option<Privilege>,
    sequence: u8,
    sends: u32,
    first_sent: Instant,
    timer: Instant,
    /// How many controllers on the way have passed the command on.
    passed: usize,
    busy: u32,
    reply: Vec<u8>,
}

#[derive(Debug)]
enum Phase {
    /// Nothing has been sent.
    InLine,
    /// `timer` ends the wait for an answer.
    Sent,
    /// The BMC is busy: `timer` ends a pause.
    Paused,
    /// It has an outcome.
    Over(Outcome),
}

/// How a command ended.
pub(super) type Outcome = Result<CompletionCode, Error>;

impl Exchange {
    /// A command that waits for its turn. `spare` lends its buffers.
    pub(super) fn new(request: &Request<'_>, spare: Option<Self>, now: Instant) -> Self {
        let (mut data, mut reply) = spare.map_or_else(Default::default, |s| (s.data, s.reply));
        data.clear();
        data.extend_from_slice(request.data);
        reply.clear();
        Self {
            name: request.name,
            netfn: request.netfn,
            command: request.command,
            target: request.target,
            idempotent: request.idempotent,
            privilege: request.privilege,
            data,
            phase: Phase::InLine,
            raising: None,
            sequence: 0,
            sends: 0,
            first_sent: now,
            timer: now,
            passed: 0,
            busy: 0,
            reply,
        }
    }

    /// Forgets what it asked for, so that its buffers can rest.
    pub(super) fn wipe(&mut self) {
        self.data.zeroize();
    }

    /// Whether nothing has been sent yet.
    pub(super) fn is_in_line(&self) -> bool {
        matches!(self.phase, Phase::InLine)
    }

    /// Whether something has been sent and may be answered, or will be sent again.
    pub(super) fn is_in_flight(&self) -> bool {
        matches!(self.phase, Phase::Sent | Phase::Paused)
    }

    /// Whether it changes the session's privilege now.
    pub(super) fn is_raising(&self) -> bool {
        self.raising.is_some() && self.is_in_flight()
    }

    /// How often the current message was sent.
    pub(super) fn sends(&self) -> u32 {
        self.sends
    }

    /// Whether this only reads and needs no more than a session has at first: fit to be sent before the login is
    /// confirmed.
    pub(super) fn only_reads(&self) -> bool {
        let is_direct = self.target.bridge().is_none();
        is_direct && self.idempotent && self.privilege <= Privilege::USER
    }

    /// The level to ask for first, in a session at `privilege` that can reach `limit`.
    pub(super) fn needs(&self, privilege: Privilege, limit: Privilege) -> Option<Privilege> {
        let needed = self.privilege.min(limit);
        (needed > privilege).then_some(needed)
    }

    /// When [`on_timeout`](Self::on_timeout) wants to be called.
    pub(super) fn timeout(&self) -> Option<Instant> {
        self.is_in_flight().then_some(self.timer)
    }

    /// How it ended, once it has.
    pub(super) fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The data of the answer.
    pub(super) fn reply(&self) -> &[u8] {
        &self.reply
    }

    /// Sends the command, or first the request for the privilege that it needs.
    pub(super) fn start(&mut self, active: &mut Active, now: Instant, io: &mut Io) {
        self.raising = self.needs(active.privilege, active.limit);
        self.begin(active, now, io);
    }

    /// Notes that the first message was sent before the session was up, with this number.
    pub(super) fn was_sent(
        &mut self,
        raising: Option<Privilege>,
        sequence: u8,
        at: Instant,
        timer: Instant,
    ) {
        self.raising = raising;
        self.sequence = sequence;
        self.sends = 1;
        self.first_sent = at;
        self.timer = timer;
        self.phase = Phase::Sent;
    }

    /// Writes the command, or the request for a privilege, numbered `sequence`.
    pub(super) fn encode(&self, raising: Option<Privilege>, sequence: u8, out: &mut Vec<u8>) {
        let level = [raising.unwrap_or(Privilege::HIGHEST).value()];
        let data = match raising {
            None => self.data.as_slice(),
            Some(_) => &level,
        };
        out.clear();
        // No outgrown buffer keeps a part of a secret.
        out.reserve(data.len() + OVERHEAD);
        self.envelope(raising, sequence).encode(data, out);
    }

    /// Ends it, unless it is over; its number rests if an answer may still come.
    pub(super) fn end(&mut self, error: Error, active: Option<&mut Active>, now: Instant) {
        if self.is_in_flight()
            && let Some(active) = active
        {
            self.release(true, active, now);
        }
        if self.outcome().is_none() {
            self.phase = Phase::Over(Err(error));
        }
    }

    /// The error of an exchange that has to end without an answer.
    pub(super) fn no_reply(&self) -> Error {
        let command = self.name;
        match (&self.phase, self.raising) {
            (Phase::InLine, _) => Error::NotSent { command },
            // Nothing of the command itself has been sent.
            (_, Some(_)) => Error::LoginTimeout {
                step: Step::SetPrivilege,
                sent: self.sends,
                last: None,
            },
            _ => Error::NoReply { command },
        }
    }

    /// The error of an exchange that ends because its session does. Nobody knows whether the BMC has executed what was
    /// sent, so what must not be executed twice is not said to be [`Closed`](Error::Closed).
    pub(super) fn cut_off(&self) -> Error {
        if matches!(self.phase, Phase::Sent) && !self.may_repeat() {
            self.no_reply()
        } else {
            Error::Closed
        }
    }

    /// Whether the response is about what was sent last.
    pub(super) fn is_meant_by(&self, response: &LanResponse<'_>) -> bool {
        let envelope = self.envelope(self.raising, self.sequence);
        matches!(self.phase, Phase::Sent)
            && !matches!(envelope.read(response, self.passed), Ok(Seen::Stray))
    }

    /// Takes in an authentic response to it. `may_raise`: no other command changes the privilege at the moment.
    pub(super) fn on_response(
        &mut self,
        response: &LanResponse<'_>,
        may_raise: bool,
        active: &mut Active,
        now: Instant,
        io: &mut Io,
    ) {
        let envelope = self.envelope(self.raising, self.sequence);
        let (code, data, stopped_before) = match envelope.read(response, self.passed) {
            Ok(Seen::Stray) => return,
            Ok(Seen::Passed(controllers)) => {
                self.passed = controllers;
                self.timer = self.timer.max(now + BRIDGE_WAIT);
                return;
            }
            Ok(Seen::Stopped(hop, code)) => (code, &[][..], Some(hop)),
            Ok(Seen::Answer(code, data)) => (code, data, None),
            Err(error) => {
                self.end(error.into(), Some(active), now);
                return;
            }
        };
        if code == CompletionCode::DUPLICATE {
            return;
        }
        if self.sends == 1 && envelope.target.bridge().is_none() {
            io.rtt
                .sample(now.saturating_duration_since(self.first_sent));
        }
        let lacks_privilege = code == CompletionCode::INSUFFICIENT_PRIVILEGE
            && self.raising.is_none()
            && active.privilege < active.limit;
        let must_wait = self.is_passing(code) || lacks_privilege && !may_raise;
        if must_wait && self.busy < MAX_BUSY {
            self.pause(active, now);
            return;
        }
        self.release(self.sends > 1, active, now);
        if let Some(level) = self.raising {
            if !code.is_ok() {
                let command = SetSessionPrivilegeLevel::NAME;
                self.phase = Phase::Over(Err(Error::Completion { command, code }));
                return;
            }
            active.privilege = active.privilege.max(level);
            self.raising = None;
            self.begin(active, now, io);
            return;
        }
        if lacks_privilege && may_raise {
            self.raising = Some(active.limit);
            self.begin(active, now, io);
            return;
        }
        if let Some(hop) = stopped_before {
            let command = self.name;
            self.phase = Phase::Over(Err(Error::Bridge { command, hop, code }));
            return;
        }
        self.reply.clear();
        self.reply.extend_from_slice(data);
        self.phase = Phase::Over(Ok(code));
    }

    /// Acts if the time for an answer, or a pause, is over.
    pub(super) fn on_timeout(&mut self, active: &mut Active, now: Instant, io: &mut Io) {
        if self.timeout().is_none_or(|timer| now < timer) {
            return;
        }
        if matches!(self.phase, Phase::Paused) {
            self.begin(active, now, io);
        } else if self.may_repeat() {
            self.transmit(active, now, io);
        } else {
            self.end(self.no_reply(), Some(active), now);
        }
    }

    /// What is asked, and of whom.
    fn envelope(&self, raising: Option<Privilege>, sequence: u8) -> Envelope {
        let (target, netfn, command) = match raising {
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
            sequence,
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
        self.release(self.sends > 1, active, now);
        self.phase = Phase::Paused;
        self.timer = now + (BUSY_PAUSE * 2_u32.saturating_pow(self.busy)).min(BUSY_PAUSE * 10);
        self.busy += 1;
    }

    /// Gives the number back, if there is one.
    fn release(&mut self, may_come: bool, active: &mut Active, now: Instant) {
        if matches!(self.phase, Phase::Sent) {
            active.sequences.give_back(self.sequence, may_come, now);
        }
    }

    /// Sends the current message for the first time.
    fn begin(&mut self, active: &mut Active, now: Instant, io: &mut Io) {
        self.sequence = active.sequences.take(now);
        self.phase = Phase::Sent;
        self.sends = 0;
        self.passed = 0;
        self.first_sent = now;
        self.transmit(active, now, io);
    }

    fn transmit(&mut self, active: &mut Active, now: Instant, io: &mut Io) {
        self.encode(self.raising, self.sequence, &mut active.message);
        let (session, message, rng) = (&mut active.session, &active.message, &mut io.rng);
        io.out.push(|datagram| session.seal(message, rng, datagram));
        active.message.zeroize();
        self.sends += 1;
        self.timer = if self.may_repeat() {
            io.again_at(now, self.sends)
        } else {
            now + SINGLE_SEND_WAIT.max(io.rtt.timeout(0) * 4)
        };
        if self.raising.is_none() && self.target.bridge().is_some() {
            self.timer = self.timer.max(now + BRIDGE_WAIT);
        }
    }
}

/// Without the data, which may hold a password.
impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("name", &self.name)
            .field("target", &self.target)
            .field("phase", &self.phase)
            .field("raising", &self.raising)
            .field("sequence", &self.sequence)
            .field("sends", &self.sends)
            .finish_non_exhaustive()
    }
}
