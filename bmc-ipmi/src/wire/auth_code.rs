//! Message authentication codes on the wire: up to 32 bytes, compared in constant time.

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::codec::{DecodeError, Reader};

/// A key exchange authentication code or integrity check value; its length depends on the algorithm.
/// It can be wiped, for where a code is a key.
#[derive(Clone, Copy, Zeroize)]
pub struct AuthCode {
    bytes: [u8; Self::MAX],
    length: u8,
}

impl AuthCode {
    /// Longest code: HMAC-SHA256.
    pub const MAX: usize = 32;
    /// No code: algorithm "none".
    pub const EMPTY: Self = Self {
        bytes: [0; Self::MAX],
        length: 0,
    };

    /// A code of at most [`AuthCode::MAX`] bytes; `None` if there are more.
    pub fn new(code: &[u8]) -> Option<Self> {
        let mut bytes = [0; Self::MAX];
        bytes.get_mut(..code.len())?.copy_from_slice(code);
        let length = u8::try_from(code.len()).ok()?;
        Some(Self { bytes, length })
    }

    /// The first `length` bytes, or all if there are fewer.
    pub fn truncated(mut self, length: u8) -> Self {
        self.length = self.length.min(length);
        self
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }

    /// Reads everything up to the end of the message as a code.
    pub(crate) fn decode_rest(
        r: &mut Reader<'_>,
        field: &'static str,
    ) -> Result<Self, DecodeError> {
        let code = r.rest_within(Self::MAX, field)?;
        Ok(Self::new(code).unwrap_or(Self::EMPTY))
    }
}

/// In constant time, apart from the length.
impl PartialEq for AuthCode {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes().ct_eq(other.as_bytes()).into()
    }
}

impl Eq for AuthCode {}

/// Codes that enter the handshake can serve to guess a password, so the bytes are not shown.
impl fmt::Debug for AuthCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuthCode({} bytes)", self.length)
    }
}
