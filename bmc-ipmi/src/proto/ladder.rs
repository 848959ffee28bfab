//! What a login asks for, and what it asks for next when that is refused.

use crate::config::Login;
use crate::crypto::CipherSuite;
use crate::quirks::{Quirk, Quirks};
use crate::wire::{Privilege, Role, Status};

/// The suites and privileges that a login may use, in order of preference.
#[derive(Debug)]
pub(super) struct Ladder {
    suite: CipherSuite,
    others: Vec<CipherSuite>,
    tried: Vec<u8>,
    asked: Privilege,
    role: Privilege,
    may_step_down: bool,
    quirks: Quirks,
}

impl Ladder {
    /// `known`, the suite of an earlier login, comes before the others if this login may use it.
    pub(super) fn new(login: &Login, known: Option<CipherSuite>) -> Self {
        let preferred = login.suites.first().copied();
        let suite = known
            .filter(|known| login.suites.contains(known))
            .or(preferred)
            .unwrap_or(CipherSuite::SUITE_17);
        let others = login.suites.iter().filter(|other| **other != suite);
        let role = login.privilege.unwrap_or(Privilege::ADMINISTRATOR);
        let mut ladder = Self {
            suite,
            others: others.copied().collect(),
            tried: Vec::new(),
            asked: role,
            role,
            may_step_down: login.privilege.is_none(),
            quirks: login.quirks,
        };
        ladder.ask_exactly();
        ladder
    }

    /// Whether there is a choice of suites.
    pub(super) fn has_choice(&self) -> bool {
        !self.others.is_empty()
    }

    pub(super) fn suite(&self) -> CipherSuite {
        self.suite
    }

    /// The privilege of Open Session: exact, because some BMCs use it in the key derivation.
    pub(super) fn open_privilege(&self) -> Privilege {
        self.asked
    }

    /// The role of RAKP Message 1.
    pub(super) fn role(&self) -> Role {
        if self.quirks.has(Quirk::NoNameOnly) {
            Role::by_name_and_privilege(self.role)
        } else {
            Role::by_name(self.role)
        }
    }

    /// Numbers of the suites asked for so far.
    pub(super) fn tried(&self) -> Vec<u8> {
        let mut tried = self.tried.clone();
        tried.push(self.suite.id());
        tried
    }

    /// Whether the BMC offers any suite that may still be asked for.
    pub(super) fn has_offered(&self, offered: &[u8]) -> bool {
        std::iter::once(&self.suite)
            .chain(&self.others)
            .any(|suite| offered.contains(&suite.id()))
    }

    /// Leaves a suite that the BMC does not offer for one that it does. `true`: there is such a one.
    pub(super) fn follow(&mut self, offered: &[u8]) -> bool {
        let is_offered = |suite: &CipherSuite| offered.contains(&suite.id());
        if is_offered(&self.suite) || !self.others.iter().any(is_offered) {
            return false;
        }
        self.others.retain(is_offered);
        self.next_suite()
    }

    /// What to ask for after a refused Open Session. `false`: nothing is left.
    pub(super) fn after_open_session(&mut self, status: Status) -> bool {
        match status {
            // Early BMCs know only "highest"; others say the same about a suite.
            Status::INVALID_ROLE | Status::UNAUTHORIZED_ROLE | Status::ILLEGAL_PARAMETER
                if self.asked != Privilege::HIGHEST
                    && !self.quirks.has(Quirk::OpenSessionPrivilege) =>
            {
                self.asked = Privilege::HIGHEST;
                true
            }
            _ => is_about_suite(status) && self.next_suite(),
        }
    }

    /// What to ask for after a refused RAKP Message 1. `false`: nothing is left.
    pub(super) fn after_rakp1(&mut self, status: Status) -> bool {
        match status {
            Status::INVALID_ROLE | Status::UNAUTHORIZED_ROLE => {
                self.step_down() || self.next_suite()
            }
            // Some BMCs offer suite 17 and then know no user.
            Status::UNAUTHORIZED_NAME => self.next_suite(),
            _ => false,
        }
    }

    /// Takes the next suite. `false`: there is none.
    pub(super) fn next_suite(&mut self) -> bool {
        if self.others.is_empty() {
            return false;
        }
        self.tried.push(self.suite.id());
        self.suite = self.others.remove(0);
        self.ask_exactly();
        true
    }

    fn step_down(&mut self) -> bool {
        if !self.may_step_down {
            return false;
        }
        self.role = match self.role {
            Privilege::ADMINISTRATOR => Privilege::OPERATOR,
            Privilege::OPERATOR => Privilege::USER,
            _ => return false,
        };
        self.ask_exactly();
        true
    }

    fn ask_exactly(&mut self) {
        self.asked = if self.quirks.has(Quirk::HighestPrivilege) {
            Privilege::HIGHEST
        } else {
            self.role
        };
    }
}

/// Whether Open Session was refused because of the suite, or perhaps because of it.
pub(super) fn is_about_suite(status: Status) -> bool {
    matches!(
        status,
        Status::INVALID_AUTHENTICATION_ALGORITHM
            | Status::INVALID_INTEGRITY_ALGORITHM
            | Status::NO_MATCHING_AUTHENTICATION
            | Status::NO_MATCHING_INTEGRITY
            | Status::INVALID_ROLE
            | Status::UNAUTHORIZED_ROLE
            | Status::INVALID_CONFIDENTIALITY_ALGORITHM
            | Status::NO_CIPHER_SUITE_MATCH
            | Status::ILLEGAL_PARAMETER
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use bmc_core::Credentials;

    use super::*;

    fn login() -> Login {
        Login::new(&Credentials::new("admin", "secret")).unwrap()
    }

    #[test]
    fn the_strongest_suite_comes_first_and_a_known_one_before_it() {
        let mut ladder = Ladder::new(&login(), None);
        assert_eq!(ladder.suite(), CipherSuite::SUITE_17);
        assert!(ladder.after_open_session(Status::NO_CIPHER_SUITE_MATCH));
        assert_eq!(ladder.suite(), CipherSuite::SUITE_3);
        assert!(!ladder.after_open_session(Status::NO_CIPHER_SUITE_MATCH));
        assert_eq!(ladder.tried(), [17, 3]);
        let known = Ladder::new(&login(), Some(CipherSuite::SUITE_3));
        assert_eq!(known.suite(), CipherSuite::SUITE_3);
    }

    #[test]
    fn a_configured_suite_has_no_alternative() {
        let mut ladder = Ladder::new(&login().cipher_suite(CipherSuite::SUITE_17), None);
        assert!(!ladder.follow(&[3]));
        assert!(!ladder.after_open_session(Status::NO_CIPHER_SUITE_MATCH));
        assert!(!ladder.after_rakp1(Status::UNAUTHORIZED_NAME));
    }

    #[test]
    fn an_exact_privilege_gives_way_to_highest_once() {
        let mut ladder = Ladder::new(&login(), None);
        assert_eq!(ladder.open_privilege(), Privilege::ADMINISTRATOR);
        assert!(ladder.after_open_session(Status::ILLEGAL_PARAMETER));
        assert_eq!(ladder.open_privilege(), Privilege::HIGHEST);
        assert_eq!(ladder.role(), Role::by_name(Privilege::ADMINISTRATOR));
        assert!(ladder.after_open_session(Status::ILLEGAL_PARAMETER));
        assert_eq!(ladder.suite(), CipherSuite::SUITE_3);
    }

    #[test]
    fn an_operator_is_found_in_the_second_attempt() {
        let mut ladder = Ladder::new(&login(), None);
        assert!(ladder.after_rakp1(Status::UNAUTHORIZED_ROLE));
        assert_eq!(ladder.role(), Role::by_name(Privilege::OPERATOR));
        assert!(ladder.after_rakp1(Status::UNAUTHORIZED_ROLE));
        assert_eq!(ladder.role(), Role::by_name(Privilege::USER));
        let mut strict = login();
        strict.privilege = Some(Privilege::ADMINISTRATOR);
        strict.suites = vec![CipherSuite::SUITE_3];
        assert!(!Ladder::new(&strict, None).after_rakp1(Status::UNAUTHORIZED_ROLE));
    }

    #[test]
    fn a_known_suite_is_not_used_where_it_is_not_allowed() {
        let strict = login().cipher_suites([CipherSuite::SUITE_17, CipherSuite::SUITE_16]);
        let ladder = Ladder::new(&strict.unwrap(), Some(CipherSuite::SUITE_3));
        assert_eq!(ladder.suite(), CipherSuite::SUITE_17);
        assert!(!ladder.has_offered(&[0, 1, 2, 3]));
    }

    #[test]
    fn quirks_change_what_is_asked() {
        let with = |quirk: Quirk| Ladder::new(&login().quirks(quirk.into()), None);
        assert_eq!(
            with(Quirk::HighestPrivilege).open_privilege(),
            Privilege::HIGHEST
        );
        let mut exact = with(Quirk::OpenSessionPrivilege);
        assert!(exact.after_open_session(Status::ILLEGAL_PARAMETER));
        assert_eq!(exact.suite(), CipherSuite::SUITE_3, "the privilege stays");
        let administrator = Role::by_name_and_privilege(Privilege::ADMINISTRATOR);
        assert_eq!(with(Quirk::NoNameOnly).role(), administrator);
    }

    #[test]
    fn the_offer_is_followed() {
        let mut ladder = Ladder::new(&login(), None);
        assert!(!ladder.follow(&[0, 17]));
        assert!(ladder.follow(&[0, 1, 3]));
        assert_eq!(ladder.suite(), CipherSuite::SUITE_3);
        assert!(!ladder.has_offered(&[0, 1]));
        let three = [17, 16, 3].map(|id| CipherSuite::try_from(id).unwrap());
        let mut ladder = Ladder::new(&login().cipher_suites(three).unwrap(), None);
        assert!(ladder.follow(&[3]));
        assert_eq!(ladder.tried(), [17, 3], "16 is not offered either");
    }

    #[test]
    fn a_name_that_one_suite_does_not_know_is_tried_with_the_next() {
        let mut ladder = Ladder::new(&login(), None);
        assert!(ladder.after_rakp1(Status::UNAUTHORIZED_NAME));
        assert_eq!(ladder.suite(), CipherSuite::SUITE_3);
        assert!(!ladder.after_rakp1(Status::UNAUTHORIZED_NAME));
    }
}
