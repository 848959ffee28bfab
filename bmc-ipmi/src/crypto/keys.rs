//! Keys of a session, §13.32.

use std::fmt;

use zeroize::Zeroize;

use crate::crypto::confidentiality::AesCbc;
use crate::crypto::integrity::KeyedIntegrity;
use crate::crypto::suite::CipherSuite;
use crate::wire::AuthCode;

/// The session integrity key, the keys derived from it, and both algorithms prepared with them.
///
/// Not clonable, not printable, wiped on drop.
pub struct SessionKeys {
    suite: CipherSuite,
    sik: Key,
    k1: Key,
    k2: Key,
    /// `None` if packets are not authenticated.
    pub(crate) integrity: Option<KeyedIntegrity>,
    /// `None` if payloads are not encrypted.
    pub(crate) aes: Option<AesCbc>,
    /// [`Quirk::IntegrityPad`](crate::quirks::Quirk::IntegrityPad).
    pub(crate) pads_short: bool,
}

impl SessionKeys {
    /// Derives K1 and K2 from the session integrity key. `password` is the key of MD5-128.
    pub(crate) fn derive(suite: CipherSuite, mut sik: AuthCode, password: &[u8]) -> Self {
        // §13.32: 20 bytes for every algorithm, whatever the length of its digest.
        let expand = |byte: u8| match suite.hash() {
            Some(hash) => hash.hmac(sik.as_bytes(), &[&[byte; 20]]),
            None => AuthCode::EMPTY,
        };
        let (mut k1, mut k2) = (expand(0x01), expand(0x02));
        // The hash of every suite that encrypts is long enough for an AES key.
        let mut aes_key = k2.as_bytes().first_chunk().copied().unwrap_or_default();
        let keys = Self {
            suite,
            integrity: suite.integrity_scheme().keyed(k1.as_bytes(), password),
            aes: suite.is_encrypted().then(|| AesCbc::new(&aes_key)),
            pads_short: false,
            sik: Key(sik),
            k1: Key(k1),
            k2: Key(k2),
        };
        for code in [&mut sik, &mut k1, &mut k2] {
            code.zeroize();
        }
        aes_key.zeroize();
        keys
    }

    /// The suite that the keys belong to.
    pub fn suite(&self) -> CipherSuite {
        self.suite
    }

    /// The session integrity key, empty with RAKP-none; every call is a place to review.
    pub fn expose_sik(&self) -> &[u8] {
        self.sik.0.as_bytes()
    }

    /// K1, the key of the integrity algorithm; every call is a place to review.
    pub fn expose_k1(&self) -> &[u8] {
        self.k1.0.as_bytes()
    }

    /// K2, whose first 16 bytes are the key of the confidentiality algorithm; every call is a place to review.
    pub fn expose_k2(&self) -> &[u8] {
        self.k2.0.as_bytes()
    }
}

impl fmt::Debug for SessionKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionKeys")
            .field("suite", &self.suite)
            .finish_non_exhaustive()
    }
}

/// A code that is a key, wiped on drop.
struct Key(AuthCode);

impl Drop for Key {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
