//! What a login needs to know, checked before anything is sent.

mod kg;

use bmc_core::{Credentials, Secret};

use crate::crypto::CipherSuite;
use crate::quirks::Quirks;
use crate::wire::{AuthType, Privilege, Username};

pub use kg::Kg;

/// Longest password in bytes (IPMI v2.0, §22.30).
const MAX_PASSWORD: usize = 20;
/// Longest password of IPMI v1.5 in bytes.
const MAX_PASSWORD_V15: usize = 16;
/// Longest BMC key in bytes, §13.33.
const MAX_KG: usize = 20;

/// Who logs in and what is acceptable. Checked; secrets are redacted and wiped.
#[derive(Clone, Debug)]
pub struct Login {
    pub(crate) username: Username,
    pub(crate) password: Secret,
    pub(crate) kg: Option<Secret>,
    /// In order of preference; at least one.
    pub(crate) suites: Vec<CipherSuite>,
    pub(crate) privilege: Option<Privilege>,
    pub(crate) quirks: Quirks,
    /// An IPMI v1.5 session with this authentication type; else RMCP+.
    pub(crate) v15: Option<AuthType>,
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
    /// The password is too long for IPMI v1.5.
    #[error("password is {length} bytes long: IPMI v1.5 allows at most 16")]
    PasswordV15 {
        /// Its length.
        length: usize,
    },
    /// The BMC key is too long.
    #[error("BMC key Kg is {length} bytes long: IPMI allows at most 20")]
    Kg {
        /// Its length.
        length: usize,
    },
    /// The BMC key is not what its form says.
    #[error("BMC key Kg begins with 0x, so pairs of hexadecimal digits must follow")]
    KgDigits,
    /// The cipher suite does not exist, is not supported or protects nothing.
    #[error("cipher suite {id} {}: use one of {}", why_not(*.id), supported())]
    CipherSuite {
        /// Its number.
        id: u8,
    },
    /// No cipher suite may be used.
    #[error(
        "the list of cipher suites is empty: name at least one of {}",
        supported()
    )]
    NoCipherSuite,
    /// The authentication type of IPMI v1.5 is not supported.
    #[error(
        "IPMI v1.5 authentication type {auth_type} is not supported: use none, MD2, MD5 or straight password"
    )]
    AuthType {
        /// The type.
        auth_type: AuthType,
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
    /// A login with these credentials, as ADMINISTRATOR or else OPERATOR or USER, with suite 17 or else 3.
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
            suites: CipherSuite::AUTOMATIC.to_vec(),
            privilege: None,
            quirks: Quirks::NONE,
            v15: None,
        })
    }

    /// Insists on one suite.
    #[must_use]
    pub fn cipher_suite(mut self, suite: CipherSuite) -> Self {
        self.suites = vec![suite];
        self
    }

    /// Allows these suites, to be tried in this order, and no others. Suites 17 and 3 are the default.
    ///
    /// # Errors
    /// There is none.
    pub fn cipher_suites(
        mut self,
        suites: impl IntoIterator<Item = CipherSuite>,
    ) -> Result<Self, ConfigError> {
        self.suites.clear();
        for suite in suites {
            if !self.suites.contains(&suite) {
                self.suites.push(suite);
            }
        }
        if self.suites.is_empty() {
            return Err(ConfigError::NoCipherSuite);
        }
        Ok(self)
    }

    /// Allows all suites whose algorithms are each at least as strong as those of `least`, strongest first.
    #[must_use]
    pub fn minimum_cipher_suite(mut self, least: CipherSuite) -> Self {
        let all = CipherSuite::ALL.into_iter();
        self.suites = all.filter(|suite| suite.is_at_least(least)).collect();
        if !self.suites.contains(&least) {
            self.suites.push(least);
        }
        self
    }

    /// Opens an IPMI v1.5 session, which is never encrypted, instead of an RMCP+ one; for BMCs that know no better.
    ///
    /// The password is at most 16 bytes. With [`AuthType::STRAIGHT`] everybody on the way can read it, with
    /// [`AuthType::NONE`] anybody can take the session over, and MD2 and MD5 are weak.
    ///
    /// # Errors
    /// The password is longer, or the type is none of NONE, MD2, MD5 and STRAIGHT.
    pub fn v15(mut self, auth_type: AuthType) -> Result<Self, ConfigError> {
        let length = self.password.len();
        if length > MAX_PASSWORD_V15 {
            return Err(ConfigError::PasswordV15 { length });
        }
        if !auth_type.is_supported() {
            return Err(ConfigError::AuthType { auth_type });
        }
        self.v15 = Some(auth_type);
        Ok(self)
    }

    /// Bears with these deviations of the BMC.
    #[must_use]
    pub fn quirks(mut self, quirks: Quirks) -> Self {
        self.quirks = quirks;
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

fn why_not(id: u8) -> &'static str {
    match id {
        0 => "protects nothing and needs CipherSuite::danger_suite_0",
        id if CipherSuite::XRC4.contains(&id) => "is not supported, as it needs xRC4",
        _ => "is not supported",
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
            "cipher suite 4 is not supported, as it needs xRC4: use one of 17, 3, 8, 12, 16, 2, 7, 11, 15, 1, 6"
        );
        let unknown = CipherSuite::try_from(20).unwrap_err().to_string();
        assert!(unknown.starts_with("cipher suite 20 is not supported: "));
        let zero = CipherSuite::try_from(0).unwrap_err().to_string();
        assert!(zero.contains("danger_suite_0"), "{zero}");
        let login = || Login::new(&Credentials::new("admin", "0123456789abcdefg")).unwrap();
        assert_eq!(
            login().v15(AuthType::MD5).unwrap_err().to_string(),
            "password is 17 bytes long: IPMI v1.5 allows at most 16"
        );
        assert_eq!(
            login().cipher_suites([]).unwrap_err(),
            ConfigError::NoCipherSuite
        );
        let login = || Login::new(&Credentials::new("admin", "p")).unwrap();
        assert!(login().v15(AuthType::OEM).is_err());
        assert!(login().privilege(Privilege::CALLBACK).is_err());
        assert!(login().kg(Secret::new([0; 20])).unwrap().kg.is_none());
        assert!(login().kg(Secret::new([1; 21])).is_err());
    }
    #[test]
    fn a_minimum_leaves_out_what_is_weaker() {
        let login = || Login::new(&Credentials::new("admin", "p")).unwrap();
        let ids = |login: Login| {
            login
                .suites
                .iter()
                .map(|suite| suite.id())
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(login()), [17, 3]);
        assert_eq!(
            ids(login().minimum_cipher_suite(CipherSuite::SUITE_3)),
            [17, 3]
        );
        assert_eq!(
            ids(login().minimum_cipher_suite(CipherSuite::SUITE_16)),
            [17, 16]
        );
        let all = ids(login().minimum_cipher_suite(CipherSuite::danger_suite_0()));
        assert_eq!((all.len(), all.last()), (12, Some(&0)));
    }
}
