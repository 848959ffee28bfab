//! What arrives during a login.

use std::time::Instant;

use super::{Established, Handshake, Sent, Stage};
use crate::codec::{DecodeErrorKind, Reader, Wire};
use crate::crypto::{RakpContext, open};
use crate::error::{Error, Step};
use crate::proto::io::Io;
use crate::proto::is_plain;
use crate::proto::proposal::{Proposal, cut};
use crate::proto::session::Session;
use crate::wire::{
    OpenSessionAccepted, OpenSessionResponse, PayloadType, Rakp2, Rakp2Accepted, Rakp4, Refusal,
    SessionHeader,
};

type Outcome = Option<Result<Established, Error>>;

impl Handshake {
    /// Takes in a datagram. Whatever does not belong to this login is dropped.
    pub(in crate::proto) fn on_datagram(
        &mut self,
        now: Instant,
        datagram: &mut [u8],
        io: &mut Io,
    ) -> Outcome {
        if let Some(discovery) = &mut self.discovery
            && discovery.on_datagram(datagram, &mut io.out)
        {
            return self.on_offer(now, io);
        }
        if self.stage == Stage::Opening && self.greeting.is_answered_by(datagram) {
            self.transmit_open_session(now, io);
            return None;
        }
        let (header, payload, _) = SessionHeader::split(datagram).ok()?;
        if header.session_id == self.console_id {
            return self.on_sealed(datagram);
        }
        if is_plain(&header, PayloadType::OPEN_SESSION_RESPONSE) {
            match OpenSessionResponse::from_bytes(payload) {
                Ok(OpenSessionResponse::Accepted(accepted)) => self.on_opened(&accepted, now, io),
                Ok(OpenSessionResponse::Refused(refusal)) => {
                    return self.on_open_refused(&refusal, now, io);
                }
                Err(error) => self.hint = Some(error.into()),
            }
        } else if is_plain(&header, PayloadType::RAKP_2) {
            match Rakp2::from_bytes(payload) {
                Ok(Rakp2::Accepted(accepted)) => self.on_rakp2(&accepted, now, io),
                Ok(Rakp2::Refused(refusal)) => self.on_rakp2_refused(&refusal),
                Err(error) => self.hint = Some(error.into()),
            }
        } else if is_plain(&header, PayloadType::RAKP_4) {
            match Rakp4::from_bytes(payload) {
                Ok(message) => return self.on_rakp4(&message, now, io),
                Err(error) => self.hint = Some(error.into()),
            }
        }
        None
    }

    /// The list of suites has grown, or is complete.
    fn on_offer(&mut self, now: Instant, io: &mut Io) -> Outcome {
        let offered = self.discovery.as_ref()?.offered()?.to_vec();
        match self.stage {
            Stage::Explaining => return Some(Err(self.no_cipher_suite())),
            Stage::Opening if self.ladder.follow(&offered) => {
                self.enter(Stage::Opening);
                self.transmit(now, io);
            }
            Stage::Opening => return self.agreed_refusal(),
            _ => {}
        }
        None
    }

    fn on_opened(&mut self, accepted: &OpenSessionAccepted, now: Instant, io: &mut Io) {
        let Some(sent) = find(&self.opens, accepted.tag) else {
            return;
        };
        if self.stage != Stage::Opening
            || accepted.console_session_id != self.console_id
            || accepted.bmc_session_id == 0
        {
            return;
        }
        let agreed = (
            accepted.authentication,
            accepted.integrity,
            accepted.confidentiality,
        );
        if agreed != sent.suite.algorithms() {
            self.refusal.get_or_insert(Error::Downgrade {
                asked: sent.suite,
                authentication: accepted.authentication,
                integrity: accepted.integrity,
                confidentiality: accepted.confidentiality,
            });
            return;
        }
        io.rtt.sample(now.saturating_duration_since(sent.at));
        self.enter(Stage::Proving {
            bmc_id: accepted.bmc_session_id,
            suite: sent.suite,
        });
        self.transmit(now, io);
    }

    fn on_open_refused(&mut self, refusal: &Refusal, now: Instant, io: &mut Io) -> Outcome {
        let about_current = find(&self.opens, refusal.tag.unwrap_or_default())
            .is_none_or(|sent| sent.suite == self.ladder.suite());
        if self.stage != Stage::Opening
            || !about_current
            || !self.is_ours(refusal, |tag| find(&self.opens, tag).is_some())
        {
            return None;
        }
        self.note(Step::OpenSession, refusal);
        if self.discovery.as_ref().is_some_and(|d| !d.is_asking()) {
            return self.on_offer(now, io);
        }
        None
    }

    /// Refusal and list agree that no suite will do: there is nothing to wait for.
    fn agreed_refusal(&self) -> Outcome {
        let offered = self.discovery.as_ref()?.offered()?;
        let hopeless = self.refusal.is_some() && !self.ladder.has_offered(offered);
        hopeless.then(|| Err(self.no_cipher_suite()))
    }

    fn on_rakp2(&mut self, accepted: &Rakp2Accepted, now: Instant, io: &mut Io) {
        let (Stage::Proving { bmc_id, suite }
        | Stage::Holding { bmc_id, suite }
        | Stage::Confirming { bmc_id, suite }) = self.stage
        else {
            return;
        };
        let position = self
            .rakp1s
            .iter()
            .rposition(|sent| sent.tag == accepted.tag);
        let Some((index, sent)) = position.and_then(|at| Some((at, *self.rakp1s.get(at)?))) else {
            return;
        };
        let is_first = self.proposals.is_empty();
        let is_repeat = self
            .proposals
            .iter()
            .any(|proposal| *proposal.bmc_random() == accepted.bmc_random);
        if accepted.console_session_id != self.console_id || index < self.answered || is_repeat {
            return;
        }
        let needed = suite.key_exchange_length();
        let auth_code = cut(self.login.quirks, accepted.auth_code, needed);
        let length = auth_code.as_bytes().len();
        if length != needed {
            self.hint = Some(wrong_length(Rakp2::NAME, needed, length));
            return;
        }
        let context = RakpContext {
            suite,
            console_session_id: self.console_id,
            bmc_session_id: bmc_id,
            console_random: self.console_random,
            bmc_random: accepted.bmc_random,
            bmc_guid: accepted.bmc_guid,
            role: self.ladder.role(),
            username: self.username(),
            quirks: self.login.quirks,
        };
        let Some(proposal) = Proposal::verify(&context, &self.login, &auth_code) else {
            if is_first {
                self.refusal.get_or_insert(Error::WrongPassword);
            }
            return;
        };
        if is_first {
            io.rtt.sample(now.saturating_duration_since(sent.at));
        }
        self.answered = index;
        // Seldom more than one, and not small.
        self.proposals.reserve_exact(1);
        self.proposals.push(proposal);
        if self.is_patient && is_first {
            self.enter(Stage::Holding { bmc_id, suite });
            self.timer = now + Self::patience(io);
        } else if !matches!(self.stage, Stage::Holding { .. }) {
            // A proof for the number that this one replaces would end the session.
            io.out.clear();
            self.enter(Stage::Confirming { bmc_id, suite });
            self.transmit(now, io);
        }
    }

    fn on_rakp2_refused(&mut self, refusal: &Refusal) {
        if matches!(self.stage, Stage::Proving { .. })
            && self.is_ours(refusal, |tag| find(&self.rakp1s, tag).is_some())
        {
            self.note(Step::Rakp1, refusal);
        }
    }

    fn on_rakp4(&mut self, message: &Rakp4, now: Instant, io: &mut Io) -> Outcome {
        if !matches!(self.stage, Stage::Confirming { .. }) {
            return None;
        }
        let sent = |tag| {
            self.proposals
                .iter()
                .rposition(|p| p.sent_at(tag).is_some())
        };
        let accepted = match message {
            Rakp4::Accepted(accepted) => accepted,
            Rakp4::Refused(refusal) => {
                if self.is_ours(refusal, |tag| sent(tag).is_some()) {
                    self.note(Step::Rakp3, refusal);
                }
                return None;
            }
        };
        if accepted.console_session_id != self.console_id {
            return None;
        }
        let index = sent(accepted.tag)?;
        let proposal = self.proposals.get(index)?;
        if !proposal.is_confirmed_by(&accepted.integrity_check) {
            self.refusal.get_or_insert(Error::WrongKg);
            return None;
        }
        let at = proposal.sent_at(accepted.tag)?;
        io.rtt.sample(now.saturating_duration_since(at));
        let (session, limit) = self.establish(index)?;
        Some(Ok(Established { session, limit }))
    }

    /// A datagram of the session that is not known to be up yet: some BMCs answer a repeated RAKP Message 3 with a
    /// RAKP Message 4 inside the session.
    fn on_sealed(&mut self, datagram: &mut [u8]) -> Outcome {
        if !matches!(self.stage, Stage::Confirming { .. }) {
            return None;
        }
        let console_id = self.console_id;
        // A datagram that does not verify is left as it was.
        let index = self.proposals.iter().rposition(|proposal| {
            let Ok(opened) = open(proposal.keys(), console_id, datagram) else {
                return false;
            };
            opened.payload_type == PayloadType::RAKP_4
                && matches!(Rakp4::from_bytes(opened.payload), Ok(Rakp4::Accepted(accepted))
                    if accepted.console_session_id == console_id
                        && proposal.sent_at(accepted.tag).is_some()
                        && proposal.is_confirmed_by(&accepted.integrity_check))
        })?;
        let (session, limit) = self.establish(index)?;
        Some(Ok(Established { session, limit }))
    }

    fn establish(&mut self, index: usize) -> Option<(Session, crate::wire::Privilege)> {
        if index >= self.proposals.len() {
            return None;
        }
        let proposal = self.proposals.swap_remove(index);
        let bmc_id = proposal.bmc_id();
        let session = Session::new(
            proposal.into_keys(),
            self.console_id,
            bmc_id,
            self.login.quirks,
        );
        Some((session, self.ladder.role().privilege()))
    }

    /// Whether a refusal may be about one of our messages: by tag and session ID, or in a form that lacks them.
    fn is_ours(&self, refusal: &Refusal, was_sent: impl Fn(u8) -> bool) -> bool {
        let by_tag = refusal.tag.is_none_or(|tag| tag == 0 || was_sent(tag));
        let by_id = refusal
            .console_session_id
            .is_none_or(|id| id == 0 || id == self.console_id);
        by_tag && by_id
    }

    fn note(&mut self, step: Step, refusal: &Refusal) {
        let status = refusal.status;
        self.refusal.get_or_insert(Error::Refused { step, status });
    }
}

fn find(list: &[Sent], tag: u8) -> Option<Sent> {
    list.iter().rev().find(|sent| sent.tag == tag).copied()
}

fn wrong_length(message: &'static str, needed: usize, available: usize) -> Error {
    let kind = DecodeErrorKind::Short { needed, available };
    Reader::new(message, &[])
        .error("key exchange authentication code", kind)
        .into()
}
