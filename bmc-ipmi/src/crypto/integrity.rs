//! Integrity algorithms, §13.28.4: which part of a keyed hash authenticates a packet.

use crate::crypto::mac::{Hash, KeyedMac};
use crate::wire::AuthCode;

/// The AuthCode in the trailer of a session's packets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Integrity {
    HmacSha1_96,
    HmacSha256_128,
}

impl Integrity {
    /// Length of the AuthCode in bytes.
    pub(crate) const fn length(self) -> u8 {
        match self {
            Self::HmacSha1_96 => 12,
            Self::HmacSha256_128 => 16,
        }
    }

    /// Prepares the algorithm with K1.
    pub(crate) fn keyed(self, k1: &[u8]) -> KeyedIntegrity {
        let hash = match self {
            Self::HmacSha1_96 => Hash::Sha1,
            Self::HmacSha256_128 => Hash::Sha256,
        };
        KeyedIntegrity {
            mac: KeyedMac::new(hash, k1),
            length: self.length(),
        }
    }
}

/// An integrity algorithm with its key.
pub(crate) struct KeyedIntegrity {
    mac: KeyedMac,
    length: u8,
}

impl KeyedIntegrity {
    pub(crate) fn length(&self) -> usize {
        self.length.into()
    }

    /// The AuthCode of `covered`.
    pub(crate) fn code(&self, covered: &[u8]) -> AuthCode {
        self.mac.code(&[covered]).truncated(self.length)
    }

    /// Whether `code` authenticates `covered`, in constant time.
    pub(crate) fn verify(&self, covered: &[u8], code: &[u8]) -> bool {
        AuthCode::new(code).is_some_and(|code| self.code(covered) == code)
    }
}
