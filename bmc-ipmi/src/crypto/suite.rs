//! Cipher suites, §22.15.2: which algorithms go together.

use std::fmt;

use crate::crypto::integrity::Integrity;
use crate::crypto::mac::Hash;
use crate::wire::{AuthenticationAlgorithm, ConfidentialityAlgorithm, IntegrityAlgorithm};

/// A cipher suite that this crate implements. Only such suites can be had, so no later step can meet another one.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct CipherSuite {
    id: u8,
    hash: Hash,
    integrity: Integrity,
}

impl CipherSuite {
    /// RAKP-HMAC-SHA1, HMAC-SHA1-96, AES-CBC-128.
    pub const SUITE_3: Self = Self {
        id: 3,
        hash: Hash::Sha1,
        integrity: Integrity::HmacSha1_96,
    };
    /// RAKP-HMAC-SHA256, HMAC-SHA256-128, AES-CBC-128.
    pub const SUITE_17: Self = Self {
        id: 17,
        hash: Hash::Sha256,
        integrity: Integrity::HmacSha256_128,
    };
    /// All suites, strongest first.
    pub const ALL: [Self; 2] = [Self::SUITE_17, Self::SUITE_3];

    /// The suite with this number; `None` if it is not implemented.
    pub fn from_id(id: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.id == id)
    }

    /// The suite that consists of these algorithms; `None` if it is not implemented.
    pub fn from_algorithms(
        authentication: AuthenticationAlgorithm,
        integrity: IntegrityAlgorithm,
        confidentiality: ConfidentialityAlgorithm,
    ) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| {
            suite.authentication() == authentication
                && suite.integrity() == integrity
                && suite.confidentiality() == confidentiality
        })
    }

    /// The number of the suite.
    pub const fn id(self) -> u8 {
        self.id
    }

    /// The authentication algorithm.
    pub const fn authentication(self) -> AuthenticationAlgorithm {
        match self.hash {
            Hash::Sha1 => AuthenticationAlgorithm::HMAC_SHA1,
            Hash::Sha256 => AuthenticationAlgorithm::HMAC_SHA256,
        }
    }

    /// The integrity algorithm.
    pub const fn integrity(self) -> IntegrityAlgorithm {
        match self.integrity {
            Integrity::HmacSha1_96 => IntegrityAlgorithm::HMAC_SHA1_96,
            Integrity::HmacSha256_128 => IntegrityAlgorithm::HMAC_SHA256_128,
        }
    }

    /// The confidentiality algorithm.
    pub const fn confidentiality(self) -> ConfidentialityAlgorithm {
        ConfidentialityAlgorithm::AES_CBC_128
    }

    /// Length of the key exchange authentication codes of RAKP Messages 2 and 3, in bytes.
    pub const fn key_exchange_length(self) -> usize {
        self.hash.length()
    }

    pub(crate) const fn hash(self) -> Hash {
        self.hash
    }

    pub(crate) const fn integrity_scheme(self) -> Integrity {
        self.integrity
    }
}

impl fmt::Debug for CipherSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CipherSuite({})", self.id)
    }
}

/// Number and algorithms.
impl fmt::Display for CipherSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, authentication) = (self.id, self.authentication());
        let (integrity, confidentiality) = (self.integrity(), self.confidentiality());
        write!(f, "{id} ({authentication}, {integrity}, {confidentiality})")
    }
}
