//! Keyed message authentication codes over several slices, on the stack.

use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use sha1::Sha1;
use sha2::Sha256;

use crate::wire::AuthCode;

/// The hash behind the HMACs of a suite.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Hash {
    Md5,
    Sha1,
    Sha256,
}

impl Hash {
    pub(crate) const fn length(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// How much of an HMAC RAKP Message 4 carries.
    pub(crate) const fn check_value_length(self) -> u8 {
        match self {
            Self::Md5 | Self::Sha256 => 16,
            Self::Sha1 => 12,
        }
    }

    /// HMAC of the concatenated parts under `key`.
    pub(crate) fn hmac(self, key: &[u8], parts: &[&[u8]]) -> AuthCode {
        KeyedMac::new(self, key).code(parts)
    }
}

/// An HMAC whose key is already absorbed.
pub(crate) enum KeyedMac {
    Md5(Hmac<Md5>),
    Sha1(Hmac<Sha1>),
    Sha256(Hmac<Sha256>),
}

impl KeyedMac {
    pub(crate) fn new(hash: Hash, key: &[u8]) -> Self {
        match hash {
            Hash::Md5 => Self::Md5(keyed(key)),
            Hash::Sha1 => Self::Sha1(keyed(key)),
            Hash::Sha256 => Self::Sha256(keyed(key)),
        }
    }

    /// The code of the concatenated parts.
    pub(crate) fn code(&self, parts: &[&[u8]]) -> AuthCode {
        match self {
            Self::Md5(mac) => finish(mac.clone(), parts),
            Self::Sha1(mac) => finish(mac.clone(), parts),
            Self::Sha256(mac) => finish(mac.clone(), parts),
        }
    }
}

#[expect(
    clippy::expect_used,
    reason = "HMAC hashes keys that are too long, so no length is wrong"
)]
fn keyed<M: KeyInit>(key: &[u8]) -> M {
    M::new_from_slice(key).expect("any key length")
}

fn finish<M: Mac>(mut mac: M, parts: &[&[u8]]) -> AuthCode {
    for part in parts {
        mac.update(part);
    }
    AuthCode::new(&mac.finalize().into_bytes()).unwrap_or(AuthCode::EMPTY)
}
