//! Codes and key of the RAKP handshake, §13.31.

use crate::crypto::keys::SessionKeys;
use crate::crypto::suite::CipherSuite;
use crate::wire::{AuthCode, Role, Username};

/// Everything that both sides know once RAKP Message 2 has arrived. All codes are functions of it and of a key.
///
/// `password` is K_UID: at most 20 bytes, padding with zeroes makes no difference. `kg` is the BMC key K_G; without
/// one the password takes its place.
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
}

impl RakpContext {
    /// Key exchange authentication code of RAKP Message 2: the BMC knows the password.
    pub fn rakp2_code(&self, password: &[u8]) -> AuthCode {
        self.suite.hash().hmac(
            password,
            &[
                &self.console_session_id.to_le_bytes(),
                &self.bmc_session_id.to_le_bytes(),
                &self.console_random,
                &self.bmc_random,
                &self.bmc_guid,
                &[self.role.0, self.username.length()],
                self.username.as_bytes(),
            ],
        )
    }

    /// Key exchange authentication code of RAKP Message 3: the console knows the password.
    pub fn rakp3_code(&self, password: &[u8]) -> AuthCode {
        self.suite.hash().hmac(
            password,
            &[
                &self.bmc_random,
                &self.console_session_id.to_le_bytes(),
                &[self.role.0, self.username.length()],
                self.username.as_bytes(),
            ],
        )
    }

    /// The keys of the session.
    pub fn session_keys(&self, password: &[u8], kg: Option<&[u8]>) -> SessionKeys {
        let sik = self.suite.hash().hmac(
            kg.unwrap_or(password),
            &[
                &self.console_random,
                &self.bmc_random,
                &[self.role.0, self.username.length()],
                self.username.as_bytes(),
            ],
        );
        SessionKeys::derive(self.suite, sik)
    }

    /// Integrity check value of RAKP Message 4: the BMC derived the same session integrity key.
    pub fn rakp4_code(&self, keys: &SessionKeys) -> AuthCode {
        let code = self.suite.hash().hmac(
            keys.expose_sik(),
            &[
                &self.console_random,
                &self.bmc_session_id.to_le_bytes(),
                &self.bmc_guid,
            ],
        );
        code.truncated(self.suite.integrity_scheme().length())
    }
}
