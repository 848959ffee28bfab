//! The login: Open Session and RAKP Messages 1 to 4, §13.17 to §13.24, from the console's side.

mod answers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::Rng;

use crate::codec::Wire;
use crate::config::Login;
use crate::crypto::{CipherSuite, SessionKeys};
use crate::error::{Error, Step};
use crate::proto::discovery::Discovery;
use crate::proto::greeting::Greeting;
use crate::proto::io::Io;
use crate::proto::ladder::{Ladder, is_about_suite};
use crate::proto::proposal::Proposal;
use crate::proto::session::Session;
use crate::quirks::Quirk;
use crate::wire::{
    OpenSessionRequest, PayloadType, Privilege, Rakp1, SessionHeader, Status, Username,
};

/// Silent sends of RAKP Message 1 or 3 after which the BMC is thought to have forgotten the session.
const SENDS_BEFORE_RESTART: u32 = 6;
const MAX_RESTARTS: u32 = 8;
/// Sends of a question whose answer would only explain a failure.
const MAX_EXPLANATION_SENDS: u32 = 2;
/// Outstanding messages that are remembered.
const MAX_OUTSTANDING: usize = 32;

/// One login.
#[derive(Debug)]
pub(super) struct Handshake {
    login: Arc<Login>,
    console_id: u32,
    console_random: [u8; 16],
    next_tag: u8,
    ladder: Ladder,
    discovery: Option<Discovery>,
    greeting: Greeting,
    stage: Stage,
    opens: Vec<Sent>,
    rakp1s: Vec<Sent>,
    /// The last one is in use.
    proposals: Vec<Proposal>,
    /// Index in `rakp1s` of the newest one answered.
    answered: usize,
    sends: u32,
    timer: Instant,
    /// What the BMC, or somebody in its name, refused; counts when `timer` ends.
    refusal: Option<Error>,
    /// What arrived and made no sense, to explain a time-out.
    hint: Option<Error>,
    restarts: u32,
    refused_codes: u32,
    /// The BMC seems to have drawn two random numbers: next time a second RAKP Message 2 is waited for.
    is_patient: bool,
}

/// A login that succeeded.
#[derive(Debug)]
pub(super) struct Established {
    pub(super) session: Session,
    /// The highest privilege that the session may be raised to.
    pub(super) limit: Privilege,
}

/// What RAKP Message 2 has proved, and RAKP Message 4 will confirm.
pub(super) struct Proved<'a> {
    pub(super) keys: &'a SessionKeys,
    pub(super) bmc_id: u32,
    pub(super) limit: Privilege,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Stage {
    /// Waiting for an Open Session Response.
    Opening,
    /// Waiting for RAKP Message 2.
    Proving { bmc_id: u32, suite: CipherSuite },
    /// Waiting for a second RAKP Message 2 before answering.
    Holding { bmc_id: u32, suite: CipherSuite },
    /// Waiting for RAKP Message 4.
    Confirming { bmc_id: u32, suite: CipherSuite },
    /// The suite was refused: waiting for the list of those that would not be.
    Explaining,
}

/// A message that was sent and may be answered.
#[derive(Clone, Copy, Debug)]
struct Sent {
    tag: u8,
    at: Instant,
    suite: CipherSuite,
}

impl Handshake {
    /// Begins a login and sends its first datagrams. `known` is the suite of an earlier login at this BMC.
    pub(super) fn start(
        login: Arc<Login>,
        known: Option<CipherSuite>,
        console_id: u32,
        now: Instant,
        io: &mut Io,
    ) -> Self {
        let mut console_random = [0; 16];
        io.rng.fill_bytes(&mut console_random);
        let ladder = Ladder::new(&login, known);
        let must_ask = ladder.has_choice() && known != Some(ladder.suite());
        let mut handshake = Self {
            ladder,
            discovery: must_ask.then(|| Discovery::new(io.byte() & 0x3f)),
            greeting: Greeting::new(io.byte() & 0x3f),
            login,
            console_id,
            console_random,
            next_tag: io.byte(),
            stage: Stage::Opening,
            opens: Vec::new(),
            rakp1s: Vec::new(),
            proposals: Vec::new(),
            answered: 0,
            sends: 0,
            timer: now,
            refusal: None,
            hint: None,
            restarts: 0,
            refused_codes: 0,
            is_patient: false,
        };
        handshake.transmit(now, io);
        handshake
    }

    /// When [`on_timeout`](Self::on_timeout) wants to be called.
    pub(super) fn timeout(&self) -> Instant {
        self.timer
    }

    /// The time for an answer is over: acts on a refusal, or sends again.
    pub(super) fn on_timeout(
        &mut self,
        now: Instant,
        io: &mut Io,
    ) -> Option<Result<Established, Error>> {
        if now < self.timer {
            return None;
        }
        if let Some(refusal) = self.refusal.take() {
            return self.after_refusal(refusal, now, io).map(Err);
        }
        match self.stage {
            Stage::Holding { bmc_id, suite } => self.enter(Stage::Confirming { bmc_id, suite }),
            Stage::Proving { .. } | Stage::Confirming { .. }
                if self.sends >= SENDS_BEFORE_RESTART =>
            {
                self.restart();
            }
            Stage::Explaining if self.sends >= MAX_EXPLANATION_SENDS => {
                return Some(Err(self.no_cipher_suite()));
            }
            _ => {}
        }
        self.transmit(now, io);
        None
    }

    /// The error of a login that has to end now.
    pub(super) fn give_up(&mut self) -> Error {
        if let Some(refusal) = self.refusal.take() {
            return refusal;
        }
        if self.stage == Stage::Explaining {
            return self.no_cipher_suite();
        }
        Error::LoginTimeout {
            step: self.step(),
            sent: self.sends,
            last: self.hint.take().map(Box::new),
        }
    }

    /// The session to be, if RAKP Message 3 has been sent for the first time and nothing has gone wrong so far. A BMC
    /// key Kg is not proved by RAKP Message 2.
    pub(super) fn proved(&self) -> Option<Proved<'_>> {
        let is_first = self.restarts == 0 && self.rakp1s.len() == 1;
        let [proposal] = self.proposals.as_slice() else {
            return None;
        };
        let is_sent = matches!(self.stage, Stage::Confirming { .. }) && is_first;
        let is_fit = self.login.kg.is_none()
            && proposal.keys().integrity.is_some()
            && !self.login.quirks.has(Quirk::I82571Spt);
        (is_sent && is_fit).then(|| Proved {
            keys: proposal.keys(),
            bmc_id: proposal.bmc_id(),
            limit: self.ladder.role().privilege(),
        })
    }

    /// Whether the BMC had to be asked for another session.
    pub(super) fn has_restarted(&self) -> bool {
        self.restarts > 0
    }

    /// The session that the BMC may have opened although its last message has not come, so that it can be closed.
    pub(super) fn into_unconfirmed(mut self) -> Option<Session> {
        if !matches!(self.stage, Stage::Confirming { .. }) {
            return None;
        }
        let proposal = self.proposals.pop()?;
        let bmc_id = proposal.bmc_id();
        Some(Session::new(
            proposal.into_keys(),
            self.console_id,
            bmc_id,
            self.login.quirks,
        ))
    }

    fn step(&self) -> Step {
        match self.stage {
            Stage::Opening | Stage::Explaining => Step::OpenSession,
            Stage::Proving { .. } => Step::Rakp1,
            Stage::Holding { .. } | Stage::Confirming { .. } => Step::Rakp3,
        }
    }

    /// Sends, or sends again, what the stage waits for an answer to.
    fn transmit(&mut self, now: Instant, io: &mut Io) {
        match self.stage {
            Stage::Opening => {
                self.transmit_open_session(now, io);
                self.transmit_discovery(io);
                if self.sends > 0
                    && let Some(greeting) = self.greeting.next()
                {
                    io.out.push(greeting);
                }
            }
            Stage::Proving { bmc_id, suite } => self.transmit_rakp1(bmc_id, suite, now, io),
            Stage::Confirming { .. } => self.transmit_rakp3(now, io),
            Stage::Explaining => self.transmit_discovery(io),
            Stage::Holding { .. } => {}
        }
        self.sends += 1;
        self.timer = io.again_at(now, self.sends + self.restarts);
    }

    fn transmit_open_session(&mut self, now: Instant, io: &mut Io) {
        let suite = self.ladder.suite();
        let request = OpenSessionRequest {
            tag: self.tag(),
            privilege: self.ladder.open_privilege(),
            console_session_id: self.console_id,
            authentication: suite.authentication(),
            integrity: suite.integrity(),
            confidentiality: suite.confidentiality(),
        };
        remember(&mut self.opens, request.tag, now, suite);
        send(PayloadType::OPEN_SESSION_REQUEST, &request, io);
    }

    fn transmit_discovery(&self, io: &mut Io) {
        if let Some(discovery) = &self.discovery
            && discovery.is_asking()
        {
            discovery.transmit(&mut io.out);
        }
    }

    fn transmit_rakp1(&mut self, bmc_id: u32, suite: CipherSuite, now: Instant, io: &mut Io) {
        let message = Rakp1 {
            tag: self.tag(),
            bmc_session_id: bmc_id,
            console_random: self.console_random,
            role: self.ladder.role(),
            username: self.username(),
        };
        remember(&mut self.rakp1s, message.tag, now, suite);
        let mut payload = message.to_bytes();
        if self.login.quirks.has(Quirk::I82571Spt) {
            payload.resize(Rakp1::LONGEST, 0);
        }
        send_bytes(PayloadType::RAKP_1, &payload, io);
    }

    /// The user name as sent.
    fn username(&self) -> Username {
        if self.login.quirks.has(Quirk::Intel20) {
            self.login.username.padded()
        } else {
            self.login.username
        }
    }

    fn transmit_rakp3(&mut self, now: Instant, io: &mut Io) {
        let tag = self.tag();
        if let Some(proposal) = self.proposals.last_mut() {
            let message = proposal.rakp3(tag, now);
            send(PayloadType::RAKP_3, &message, io);
        }
    }

    fn tag(&mut self) -> u8 {
        self.next_tag = self.next_tag.wrapping_add(1);
        self.next_tag
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.sends = 0;
        self.refusal = None;
    }

    /// Begins again at Open Session; answers to what was sent for the lost session count no more.
    fn restart(&mut self) {
        self.restarts += 1;
        self.opens.clear();
        self.rakp1s.clear();
        self.proposals.clear();
        self.answered = 0;
        self.enter(Stage::Opening);
    }

    /// What follows from a refusal when no better answer came. `Some`: the login has failed.
    fn after_refusal(&mut self, refusal: Error, now: Instant, io: &mut Io) -> Option<Error> {
        let goes_on = match (&refusal, self.stage) {
            (Error::Refused { status, .. }, Stage::Opening) => {
                let status = *status;
                if self.ladder.after_open_session(status) {
                    self.enter(Stage::Opening);
                    true
                } else if is_about_suite(status) {
                    return self.explain(now, io);
                } else {
                    false
                }
            }
            (Error::Downgrade { .. }, Stage::Opening) if self.ladder.next_suite() => {
                self.enter(Stage::Opening);
                true
            }
            (Error::Refused { status, .. }, Stage::Proving { .. }) => {
                let again = is_session_lost(*status) && self.restarts < MAX_RESTARTS
                    || self.ladder.after_rakp1(*status);
                if again {
                    self.restart();
                }
                again
            }
            (Error::Refused { status, .. }, Stage::Confirming { .. }) => {
                let again = self.is_rakp3_worth_repeating(*status);
                if again {
                    self.restart();
                }
                again
            }
            _ => false,
        };
        if !goes_on {
            return Some(refusal);
        }
        self.transmit(now, io);
        None
    }

    /// The BMC has proved that it knows our password, so a refusal of our proof means that it has drawn another random
    /// number meanwhile. Without a sign of that, only one more login is tried.
    fn is_rakp3_worth_repeating(&mut self, status: Status) -> bool {
        if self.restarts >= MAX_RESTARTS {
            return false;
        }
        if status != Status::INVALID_INTEGRITY_CHECK_VALUE {
            return is_session_lost(status);
        }
        let is_ambiguous = self.rakp1s.len() > 1 || self.proposals.len() > 1;
        self.is_patient = true;
        self.refused_codes += 1;
        is_ambiguous || self.refused_codes == 1
    }

    /// Every suite was refused: asks what the BMC would accept, to name it in the error.
    fn explain(&mut self, now: Instant, io: &mut Io) -> Option<Error> {
        let discovery = self
            .discovery
            .get_or_insert_with(|| Discovery::new(io.byte() & 0x3f));
        if !discovery.is_asking() {
            return Some(self.no_cipher_suite());
        }
        self.enter(Stage::Explaining);
        self.transmit(now, io);
        None
    }

    fn no_cipher_suite(&self) -> Error {
        let offered = self.discovery.as_ref().and_then(Discovery::offered);
        Error::NoCipherSuite {
            tried: self.ladder.tried(),
            offered: offered.map(<[u8]>::to_vec),
        }
    }

    /// How long to wait for a second RAKP Message 2.
    fn patience(io: &Io) -> Duration {
        io.round_trip(Duration::from_millis(10), Duration::from_millis(250))
    }
}

fn remember(list: &mut Vec<Sent>, tag: u8, at: Instant, suite: CipherSuite) {
    if list.len() >= MAX_OUTSTANDING {
        list.remove(0);
    }
    list.push(Sent { tag, at, suite });
}

fn send(payload_type: PayloadType, message: &impl Wire, io: &mut Io) {
    send_bytes(payload_type, &message.to_bytes(), io);
}

fn send_bytes(payload_type: PayloadType, payload: &[u8], io: &mut Io) {
    io.out
        .push(|datagram| SessionHeader::encode_sessionless(payload_type, payload, datagram));
}

fn is_session_lost(status: Status) -> bool {
    matches!(
        status,
        Status::INVALID_SESSION_ID | Status::INACTIVE_SESSION_ID
    )
}
