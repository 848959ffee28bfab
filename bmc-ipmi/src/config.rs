//! What a login needs to know, checked before anything is sent.

use bmc_core::{Credentials, Secret};

use crate::crypto::CipherSuite;
use crate::wire::{Privilege, Username};

/// Longest password in bytes (IPMI v2.0, §22.30).
const MAX_PASSWORD: usize = 20;
/// Longest BMC key in bytes, §13.33.
const MAX_KG: usize = 20;

/// Who logs in and what is acceptable. Checked; secrets are redacted and wiped.
#[derive(Debug)]
pub struct Login {
    pub(crate) username: Username,
    pub(crate) password: Secret,
    pub(crate) kg: Option<Secret>,
    pub(crate) suite: Option<CipherSuite>,
    pub(crate) privilege: Option<Privilege>,
}

/// Settings that cannot be used. The text names the field and what is allowed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The user name is too long.
    #[error("user name is {length} bytes long: IPMI allows at most 16")]
    Username {
        /// Its length.
        length: usize,
    },
    /// The password is too long.
    #[error("password is {length} bytes long: IPMI allows at most 20")]
    Password {
        /// Its length.
        length: usize,
    },
    /// The BMC key is too long.
    #[error("BMC key Kg is {length} bytes long: IPMI allows at most 20")]
    Kg {
        /// Its length.
        length: usize,
    },
    /// The cipher suite does not exist or is not supported.
    #[error("cipher suite {id} is not supported: use one of {}", supported())]
    CipherSuite {
        /// Its number.
        id: u8,
    },
    /// The privilege is not one that a session can be opened at.
    #[error(
        "privilege {value} cannot be asked for: use 2 (user), 3 (operator) or 4 (administrator)"
    )]
    Privilege {
        /// Its number.
        value: u8,
    },
}

impl Login {
    /// A login with these credentials, as ADMINISTRATOR or else OPERATOR, with the strongest suite that the BMC offers.
    ///
    /// # Errors
    /// User name or password are longer than IPMI allows.
    pub fn new(credentials: &Credentials) -> Result<Self, ConfigError> {
        let name = credentials.username.as_bytes();
        let username = Username::new(name).ok_or(ConfigError::Username { length: name.len() })?;
        let length = credentials.password.len();
        if length > MAX_PASSWORD {
            return Err(ConfigError::Password { length });
        }
        Ok(Self {
            username,
            password: credentials.password.clone(),
            kg: None,
            suite: None,
            privilege: None,
        })
    }

    /// Insists on one suite.
    #[must_use]
    pub fn cipher_suite(mut self, suite: CipherSuite) -> Self {
        self.suite = Some(suite);
        self
    }

    /// Insists on one privilege.
    ///
    /// # Errors
    /// It is none of USER, OPERATOR and ADMINISTRATOR.
    pub fn privilege(mut self, privilege: Privilege) -> Result<Self, ConfigError> {
        if privilege < Privilege::USER || privilege > Privilege::ADMINISTRATOR {
            let value = privilege.value();
            return Err(ConfigError::Privilege { value });
        }
        self.privilege = Some(privilege);
        Ok(self)
    }

    /// Uses the BMC key Kg. All zeroes mean that the BMC has none.
    ///
    /// # Errors
    /// It is longer than IPMI allows.
    pub fn kg(mut self, kg: Secret) -> Result<Self, ConfigError> {
        let length = kg.len();
        if length > MAX_KG {
            return Err(ConfigError::Kg { length });
        }
        self.kg = kg.expose().iter().any(|byte| *byte != 0).then_some(kg);
        Ok(self)
    }
}

/// By number: `CipherSuite::try_from(17)`.
impl TryFrom<u8> for CipherSuite {
    type Error = ConfigError;

    fn try_from(id: u8) -> Result<Self, ConfigError> {
        Self::from_id(id).ok_or(ConfigError::CipherSuite { id })
    }
}

fn supported() -> String {
    CipherSuite::ALL
        .map(|suite| suite.id().to_string())
        .join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn limits_are_named() {
        let long_name = Credentials::new("seventeen-letters", "p");
        assert_eq!(
            Login::new(&long_name).unwrap_err().to_string(),
            "user name is 17 bytes long: IPMI allows at most 16"
        );
        let long_password = Credentials::new("admin", "0123456789abcdefghijk");
        assert_eq!(
            Login::new(&long_password).unwrap_err(),
            ConfigError::Password { length: 21 }
        );
        assert_eq!(
            CipherSuite::try_from(4).unwrap_err().to_string(),
            "cipher suite 4 is not supported: use one of 17, 3"
        );
        let login = || Login::new(&Credentials::new("admin", "p")).unwrap();
        assert!(login().privilege(Privilege::CALLBACK).is_err());
        assert!(login().kg(Secret::new([0; 20])).unwrap().kg.is_none());
        assert!(login().kg(Secret::new([1; 21])).is_err());
    }
}
