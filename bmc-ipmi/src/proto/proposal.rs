//! RAKP Message 2 and what follows from it.

use std::time::Instant;

use crate::config::Login;
use crate::crypto::{RakpContext, SessionKeys};
use crate::quirks::{Quirk, Quirks};
use crate::wire::{AuthCode, Rakp3, Status};

/// The session that a proven RAKP Message 2 leads to, if the BMC agrees in RAKP Message 4.
///
/// There are several when the BMC draws a new random number for every RAKP Message 1 that it gets.
#[derive(Debug)]
pub(super) struct Proposal {
    keys: SessionKeys,
    bmc_id: u32,
    bmc_random: [u8; 16],
    rakp3_code: AuthCode,
    rakp4_code: AuthCode,
    quirks: Quirks,
    sent: Vec<(u8, Instant)>,
}

impl Proposal {
    /// `None` unless `code` proves that the BMC knows the password.
    pub(super) fn verify(context: &RakpContext, login: &Login, code: &AuthCode) -> Option<Self> {
        let password = login.password.expose();
        if context.rakp2_code(password) != *code {
            return None;
        }
        let kg = login.kg.as_ref().map(bmc_core::Secret::expose);
        let keys = context.session_keys(password, kg);
        Some(Self {
            bmc_id: context.bmc_session_id,
            bmc_random: context.bmc_random,
            rakp3_code: context.rakp3_code(password),
            rakp4_code: context.rakp4_code(&keys),
            keys,
            quirks: context.quirks,
            sent: Vec::new(),
        })
    }

    pub(super) fn bmc_random(&self) -> &[u8; 16] {
        &self.bmc_random
    }

    pub(super) fn bmc_id(&self) -> u32 {
        self.bmc_id
    }

    pub(super) fn keys(&self) -> &SessionKeys {
        &self.keys
    }

    pub(super) fn into_keys(self) -> SessionKeys {
        self.keys
    }

    /// RAKP Message 3 with this tag, which stays valid from now on.
    pub(super) fn rakp3(&mut self, tag: u8, now: Instant) -> Rakp3 {
        self.sent.push((tag, now));
        Rakp3 {
            tag,
            status: Status::OK,
            bmc_session_id: self.bmc_id,
            auth_code: self.rakp3_code,
        }
    }

    /// When RAKP Message 3 was sent with this tag.
    pub(super) fn sent_at(&self, tag: u8) -> Option<Instant> {
        self.sent
            .iter()
            .rev()
            .find_map(|(sent, at)| (*sent == tag).then_some(*at))
    }

    /// Whether RAKP Message 4 proves that the BMC derived the same keys.
    pub(super) fn is_confirmed_by(&self, integrity_check: &AuthCode) -> bool {
        let needed = self.rakp4_code.as_bytes().len();
        // These BMCs prove something else, or nothing, where there is nothing to prove.
        let is_meaningless = needed == 0
            && [Quirk::IntegrityCheckValue, Quirk::IntelPlus]
                .into_iter()
                .any(|quirk| self.quirks.has(quirk));
        is_meaningless || self.rakp4_code == cut(self.quirks, *integrity_check, needed)
    }
}

/// Cuts a code that is too long, as some BMCs send it.
pub(super) fn cut(quirks: Quirks, code: AuthCode, needed: usize) -> AuthCode {
    let is_cut = quirks.has(Quirk::Supermicro20) || quirks.has(Quirk::Sun20);
    match u8::try_from(needed) {
        Ok(needed) if is_cut => code.truncated(needed),
        _ => code,
    }
}
