//! The BMC's side of Open Session and RAKP.

use rand::Rng;
use tokio::time::Instant;

use crate::codec::Wire;
use crate::crypto::{CipherSuite, RakpContext};
use crate::proto::window::ReplayWindow;
use crate::quirks::Quirk;
use crate::sim::session::{Active, Challenge, Opening, Protection, Session};
use crate::sim::{RefusalForm, Settings, Sim};
use crate::wire::{
    OpenSessionAccepted, OpenSessionRequest, OpenSessionResponse, PayloadType, Privilege, Rakp2,
    Rakp2Accepted, Rakp3, Rakp4, Rakp4Accepted, Refusal, SessionHeader, Status,
};

/// Lengths of the full messages without a code, for [`RefusalForm::ZeroFilled`].
const OPEN_SESSION_RESPONSE: usize = 36;
const RAKP_2: usize = 40;
const RAKP_4: usize = 8;

/// Why a step failed: to whom to say it, and what.
struct Refused {
    tag: u8,
    status: Status,
    console_id: u32,
}

impl Sim {
    pub(crate) fn on_open_session(&mut self, now: Instant, payload: &[u8]) -> Vec<u8> {
        match self.open_session(now, payload) {
            Ok(accepted) => OpenSessionResponse::Accepted(accepted).to_bytes(),
            Err(refused) => self.refuse(&refused, OPEN_SESSION_RESPONSE),
        }
    }

    pub(crate) fn on_rakp1(&mut self, now: Instant, payload: &[u8]) -> Vec<u8> {
        match self.rakp1(now, payload) {
            Ok(accepted) => Rakp2::Accepted(accepted).to_bytes(),
            Err(refused) => self.refuse(&refused, RAKP_2),
        }
    }

    /// Gives the whole datagram, as a repeated message may be answered inside the session.
    pub(crate) fn on_rakp3(&mut self, now: Instant, payload: &[u8]) -> Option<Vec<u8>> {
        let (reply, sealed_for) = match self.rakp3(now, payload) {
            Ok((accepted, sealed_for)) => (Rakp4::Accepted(accepted).to_bytes(), sealed_for),
            // The console gave up: there is nothing to say.
            Err(None) => return None,
            Err(Some(refused)) => (self.refuse(&refused, RAKP_4), None),
        };
        if let Some(id) = sealed_for {
            return self.seal_in_session(id, PayloadType::RAKP_4, &reply);
        }
        let mut out = Vec::new();
        SessionHeader::encode_sessionless(PayloadType::RAKP_4, &reply, &mut out);
        Some(out)
    }

    fn open_session(
        &mut self,
        now: Instant,
        payload: &[u8],
    ) -> Result<OpenSessionAccepted, Refused> {
        let request = OpenSessionRequest::from_bytes(payload).map_err(|_| malformed(payload))?;
        let refused = |status| Refused {
            tag: request.tag,
            status,
            console_id: request.console_session_id,
        };
        self.settings.check_privilege(&request).map_err(refused)?;
        if let Some(status) = self.faults.refuse_open {
            return Err(refused(status));
        }
        let suite = self.settings.choose_suite(&request).map_err(refused)?;
        let suite = self.faults.downgrade.unwrap_or(suite);
        let bmc_session_id = self.rng.next_u32();
        let opening = Opening {
            console_id: request.console_session_id,
            suite,
            privilege: request.privilege,
            last_used: now,
        };
        if self.faults.full || !self.sessions.open(bmc_session_id, opening) {
            return Err(refused(Status::INSUFFICIENT_RESOURCES));
        }
        let privilege = match request.privilege {
            _ if self.settings.quirks.hides_privilege => Privilege::HIGHEST,
            Privilege::HIGHEST => Privilege::ADMINISTRATOR,
            requested => requested,
        };
        Ok(OpenSessionAccepted {
            tag: request.tag,
            privilege,
            console_session_id: request.console_session_id,
            bmc_session_id,
            authentication: suite.authentication(),
            integrity: suite.integrity(),
            confidentiality: suite.confidentiality(),
        })
    }

    fn rakp1(&mut self, now: Instant, payload: &[u8]) -> Result<Rakp2Accepted, Refused> {
        let request = self
            .settings
            .read_rakp1(payload)
            .map_err(|_| malformed(payload))?;
        let tag = request.tag;
        let id = request.bmc_session_id;
        let session = self.sessions.get_mut(id);
        let is_repeat = matches!(session, Some(Session::Challenged(..)));
        let Some(Session::Opened(opening) | Session::Challenged(opening, _)) = session else {
            return Err(Refused {
                tag,
                status: Status::INVALID_SESSION_ID,
                console_id: 0,
            });
        };
        opening.last_used = now;
        let opening = *opening;
        let console_id = opening.console_id;
        let user = self.faults.refuse_auth.map_or_else(
            || {
                self.settings.check_rakp1(&request, payload.len())?;
                self.users.find(self.settings.name(&request), request.role)
            },
            Err,
        );
        let user = user.and_then(
            |user| match request.role.privilege() > self.channels.limit() {
                true => Err(Status::UNAUTHORIZED_ROLE),
                false => Ok(user),
            },
        );
        let (index, user) = match user {
            Ok(found) => found,
            Err(status) => {
                self.sessions.remove(id);
                return Err(Refused {
                    tag,
                    status,
                    console_id,
                });
            }
        };
        self.logins += u32::from(!is_repeat);
        // A new number each time: a console that repeats its message must use the latest reply.
        let mut bmc_random = [0; 16];
        self.rng.fill_bytes(&mut bmc_random);
        let context = RakpContext {
            suite: opening.suite,
            console_session_id: console_id,
            bmc_session_id: id,
            console_random: request.console_random,
            bmc_random,
            bmc_guid: self.settings.guid,
            role: self.settings.hashed_role(&request, &opening),
            username: request.username,
            quirks: self.settings.deviations(),
        };
        let auth_code = context.rakp2_code(user.password.expose());
        let auth_code = self.settings.sent_code(auth_code);
        if let Some(session) = self.sessions.get_mut(id) {
            *session = Session::Challenged(
                opening,
                Challenge {
                    context,
                    user: index,
                },
            );
        }
        Ok(Rakp2Accepted {
            tag,
            console_session_id: console_id,
            bmc_random,
            bmc_guid: self.settings.guid,
            auth_code,
        })
    }

    /// The reply, and the session to seal it in.
    fn rakp3(
        &mut self,
        now: Instant,
        payload: &[u8],
    ) -> Result<(Rakp4Accepted, Option<u32>), Option<Refused>> {
        let request = Rakp3::from_bytes(payload).map_err(|_| Some(malformed(payload)))?;
        let (tag, id) = (request.tag, request.bmc_session_id);
        let refused = |status, console_id| {
            Some(Refused {
                tag,
                status,
                console_id,
            })
        };
        let (opening, challenge) = match self.sessions.get_mut(id) {
            Some(Session::Challenged(..)) if !request.status.is_ok() => {
                self.sessions.remove(id);
                return Err(None);
            }
            Some(Session::Challenged(opening, challenge)) => (*opening, *challenge),
            Some(Session::Active(active)) if active.proof == request.auth_code => {
                let repeated = Rakp4Accepted {
                    tag,
                    console_session_id: active.console_id,
                    integrity_check: active.integrity_check,
                };
                return Ok((
                    repeated,
                    self.settings.quirks.seals_repeated_rakp4.then_some(id),
                ));
            }
            _ => return Err(refused(Status::INVALID_SESSION_ID, 0)),
        };
        let console_id = opening.console_id;
        let user = self.users.get(challenge.user);
        let user = user.ok_or_else(|| refused(Status::UNAUTHORIZED_NAME, console_id))?;
        let context = challenge.context;
        if context.rakp3_code(user.password.expose()) != request.auth_code {
            self.sessions.remove(id);
            return Err(refused(Status::INVALID_INTEGRITY_CHECK_VALUE, console_id));
        }
        let kg = self.settings.kg.as_ref().map(bmc_core::Secret::expose);
        let keys = context.session_keys(user.password.expose(), kg);
        let integrity_check = self.settings.sent_check(context.rakp4_code(&keys));
        let limit = context.role.privilege().min(user.limit);
        let active = Active {
            console_id,
            protection: Protection::Plus(keys),
            proof: request.auth_code,
            integrity_check,
            user: challenge.user,
            peer: None,
            limit,
            privilege: if self.settings.needs(Quirk::I82571Spt) {
                limit
            } else {
                limit.min(Privilege::USER)
            },
            window: ReplayWindow::default(),
            sent: 0,
            last_used: now,
            closed: false,
        };
        if let Some(session) = self.sessions.get_mut(id) {
            *session = Session::Active(Box::new(active));
        }
        let accepted = Rakp4Accepted {
            tag,
            console_session_id: console_id,
            integrity_check,
        };
        Ok((accepted, None))
    }

    fn refuse(&self, refused: &Refused, full_length: usize) -> Vec<u8> {
        let standard = Refusal::new(refused.tag, refused.status, refused.console_id);
        let refusal = match self.settings.quirks.refusals {
            RefusalForm::Standard => standard,
            RefusalForm::Short => Refusal {
                console_session_id: None,
                ..standard
            },
            RefusalForm::ZeroFilled => Refusal {
                padding: full_length - RAKP_4,
                ..Refusal::new(0, refused.status, 0)
            },
        };
        refusal.to_bytes()
    }
}

impl Settings {
    fn choose_suite(&self, request: &OpenSessionRequest) -> Result<CipherSuite, Status> {
        let asked = (
            request.authentication,
            request.integrity,
            request.confidentiality,
        );
        let mut suites = self.suites.iter().copied();
        if let Some(suite) = suites.find(|suite| suite.algorithms() == asked) {
            return Ok(suite);
        }
        let any = |offers: &dyn Fn(&CipherSuite) -> bool| self.suites.iter().any(offers);
        if !any(&|suite| suite.authentication() == request.authentication) {
            return Err(Status::INVALID_AUTHENTICATION_ALGORITHM);
        }
        if !any(&|suite| suite.integrity() == request.integrity) {
            return Err(Status::INVALID_INTEGRITY_ALGORITHM);
        }
        if !any(&|suite| suite.confidentiality() == request.confidentiality) {
            return Err(Status::INVALID_CONFIDENTIALITY_ALGORITHM);
        }
        Err(Status::NO_CIPHER_SUITE_MATCH)
    }
}

fn malformed(payload: &[u8]) -> Refused {
    Refused {
        tag: payload.first().copied().unwrap_or(0),
        status: Status::ILLEGAL_PARAMETER,
        console_id: 0,
    }
}
