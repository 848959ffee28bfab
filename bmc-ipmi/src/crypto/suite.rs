//! Cipher suites, §22.15.2: which algorithms go together.

use std::fmt;

use crate::crypto::integrity::Integrity;
use crate::crypto::mac::Hash;
use crate::wire::{AuthenticationAlgorithm, ConfidentialityAlgorithm, IntegrityAlgorithm};

/// A cipher suite that this crate implements. Only such suites can be had, so no later step can meet another one.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct CipherSuite {
    id: u8,
    hash: Option<Hash>,
    integrity: Integrity,
    is_encrypted: bool,
}

macro_rules! suites {
    ($($name:ident = $id:literal, $hash:ident, $integrity:ident, $encrypted:literal, $text:literal;)*) => {
        impl CipherSuite {
            $(#[doc = $text] pub const $name: Self = Self {
                id: $id,
                hash: Some(Hash::$hash),
                integrity: Integrity::$integrity,
                is_encrypted: $encrypted,
            };)*
        }
    };
}

suites! {
    SUITE_1 = 1, Sha1, None, false, "RAKP-HMAC-SHA1; packets are neither authenticated nor encrypted.";
    SUITE_2 = 2, Sha1, HmacSha1_96, false, "RAKP-HMAC-SHA1, HMAC-SHA1-96; packets are not encrypted.";
    SUITE_3 = 3, Sha1, HmacSha1_96, true, "RAKP-HMAC-SHA1, HMAC-SHA1-96, AES-CBC-128.";
    SUITE_6 = 6, Md5, None, false, "RAKP-HMAC-MD5; packets are neither authenticated nor encrypted.";
    SUITE_7 = 7, Md5, HmacMd5_128, false, "RAKP-HMAC-MD5, HMAC-MD5-128; packets are not encrypted.";
    SUITE_8 = 8, Md5, HmacMd5_128, true, "RAKP-HMAC-MD5, HMAC-MD5-128, AES-CBC-128.";
    SUITE_11 = 11, Md5, Md5_128, false, "RAKP-HMAC-MD5, MD5-128; packets are not encrypted.";
    SUITE_12 = 12, Md5, Md5_128, true, "RAKP-HMAC-MD5, MD5-128, AES-CBC-128.";
    SUITE_15 = 15, Sha256, None, false, "RAKP-HMAC-SHA256; packets are neither authenticated nor encrypted.";
    SUITE_16 = 16, Sha256, HmacSha256_128, false, "RAKP-HMAC-SHA256, HMAC-SHA256-128; packets are not encrypted.";
    SUITE_17 = 17, Sha256, HmacSha256_128, true, "RAKP-HMAC-SHA256, HMAC-SHA256-128, AES-CBC-128.";
}

impl CipherSuite {
    /// The suites that a login tries by itself, strongest first.
    pub const AUTOMATIC: [Self; 2] = [Self::SUITE_17, Self::SUITE_3];
    /// All suites but 0, strongest first.
    pub const ALL: [Self; 11] = [
        Self::SUITE_17,
        Self::SUITE_3,
        Self::SUITE_8,
        Self::SUITE_12,
        Self::SUITE_16,
        Self::SUITE_2,
        Self::SUITE_7,
        Self::SUITE_11,
        Self::SUITE_15,
        Self::SUITE_1,
        Self::SUITE_6,
    ];
    /// Numbers of the suites with xRC4, which no BMC or console in use is known to implement correctly.
    pub const XRC4: [u8; 8] = [4, 5, 9, 10, 13, 14, 18, 19];

    /// Suite 0: any password is right, and nothing is protected. Everybody who reaches the BMC can do the same
    /// (CVE-2013-4782 and others); this is for finding such BMCs, and for BMCs in a laboratory.
    pub const fn danger_suite_0() -> Self {
        Self {
            id: 0,
            hash: None,
            integrity: Integrity::None,
            is_encrypted: false,
        }
    }

    /// The suite with this number; `None` if it is 0 or not implemented.
    pub fn from_id(id: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.id == id)
    }

    /// The suite that consists of these algorithms; `None` if it is suite 0 or not implemented.
    pub fn from_algorithms(
        authentication: AuthenticationAlgorithm,
        integrity: IntegrityAlgorithm,
        confidentiality: ConfidentialityAlgorithm,
    ) -> Option<Self> {
        let asked = (authentication, integrity, confidentiality);
        Self::ALL
            .into_iter()
            .find(|suite| suite.algorithms() == asked)
    }

    /// The number of the suite.
    pub const fn id(self) -> u8 {
        self.id
    }

    /// The authentication algorithm.
    pub const fn authentication(self) -> AuthenticationAlgorithm {
        match self.hash {
            None => AuthenticationAlgorithm::NONE,
            Some(Hash::Sha1) => AuthenticationAlgorithm::HMAC_SHA1,
            Some(Hash::Md5) => AuthenticationAlgorithm::HMAC_MD5,
            Some(Hash::Sha256) => AuthenticationAlgorithm::HMAC_SHA256,
        }
    }

    /// The integrity algorithm.
    pub const fn integrity(self) -> IntegrityAlgorithm {
        match self.integrity {
            Integrity::None => IntegrityAlgorithm::NONE,
            Integrity::HmacSha1_96 => IntegrityAlgorithm::HMAC_SHA1_96,
            Integrity::HmacMd5_128 => IntegrityAlgorithm::HMAC_MD5_128,
            Integrity::Md5_128 => IntegrityAlgorithm::MD5_128,
            Integrity::HmacSha256_128 => IntegrityAlgorithm::HMAC_SHA256_128,
        }
    }

    /// The confidentiality algorithm.
    pub const fn confidentiality(self) -> ConfidentialityAlgorithm {
        if self.is_encrypted {
            ConfidentialityAlgorithm::AES_CBC_128
        } else {
            ConfidentialityAlgorithm::NONE
        }
    }

    /// Whether each algorithm of this suite is at least as strong as that of `least`.
    ///
    /// SHA-256 is stronger than SHA-1, that than MD5, an HMAC than a plain hash, and everything than nothing.
    pub fn is_at_least(self, least: Self) -> bool {
        let [ours, theirs] = [self, least].map(|suite| {
            let hash = match suite.hash {
                None => 0,
                Some(Hash::Md5) => 1,
                Some(Hash::Sha1) => 2,
                Some(Hash::Sha256) => 3,
            };
            (hash, suite.integrity.strength(), suite.is_encrypted)
        });
        ours.0 >= theirs.0 && ours.1 >= theirs.1 && ours.2 >= theirs.2
    }

    /// Length of the key exchange authentication codes of RAKP Messages 2 and 3, in bytes.
    pub const fn key_exchange_length(self) -> usize {
        match self.hash {
            None => 0,
            Some(hash) => hash.length(),
        }
    }

    pub(crate) const fn algorithms(
        self,
    ) -> (
        AuthenticationAlgorithm,
        IntegrityAlgorithm,
        ConfidentialityAlgorithm,
    ) {
        (
            self.authentication(),
            self.integrity(),
            self.confidentiality(),
        )
    }

    /// The hash of the handshake; `None` for RAKP-none.
    pub(crate) const fn hash(self) -> Option<Hash> {
        self.hash
    }

    pub(crate) const fn integrity_scheme(self) -> Integrity {
        self.integrity
    }

    pub(crate) const fn is_encrypted(self) -> bool {
        self.is_encrypted
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_is_compared_algorithm_by_algorithm() {
        let at_least = |least: CipherSuite| {
            let all = CipherSuite::ALL.into_iter();
            all.filter(|suite| suite.is_at_least(least))
                .map(CipherSuite::id)
                .collect::<Vec<_>>()
        };
        assert_eq!(at_least(CipherSuite::SUITE_17), [17]);
        assert_eq!(at_least(CipherSuite::SUITE_3), [17, 3]);
        assert_eq!(at_least(CipherSuite::SUITE_2), [17, 3, 16, 2]);
        assert_eq!(at_least(CipherSuite::SUITE_15), [17, 16, 15]);
        assert_eq!(at_least(CipherSuite::danger_suite_0()).len(), 11);
        assert!(!CipherSuite::danger_suite_0().is_at_least(CipherSuite::SUITE_6));
    }

    #[test]
    fn suite_0_is_never_found_by_chance() {
        let (authentication, integrity, confidentiality) =
            CipherSuite::danger_suite_0().algorithms();
        assert_eq!(CipherSuite::from_id(0), None);
        assert_eq!(
            CipherSuite::from_algorithms(authentication, integrity, confidentiality),
            None
        );
        for suite in CipherSuite::ALL {
            assert_eq!(CipherSuite::from_id(suite.id()), Some(suite));
        }
        for id in CipherSuite::XRC4 {
            assert_eq!(CipherSuite::from_id(id), None);
        }
    }
}
