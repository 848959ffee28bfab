//! The BMC's side of IPMI v1.5 sessions, and of the presence ping.

use std::net::SocketAddr;

use rand::Rng;
use tokio::time::Instant;

use crate::codec::Wire;
use crate::command::{
    ActivateSession, ActivatedSession, Command, GetSessionChallenge, SessionChallenge,
};
use crate::crypto::KeyedAuth;
use crate::proto::window::ReplayWindow;
use crate::quirks::{Quirk, Quirks};
use crate::sim::dispatch::Call;
use crate::sim::session::{Active, ChallengeV15, Protection};
use crate::sim::{Settings, Sim};
use crate::wire::{
    AuthCode, AuthType, CompletionCode, LanRequest, PayloadType, PresencePing, PresencePong,
    Privilege, Role, SessionV15,
};

impl Sim {
    pub(super) fn answer_ping(&mut self, datagram: &[u8]) -> Option<Vec<u8>> {
        let ping = PresencePing::from_bytes(datagram).ok()?;
        Some(PresencePong::ipmi(ping.tag).to_bytes())
    }

    pub(super) fn answer_v15(
        &mut self,
        now: Instant,
        peer: SocketAddr,
        datagram: &[u8],
    ) -> Option<Vec<u8>> {
        let datagram = SessionV15::decode(datagram).ok()?;
        let id = datagram.session_id;
        if id == 0 {
            let reply = self.answer_sessionless(now, peer, datagram.message)?;
            let mut out = Vec::new();
            SessionV15::sessionless(&reply).encode(&mut out);
            return Some(out);
        }
        if self.sessions.challenged(id).is_some() {
            return self.answer_challenged(now, peer, &datagram);
        }
        let session = self.sessions.active(id)?;
        let Protection::V15(auth, _) = &session.protection else {
            return None;
        };
        if !auth.verify(&datagram)
            || !session.window.accept(datagram.sequence) && !self.settings.quirks.executes_replays
        {
            return None;
        }
        session.last_used = now;
        session.peer = Some(peer);
        let request = LanRequest::decode(datagram.message).ok()?;
        let (completion, data) = self.execute(now, peer, Some(id), &request);
        let reply = self.encode_response(&request, completion, &data);
        let sealed = self.seal_in_session(id, PayloadType::IPMI, &reply);
        self.sessions.remove_closed();
        sealed
    }

    /// Between challenge and session there is one command only, and who sends it knows the password.
    fn answer_challenged(
        &mut self,
        now: Instant,
        peer: SocketAddr,
        datagram: &SessionV15<'_>,
    ) -> Option<Vec<u8>> {
        let id = datagram.session_id;
        let challenge = self.sessions.challenged(id)?;
        challenge.last_used = now;
        let user = self.users.get(challenge.user)?;
        let auth = KeyedAuth::new(challenge.auth_type, user.password.expose());
        let request = LanRequest::decode(datagram.message).ok()?;
        let is_expected =
            (request.netfn, request.command) == (ActivateSession::NETFN, ActivateSession::CMD);
        if !auth.verify(datagram) || !is_expected {
            return None;
        }
        let (completion, data) = self.execute(now, peer, Some(id), &request);
        let reply = self.encode_response(&request, completion, &data);
        let mut out = Vec::new();
        sign(self.settings.deviations(), &auth, id, 0, &reply).encode(&mut out);
        Some(out)
    }

    pub(in crate::sim) fn session_challenge(
        &mut self,
        call: Call,
        command: GetSessionChallenge,
    ) -> Result<SessionChallenge, CompletionCode> {
        if !self.settings.auth_types.contains(&command.auth_type) {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        let name = command.username.as_bytes();
        let found = self.users.find(name, Role::by_name(Privilege::CALLBACK));
        let (user, _) = found.map_err(|_| match name {
            [] => GetSessionChallenge::NULL_USER_DISABLED,
            _ => GetSessionChallenge::INVALID_USER,
        })?;
        self.logins += 1;
        let mut challenge = [0; 16];
        self.rng.fill_bytes(&mut challenge);
        let temporary_id = self.rng.next_u32().max(1);
        let challenged = ChallengeV15 {
            auth_type: command.auth_type,
            challenge,
            user,
            activated: None,
            last_used: call.now,
        };
        self.sessions.challenge(temporary_id, challenged);
        Ok(SessionChallenge {
            temporary_id,
            challenge,
        })
    }

    pub(in crate::sim) fn activate_session(
        &mut self,
        call: Call,
        command: ActivateSession,
    ) -> Result<ActivatedSession, CompletionCode> {
        let id = call.session.unwrap_or_default();
        let challenged = self.sessions.challenged(id).cloned();
        let challenged = challenged.ok_or(ActivateSession::INVALID_SESSION_ID)?;
        if let Some(activated) = challenged.activated {
            return Ok(activated);
        }
        if (command.auth_type, command.challenge) != (challenged.auth_type, challenged.challenge) {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        let user = self.users.get(challenged.user);
        let user = user.ok_or(ActivateSession::INVALID_SESSION_ID)?;
        if command.privilege > user.limit {
            return Err(ActivateSession::ABOVE_LIMIT);
        }
        let limit = match command.privilege {
            Privilege::HIGHEST => user.limit,
            asked => asked,
        };
        let keyed = |auth_type| KeyedAuth::new(auth_type, user.password.expose());
        let (announced, auth_type) = self.settings.session_auth(command.auth_type);
        let active = Active {
            console_id: 0,
            protection: Protection::V15(keyed(auth_type), keyed(auth_type)),
            proof: AuthCode::EMPTY,
            integrity_check: AuthCode::EMPTY,
            user: challenged.user,
            peer: None,
            limit,
            privilege: limit.min(Privilege::USER),
            window: ReplayWindow::default(),
            sent: command.initial_outbound.wrapping_sub(1),
            last_used: call.now,
            closed: false,
        };
        let session_id = self.rng.next_u32();
        if self.faults.full || !self.sessions.activate(session_id, active) {
            return Err(ActivateSession::NO_SLOT);
        }
        let activated = ActivatedSession {
            auth_type: announced,
            session_id,
            initial_inbound: self.rng.next_u32().max(1),
            privilege: limit,
        };
        if let Some(challenged) = self.sessions.challenged(id) {
            challenged.activated = Some(activated);
        }
        Ok(activated)
    }
}

impl Settings {
    /// What Activate Session says about the messages of a session, and what is true.
    fn session_auth(&self, asked: AuthType) -> (AuthType, AuthType) {
        let needs = self.quirks.needs;
        if needs.has(Quirk::NoPerMessage) {
            (asked, AuthType::NONE)
        } else if needs.has(Quirk::ForcePerMessage) {
            (AuthType::NONE, asked)
        } else if self.per_message {
            (asked, asked)
        } else {
            (AuthType::NONE, AuthType::NONE)
        }
    }

    /// Whether Get Channel Authentication Capabilities announces sessions without AuthCodes.
    pub(super) fn announces_no_codes(&self) -> bool {
        let needs = self.quirks.needs;
        !self.per_message || needs.has(Quirk::NoPerMessage) || needs.has(Quirk::ForcePerMessage)
    }
}

/// A message of the BMC, with its peculiarities.
pub(super) fn sign<'a>(
    needs: Quirks,
    auth: &KeyedAuth,
    session_id: u32,
    sequence: u32,
    message: &'a [u8],
) -> SessionV15<'a> {
    let is_swapped = needs.has(Quirk::BigEndianSequence);
    let id = if needs.has(Quirk::SessionIdZero) {
        0
    } else {
        session_id
    };
    let sequence = if is_swapped {
        sequence.swap_bytes()
    } else {
        sequence
    };
    auth.sign(id, sequence, message)
}
