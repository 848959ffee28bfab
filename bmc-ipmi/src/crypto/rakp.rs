//! Codes and key of the RAKP handshake, §13.31.

use crate::crypto::keys::SessionKeys;
use crate::crypto::mac::Hash;
use crate::crypto::suite::CipherSuite;
use crate::quirks::{Quirk, Quirks};
use crate::wire::{AuthCode, IntegrityAlgorithm, Role, Username};

/// Everything that both sides know once RAKP Message 2 has arrived. All codes are functions of it and of a key.
///
/// `password` is K_UID: at most 20 bytes, padding with zeroes makes no difference. `kg` is the BMC key K_G; without
/// one the password takes its place. With RAKP-none all codes are empty.
#[derive(Clone, Copy, Debug)]
pub struct RakpContext {
    /// The suite of the session.
    pub suite: CipherSuite,
    /// SID_M.
    pub console_session_id: u32,
    /// SID_C.
    pub bmc_session_id: u32,
    /// R_M.
    pub console_random: [u8; 16],
    /// R_C.
    pub bmc_random: [u8; 16],
    /// GUID_C.
    pub bmc_guid: [u8; 16],
    /// ROLE_M, as sent.
    pub role: Role,
    /// UNAME_M.
    pub username: Username,
    /// Where the BMC computes otherwise.
    pub quirks: Quirks,
}

impl RakpContext {
    /// Key exchange authentication code of RAKP Message 2: the BMC knows the password.
    pub fn rakp2_code(&self, password: &[u8]) -> AuthCode {
        self.hmac(
            self.key(password),
            &[
                &self.console_session_id.to_le_bytes(),
                &self.bmc_session_id.to_le_bytes(),
                &self.console_random,
                &self.bmc_random,
                &self.bmc_guid,
                &[self.hashed_role(), self.username.length()],
                self.username.as_bytes(),
            ],
        )
    }

    /// Key exchange authentication code of RAKP Message 3: the console knows the password.
    pub fn rakp3_code(&self, password: &[u8]) -> AuthCode {
        let role = if self.quirks.has(Quirk::IntelPlus) {
            self.role.privilege().value()
        } else {
            self.hashed_role()
        };
        let username = if self.quirks.has(Quirk::Intel20) {
            self.username.trimmed()
        } else {
            self.username
        };
        self.hmac(
            self.key(password),
            &[
                &self.bmc_random,
                &self.console_session_id.to_le_bytes(),
                &[role, username.length()],
                username.as_bytes(),
            ],
        )
    }

    /// The keys of the session.
    pub fn session_keys(&self, password: &[u8], kg: Option<&[u8]>) -> SessionKeys {
        let password = self.key(password);
        let sik = self.hmac(
            kg.unwrap_or(password),
            &[
                &self.console_random,
                &self.bmc_random,
                &[self.hashed_role(), self.username.length()],
                self.username.as_bytes(),
            ],
        );
        let mut keys = SessionKeys::derive(self.suite, sik, password);
        keys.pads_short = self.quirks.has(Quirk::IntegrityPad);
        keys
    }

    /// Integrity check value of RAKP Message 4: the BMC derived the same session integrity key.
    pub fn rakp4_code(&self, keys: &SessionKeys) -> AuthCode {
        let Some(hash) = self.check_value_hash() else {
            return AuthCode::EMPTY;
        };
        let code = hash.hmac(
            keys.expose_sik(),
            &[
                &self.console_random,
                &self.bmc_session_id.to_le_bytes(),
                &self.bmc_guid,
            ],
        );
        code.truncated(hash.check_value_length())
    }

    fn hmac(&self, key: &[u8], parts: &[&[u8]]) -> AuthCode {
        self.suite
            .hash()
            .map_or(AuthCode::EMPTY, |hash| hash.hmac(key, parts))
    }

    /// The part of the password that the BMC uses.
    fn key<'a>(&self, password: &'a [u8]) -> &'a [u8] {
        let is_cut = self.quirks.has(Quirk::Intel20) && self.suite.hash() == Some(Hash::Md5);
        let cut = password.get(..16).filter(|_| is_cut);
        cut.unwrap_or(password)
    }

    /// The role byte that enters the codes.
    fn hashed_role(&self) -> u8 {
        if self.quirks.has(Quirk::I82571Spt) {
            self.role.privilege().value()
        } else {
            self.role.0
        }
    }

    fn check_value_hash(&self) -> Option<Hash> {
        if !self.quirks.has(Quirk::IntelPlus) {
            return self.suite.hash();
        }
        match self.suite.integrity() {
            IntegrityAlgorithm::NONE => None,
            IntegrityAlgorithm::HMAC_SHA1_96 => Some(Hash::Sha1),
            IntegrityAlgorithm::HMAC_SHA256_128 => Some(Hash::Sha256),
            _ => Some(Hash::Md5),
        }
    }
}
