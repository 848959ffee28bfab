//! User IDs, and what cannot be a user's value.

use std::fmt;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader};
use crate::command::user::Password;
use crate::wire::Username;

/// Number of a user: six bits.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct UserId(u8);

/// A value that no user can have. The text names the field and what is allowed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UserValueError {
    /// User IDs begin at 1 and have six bits.
    #[error("user ID {0} does not exist: use 1 to 63")]
    Id(u8),
    /// The name is too long.
    #[error("user name is {0} bytes long: IPMI allows at most {max}", max = Username::MAX)]
    NameLength(usize),
    /// Names are padded with zeroes.
    #[error("user name has a zero byte, with which names are padded")]
    NameZero,
    /// The password is too long.
    #[error("password is {0} bytes long: IPMI allows at most {max}", max = Password::MAX)]
    PasswordLength(usize),
    /// Passwords are padded with zeroes.
    #[error("password ends with a zero byte, with which passwords are padded")]
    PasswordZero,
}

impl UserId {
    /// The user without a name, whose name cannot be changed.
    pub const NULL_USER: Self = Self(1);
    /// The highest number.
    pub const MAX: u8 = 0x3f;

    /// The user with this number.
    ///
    /// # Errors
    /// It is none of 1 to 63.
    pub const fn new(value: u8) -> Result<Self, UserValueError> {
        if value == 0 || value > Self::MAX {
            return Err(UserValueError::Id(value));
        }
        Ok(Self(value))
    }

    /// The number.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The low six bits; a BMC may send 0.
    pub(crate) const fn from_bits(value: u8) -> Self {
        Self(value & Self::MAX)
    }

    /// Reads a channel, four bits, and the user on it.
    pub(crate) fn decode_on_channel(r: &mut Reader<'_>) -> Result<(u8, Self), DecodeError> {
        let channel = r.u8("channel number")? & 0x0f;
        Ok((channel, Self::from_bits(r.u8("user ID")?)))
    }

    /// Appends a channel and the user on it.
    pub(crate) fn encode_on_channel(self, channel: u8, out: &mut impl BufMut) {
        out.put_slice(&[channel & 0x0f, self.0]);
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
