//! The login of IPMI v1.5, §22.16 and §22.17: Get Session Challenge and Activate Session.

use std::sync::Arc;
use std::time::Instant;

use rand::Rng;

use crate::codec::Wire;
use crate::command::{
    ActivateSession, ActivatedSession, ChannelAuthCapabilities, Command,
    GetChannelAuthCapabilities, GetSessionChallenge, SessionChallenge,
};
use crate::config::Login;
use crate::crypto::KeyedAuth;
use crate::error::{Error, Step};
use crate::proto::discovery::sessionless_message;
use crate::proto::handshake::Established;
use crate::proto::io::Io;
use crate::proto::session::{Session, checksums};
use crate::quirks::Quirk;
use crate::wire::lan::LanRequest;
use crate::wire::{AuthType, CompletionCode, LanResponse, Privilege, SessionV15};

/// Silent sends of Activate Session after which the BMC is thought to have forgotten the challenge.
const SENDS_BEFORE_RESTART: u32 = 6;

/// One login with IPMI v1.5.
#[derive(Debug)]
pub(super) struct HandshakeV15 {
    login: Arc<Login>,
    auth_type: AuthType,
    stage: Stage,
    privilege: Privilege,
    /// The BMC says that messages need no AuthCode, and is believed.
    needs_no_codes: bool,
    /// Requester sequence number of the stage.
    sequence: u8,
    sends: u32,
    first_sent: Instant,
    timer: Instant,
    /// What the BMC, or somebody in its name, refused; counts when `timer` ends.
    refusal: Option<Error>,
    /// What arrived and made no sense, to explain a time-out.
    hint: Option<Error>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Waiting for the authentication capabilities.
    Asking,
    /// Waiting for a challenge.
    Challenged,
    /// Waiting for the session.
    Activating(SessionChallenge, u32),
}

type Outcome = Option<Result<Established, Error>>;

impl HandshakeV15 {
    /// Begins a login and sends its first datagram.
    pub(super) fn start(login: Arc<Login>, auth_type: AuthType, now: Instant, io: &mut Io) -> Self {
        let must_ask =
            !login.quirks.has(Quirk::AuthCapabilities) || login.quirks.has(Quirk::NoPerMessage);
        let mut handshake = Self {
            auth_type,
            stage: if must_ask {
                Stage::Asking
            } else {
                Stage::Challenged
            },
            privilege: login.privilege.unwrap_or(Privilege::ADMINISTRATOR),
            login,
            needs_no_codes: false,
            sequence: io.byte() & 0x3f,
            sends: 0,
            first_sent: now,
            timer: now,
            refusal: None,
            hint: None,
        };
        handshake.transmit(now, io);
        handshake
    }

    pub(super) fn timeout(&self) -> Instant {
        self.timer
    }

    /// Takes in a datagram. Whatever does not belong to this login is dropped.
    pub(super) fn on_datagram(&mut self, now: Instant, datagram: &[u8], io: &mut Io) -> Outcome {
        match self.stage {
            Stage::Asking => {
                let response = self.answer::<GetChannelAuthCapabilities>(datagram)?;
                self.on_capabilities(&response, now, io);
                None
            }
            Stage::Challenged => {
                let response = self.answer::<GetSessionChallenge>(datagram)?;
                self.on_challenge(&response, now, io);
                None
            }
            Stage::Activating(challenge, _) => {
                self.on_activated(challenge.temporary_id, datagram, now, io)
            }
        }
    }

    /// The time for an answer is over: acts on a refusal, or sends again.
    pub(super) fn on_timeout(&mut self, now: Instant, io: &mut Io) -> Outcome {
        if now < self.timer {
            return None;
        }
        if let Some(refusal) = self.refusal.take() {
            return Some(Err(refusal));
        }
        if matches!(self.stage, Stage::Activating(..)) && self.sends >= SENDS_BEFORE_RESTART {
            self.enter(Stage::Challenged, now, io);
        } else {
            self.transmit(now, io);
        }
        None
    }

    /// The error of a login that has to end now.
    pub(super) fn give_up(&mut self) -> Error {
        if let Some(refusal) = self.refusal.take() {
            return refusal;
        }
        let step = match self.stage {
            Stage::Asking => Step::AuthCapabilities,
            Stage::Challenged => Step::SessionChallenge,
            Stage::Activating(..) => Step::ActivateSession,
        };
        Error::LoginTimeout {
            step,
            sent: self.sends,
            last: self.hint.take().map(Box::new),
        }
    }

    /// The answer to the command of this stage, which no session protects.
    fn answer<'a, C: Command>(&self, datagram: &'a [u8]) -> Option<LanResponse<'a>> {
        let message = sessionless_message(datagram)?;
        let response = LanResponse::decode_with(message, checksums(self.login.quirks)).ok()?;
        response
            .answers(C::NETFN, C::CMD, self.sequence)
            .then_some(response)
    }

    fn on_capabilities(&mut self, response: &LanResponse<'_>, now: Instant, io: &mut Io) {
        let Some(capabilities) = self.accept::<GetChannelAuthCapabilities>(response) else {
            return;
        };
        let quirks = self.login.quirks;
        if !quirks.has(Quirk::AuthCapabilities) && !capabilities.offers(self.auth_type) {
            self.refusal.get_or_insert_with(|| Error::AuthTypeRefused {
                asked: self.auth_type,
                offered: offered(&capabilities),
            });
            return;
        }
        self.sample(now, io);
        self.needs_no_codes = quirks.has(Quirk::NoPerMessage)
            && capabilities.login_status & ChannelAuthCapabilities::NO_PER_MESSAGE != 0;
        self.enter(Stage::Challenged, now, io);
    }

    fn on_challenge(&mut self, response: &LanResponse<'_>, now: Instant, io: &mut Io) {
        let Some(challenge) = self.accept::<GetSessionChallenge>(response) else {
            return;
        };
        self.sample(now, io);
        let initial_outbound = io.rng.next_u32().max(1);
        self.enter(Stage::Activating(challenge, initial_outbound), now, io);
    }

    fn on_activated(
        &mut self,
        temporary_id: u32,
        datagram: &[u8],
        now: Instant,
        io: &mut Io,
    ) -> Outcome {
        let datagram = SessionV15::decode(datagram).ok()?;
        let sums = checksums(self.login.quirks);
        let response = LanResponse::decode_with(datagram.message, sums).ok()?;
        if !response.answers(ActivateSession::NETFN, ActivateSession::CMD, self.sequence) {
            return None;
        }
        let auth = KeyedAuth::new(self.auth_type, self.login.password.expose());
        if !auth.verify(&datagram) {
            // BMCs refuse without proof; so can everybody else.
            if !response.completion.is_ok() {
                self.accept::<ActivateSession>(&response);
            }
            return None;
        }
        if !response.completion.is_ok() {
            return self.on_refused(response.completion, now, io);
        }
        let session = self.accept::<ActivateSession>(&response)?;
        let is_known = [temporary_id, session.session_id].contains(&datagram.session_id)
            || self.login.quirks.has(Quirk::SessionIdZero);
        if !is_known || session.session_id == 0 {
            return None;
        }
        self.sample(now, io);
        self.establish(auth, &session)
    }

    /// The BMC, which knows the password, says no.
    fn on_refused(&mut self, code: CompletionCode, now: Instant, io: &mut Io) -> Outcome {
        if code == ActivateSession::ABOVE_LIMIT && self.login.privilege.is_none() {
            let less = match self.privilege {
                Privilege::ADMINISTRATOR => Some(Privilege::OPERATOR),
                Privilege::OPERATOR => Some(Privilege::USER),
                _ => None,
            };
            if let Some(less) = less {
                self.privilege = less;
                self.enter(Stage::Challenged, now, io);
                return None;
            }
        }
        let command = ActivateSession::NAME;
        Some(Err(Error::Completion { command, code }))
    }

    fn establish(&mut self, auth: KeyedAuth, session: &ActivatedSession) -> Outcome {
        let quirks = self.login.quirks;
        let per_message = if session.auth_type == self.auth_type {
            !self.needs_no_codes
        } else if session.auth_type == AuthType::NONE {
            quirks.has(Quirk::ForcePerMessage)
        } else {
            return Some(Err(Error::AuthTypeRefused {
                asked: self.auth_type,
                offered: vec![session.auth_type],
            }));
        };
        let limit = match session.privilege {
            Privilege::HIGHEST => self.privilege,
            granted => granted.min(self.privilege),
        };
        let (id, first) = (session.session_id, session.initial_inbound.max(1));
        let session = Session::v15(auth, per_message, id, first, quirks);
        Some(Ok(Established { session, limit }))
    }

    /// The response's data, or `None` and a note why not.
    fn accept<C: Command>(&mut self, response: &LanResponse<'_>) -> Option<C::Response> {
        if !response.completion.is_ok() {
            let (command, code) = (C::NAME, response.completion);
            self.refusal
                .get_or_insert(Error::Completion { command, code });
            return None;
        }
        match C::decode_response(response.data) {
            Ok(data) => Some(data),
            Err(error) => {
                self.hint = Some(error.into());
                None
            }
        }
    }

    fn sample(&self, now: Instant, io: &mut Io) {
        if self.sends == 1 {
            io.rtt
                .sample(now.saturating_duration_since(self.first_sent));
        }
    }

    fn enter(&mut self, stage: Stage, now: Instant, io: &mut Io) {
        self.stage = stage;
        self.sequence = (self.sequence + 1) % LanRequest::SEQUENCES;
        self.sends = 0;
        self.first_sent = now;
        self.refusal = None;
        self.transmit(now, io);
    }

    /// Sends, or sends again, what the stage waits for an answer to.
    fn transmit(&mut self, now: Instant, io: &mut Io) {
        match self.stage {
            Stage::Asking => self.send_plain(
                &GetChannelAuthCapabilities {
                    extended: false,
                    ..GetChannelAuthCapabilities::this_channel(self.privilege)
                },
                io,
            ),
            Stage::Challenged => self.send_plain(
                &GetSessionChallenge {
                    auth_type: self.auth_type,
                    username: self.login.username,
                },
                io,
            ),
            Stage::Activating(challenge, initial_outbound) => {
                let command = ActivateSession {
                    auth_type: self.auth_type,
                    privilege: self.privilege,
                    challenge: challenge.challenge,
                    initial_outbound,
                };
                let message = self.message(&command);
                let auth = KeyedAuth::new(self.auth_type, self.login.password.expose());
                io.out.push(|datagram| {
                    auth.sign(challenge.temporary_id, 0, &message)
                        .encode(datagram);
                });
            }
        }
        self.sends += 1;
        self.timer = io.again_at(now, self.sends);
    }

    fn send_plain<C: Command>(&self, command: &C, io: &mut Io) {
        let message = self.message(command);
        io.out
            .push(|datagram| SessionV15::sessionless(&message).encode(datagram));
    }

    fn message<C: Command>(&self, command: &C) -> Vec<u8> {
        let mut message = Vec::new();
        let data = command.to_bytes();
        LanRequest::to_bmc(C::NETFN, C::CMD, self.sequence, &data).encode(&mut message);
        message
    }
}

fn offered(capabilities: &ChannelAuthCapabilities) -> Vec<AuthType> {
    [
        AuthType::NONE,
        AuthType::MD2,
        AuthType::MD5,
        AuthType::STRAIGHT,
        AuthType::OEM,
    ]
    .into_iter()
    .filter(|auth_type| capabilities.offers(*auth_type))
    .collect()
}
