//! The MAC algorithms of the protocol and the keys for them.

use std::fmt;
use std::str::FromStr;

use bmc_core::Secret;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Sha256, Sha512};

use crate::config::ConfigError;

/// A MAC algorithm: HMAC (RFC 2104) with a SHA-2 hash.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Algorithm {
    /// HMAC-SHA-256.
    Sha256,
    /// HMAC-SHA-512.
    Sha512,
}

/// The secrets to sign with, or to accept. Several at a time allow to change one without a gap.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Keys(Vec<(Algorithm, Secret)>);

impl Algorithm {
    /// Every algorithm, in the order of their headers.
    pub const ALL: [Self; 2] = [Self::Sha256, Self::Sha512];

    /// The name in front of a signature: `sha256` or `sha512`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }

    /// What the name of a signature header ends with.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Sha256 => "-256",
            Self::Sha512 => "-512",
        }
    }

    /// The MAC of the parts, one after the other.
    pub(crate) fn mac(self, secret: &Secret, parts: &[&[u8]]) -> Vec<u8> {
        match self {
            Self::Sha256 => mac::<Hmac<Sha256>>(secret, parts),
            Self::Sha512 => mac::<Hmac<Sha512>>(secret, parts),
        }
    }
}

impl Keys {
    /// No keys: requests go out unsigned.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a secret behind those added before.
    pub fn secret(mut self, algorithm: Algorithm, secret: impl Into<Secret>) -> Self {
        self.0.push((algorithm, secret.into()));
        self
    }

    /// Adds the secrets of an algorithm given by name: `sha256`, `256`, `sha512` or `512`.
    ///
    /// # Errors
    /// There is no such algorithm, or no secret for it. bmclib sends such requests without a signature.
    pub fn named(self, algorithm: &str, secrets: Vec<Secret>) -> Result<Self, ConfigError> {
        let algorithm: Algorithm = algorithm.parse()?;
        if secrets.is_empty() {
            return Err(ConfigError::NoSecret { algorithm });
        }
        Ok(secrets
            .into_iter()
            .fold(self, |keys, secret| keys.secret(algorithm, secret)))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn of(&self, wanted: Algorithm) -> impl Iterator<Item = &Secret> {
        let of_wanted = move |(algorithm, _): &&(Algorithm, Secret)| *algorithm == wanted;
        self.0.iter().filter(of_wanted).map(|(_, secret)| secret)
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        for algorithm in Algorithm::ALL {
            if let Some(index) = self.of(algorithm).position(Secret::is_empty) {
                return Err(ConfigError::EmptySecret { algorithm, index });
            }
        }
        Ok(())
    }
}

#[expect(
    clippy::expect_used,
    reason = "HMAC hashes keys that are too long, so no length is wrong"
)]
fn mac<M: Mac + KeyInit>(secret: &Secret, parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(secret.expose()).expect("any key length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().to_vec()
}

impl FromStr for Algorithm {
    type Err = ConfigError;

    fn from_str(name: &str) -> Result<Self, ConfigError> {
        match name.to_ascii_lowercase().as_str() {
            "sha256" | "256" => Ok(Self::Sha256),
            "sha512" | "512" => Ok(Self::Sha512),
            _ => Err(ConfigError::Algorithm {
                name: name.chars().take(64).collect(),
            }),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
