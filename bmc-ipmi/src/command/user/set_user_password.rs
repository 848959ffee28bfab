//! Set User Password, §22.30.

use std::fmt;

use bmc_core::Secret;
use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};
use crate::command::user::{UserId, UserValueError};
use crate::command::{Command, bit};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Sets or tests a user's password, or enables or disables the user.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetUserPassword {
    /// The user.
    pub user: UserId,
    /// What to do.
    pub operation: PasswordOperation,
}

/// What [`SetUserPassword`] does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PasswordOperation {
    /// The user cannot log in any more.
    Disable,
    /// The user can log in.
    Enable,
    /// The user has this password from now on.
    Set(Password),
    /// The BMC says whether this is the password.
    Test(Password),
}

/// A password in one of the two forms that BMCs keep.
#[derive(Clone, Eq, PartialEq)]
pub struct Password {
    bytes: Secret,
    is_long: bool,
}

impl SetUserPassword {
    /// Completion code of a test: it is another password.
    pub const WRONG: CompletionCode = CompletionCode(0x80);
    /// Completion code of a test: the BMC keeps the password in the other form.
    pub const OTHER_FORM: CompletionCode = CompletionCode(0x81);
    const LONG: u8 = 0x80;
}

impl Password {
    /// Longest password in bytes.
    pub const MAX: usize = 20;
    /// Longest password of the short form, the only one that serves IPMI v1.5 as well.
    pub const SHORT: usize = 16;

    /// A password in the short form if it fits.
    ///
    /// # Errors
    /// It is longer than 20 bytes, or ends with a zero byte.
    pub fn new(password: impl Into<Secret>) -> Result<Self, UserValueError> {
        let bytes = password.into();
        if bytes.len() > Self::MAX {
            return Err(UserValueError::PasswordLength(bytes.len()));
        }
        if bytes.expose().last() == Some(&0) {
            return Err(UserValueError::PasswordZero);
        }
        let is_long = bytes.len() > Self::SHORT;
        Ok(Self { bytes, is_long })
    }

    /// The same password in the long form, which does not serve IPMI v1.5.
    #[must_use]
    pub fn in_long_form(self) -> Self {
        Self {
            is_long: true,
            ..self
        }
    }

    /// Whether it is kept in 20 bytes, not 16.
    pub fn is_long(&self) -> bool {
        self.is_long
    }

    /// The password without padding.
    pub fn secret(&self) -> &Secret {
        &self.bytes
    }

    fn field(is_long: bool) -> usize {
        if is_long { Self::MAX } else { Self::SHORT }
    }

    fn decode(r: &mut Reader<'_>, is_long: bool) -> Result<Self, DecodeError> {
        let field = r.take(Self::field(is_long), "password")?;
        let length = field
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        let bytes = Secret::new(field.get(..length).unwrap_or_default());
        Ok(Self { bytes, is_long })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(self.bytes.expose());
        let padding = Self::field(self.is_long).saturating_sub(self.bytes.len());
        out.put_bytes(0, padding);
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

impl PasswordOperation {
    const DISABLE: u8 = 0;
    const ENABLE: u8 = 1;
    const SET: u8 = 2;
    const TEST: u8 = 3;

    fn parts(&self) -> (u8, Option<&Password>) {
        match self {
            Self::Disable => (Self::DISABLE, None),
            Self::Enable => (Self::ENABLE, None),
            Self::Set(password) => (Self::SET, Some(password)),
            Self::Test(password) => (Self::TEST, Some(password)),
        }
    }
}

impl Wire for SetUserPassword {
    const NAME: &'static str = "Set User Password";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let first = r.u8("user ID")?;
        let is_long = first & Self::LONG != 0;
        let operation = match r.u8("operation")? & 0x03 {
            PasswordOperation::SET => PasswordOperation::Set(Password::decode(r, is_long)?),
            PasswordOperation::TEST => PasswordOperation::Test(Password::decode(r, is_long)?),
            other => {
                // Other clients send a field of zeroes.
                let length = r.remaining();
                if length > Password::MAX {
                    let maximum = Password::MAX;
                    return Err(r.error("password", DecodeErrorKind::Long { length, maximum }));
                }
                r.rest();
                match other {
                    PasswordOperation::ENABLE => PasswordOperation::Enable,
                    _ => PasswordOperation::Disable,
                }
            }
        };
        Ok(Self {
            user: UserId::from_bits(first),
            operation,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let (operation, password) = self.operation.parts();
        let is_long = password.is_some_and(Password::is_long);
        out.put_slice(&[self.user.value() | bit(is_long, Self::LONG), operation]);
        if let Some(password) = password {
            password.encode(out);
        }
    }
}

impl Command for SetUserPassword {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x47;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;

    #[test]
    fn the_form_follows_the_length() {
        let user = UserId::new(3).unwrap();
        let set = |password: &str| SetUserPassword {
            user,
            operation: PasswordOperation::Set(Password::new(password).unwrap()),
        };
        let short = set("sixteen-letters!").to_bytes();
        assert_eq!((short.len(), &short[..2]), (18, &[0x03, 0x02][..]));
        let long = set("seventeen-letters").to_bytes();
        assert_eq!((long.len(), &long[..2]), (22, &[0x83, 0x02][..]));
        assert_eq!(long[19..], [0, 0, 0]);
        let enable = SetUserPassword {
            user,
            operation: PasswordOperation::Enable,
        };
        assert_eq!(enable.to_bytes(), [0x03, 0x01]);
        let padded = [&[0x03, 0x01][..], &[0; 16]].concat();
        assert_eq!(SetUserPassword::from_bytes(&padded), Ok(enable));
    }

    #[test]
    fn passwords_that_do_not_fit_are_refused_and_none_is_shown() {
        let error = Password::new("twenty-one characters").unwrap_err();
        assert_eq!(
            error.to_string(),
            "password is 21 bytes long: IPMI allows at most 20"
        );
        assert_eq!(
            Password::new("zero\0").unwrap_err(),
            UserValueError::PasswordZero
        );
        let password = Password::new("hunter2").unwrap();
        let command = SetUserPassword {
            user: UserId::new(2).unwrap(),
            operation: PasswordOperation::Test(password),
        };
        assert!(!format!("{command:?}").contains("hunter2"));
    }
}
