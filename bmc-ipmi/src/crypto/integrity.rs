//! Integrity algorithms, §13.28.4: which part of a keyed hash authenticates a packet.

use md5::{Digest, Md5};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::crypto::mac::{Hash, KeyedMac};
use crate::wire::AuthCode;

/// The AuthCode in the trailer of a session's packets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Integrity {
    /// Packets have no trailer.
    None,
    HmacSha1_96,
    HmacMd5_128,
    /// MD5 with the password before and behind the packet.
    Md5_128,
    HmacSha256_128,
}

impl Integrity {
    /// Prepares the algorithm with K1, or with the password for the one that takes it. `None`: packets have no AuthCode.
    pub(crate) fn keyed(self, k1: &[u8], password: &[u8]) -> Option<KeyedIntegrity> {
        let (mac, length) = match self {
            Self::None => return None,
            Self::HmacSha1_96 => (Scheme::Hmac(KeyedMac::new(Hash::Sha1, k1)), 12),
            Self::HmacMd5_128 => (Scheme::Hmac(KeyedMac::new(Hash::Md5, k1)), 16),
            Self::HmacSha256_128 => (Scheme::Hmac(KeyedMac::new(Hash::Sha256, k1)), 16),
            Self::Md5_128 => (Scheme::Md5(padded(password)), 16),
        };
        Some(KeyedIntegrity { mac, length })
    }

    pub(crate) const fn strength(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Md5_128 => 1,
            Self::HmacMd5_128 => 2,
            Self::HmacSha1_96 => 3,
            Self::HmacSha256_128 => 4,
        }
    }
}

/// An integrity algorithm with its key.
pub(crate) struct KeyedIntegrity {
    mac: Scheme,
    length: u8,
}

enum Scheme {
    Hmac(KeyedMac),
    Md5(Zeroizing<[u8; 20]>),
}

impl KeyedIntegrity {
    pub(crate) fn length(&self) -> usize {
        self.length.into()
    }

    /// The AuthCode of `covered`.
    pub(crate) fn code(&self, covered: &[u8]) -> AuthCode {
        match &self.mac {
            Scheme::Hmac(mac) => mac.code(&[covered]).truncated(self.length),
            Scheme::Md5(password) => {
                let hash = Md5::new()
                    .chain_update(password.as_slice())
                    .chain_update(covered)
                    .chain_update(password.as_slice());
                AuthCode::new(&hash.finalize()).unwrap_or(AuthCode::EMPTY)
            }
        }
    }

    /// Whether `code` authenticates `covered`, in constant time.
    pub(crate) fn verify(&self, covered: &[u8], code: &[u8]) -> bool {
        self.code(covered).as_bytes().ct_eq(code).into()
    }
}

/// A password with zeroes behind it, up to its greatest length.
fn padded(password: &[u8]) -> Zeroizing<[u8; 20]> {
    let mut padded = Zeroizing::new([0; 20]);
    for (to, from) in padded.iter_mut().zip(password) {
        *to = *from;
    }
    padded
}
