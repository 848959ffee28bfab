//! Set User Name and Get User Name, §22.28 and §22.29.

use std::fmt;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::user::{UserId, UserValueError};
use crate::wire::{NetFn, Privilege, Username};

/// Gives a user a name; an empty one frees the place on many BMCs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetUserName {
    /// The user.
    pub user: UserId,
    /// The name.
    pub name: UserName,
}

/// Asks for a user's name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetUserName(pub UserId);

/// A name as the BMC keeps it: at most 16 bytes without zeroes; empty where the place is free.
#[derive(Clone, Copy, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct UserName([u8; Username::MAX]);

impl UserName {
    /// A name.
    ///
    /// # Errors
    /// It is longer than 16 bytes, or has a zero byte.
    pub fn new(name: &[u8]) -> Result<Self, UserValueError> {
        let mut padded = [0; Username::MAX];
        let field = padded.get_mut(..name.len());
        field
            .ok_or(UserValueError::NameLength(name.len()))?
            .copy_from_slice(name);
        if name.contains(&0) {
            return Err(UserValueError::NameZero);
        }
        Ok(Self(padded))
    }

    /// The name without padding.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }
}

impl fmt::Display for UserName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.as_bytes()))
    }
}

impl fmt::Debug for UserName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "UserName({:?})",
            String::from_utf8_lossy(self.as_bytes())
        )
    }
}

impl Wire for UserName {
    const NAME: &'static str = "Get User Name response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut name: [u8; Username::MAX] = r.array("user name")?;
        // What follows the first zero is no part of the name.
        let mut is_name = true;
        for byte in &mut name {
            is_name &= *byte != 0;
            if !is_name {
                *byte = 0;
            }
        }
        Ok(Self(name))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.0);
    }
}

impl Wire for SetUserName {
    const NAME: &'static str = "Set User Name";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            user: UserId::from_bits(r.u8("user ID")?),
            name: UserName::decode(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.user.value());
        self.name.encode(out);
    }
}

impl Command for SetUserName {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x45;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

impl Wire for GetUserName {
    const NAME: &'static str = "Get User Name";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("user ID").map(|id| Self(UserId::from_bits(id)))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0.value());
    }
}

impl Command for GetUserName {
    type Response = UserName;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x46;
    const IDEMPOTENT: bool = true;
    /// OpenBMC wants ADMINISTRATOR, to which a session is raised when it is refused.
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn names_that_do_not_fit_are_refused() {
        let longest = UserName::new(b"sixteen-letters!").unwrap();
        assert_eq!(longest.as_bytes().len(), 16);
        let error = UserName::new(b"seventeen-letters").unwrap_err();
        assert_eq!(
            error.to_string(),
            "user name is 17 bytes long: IPMI allows at most 16"
        );
        assert_eq!(UserName::new(b"a\0b"), Err(UserValueError::NameZero));
        assert!(UserName::new(b"").unwrap().is_empty());
    }

    #[test]
    fn bytes_behind_the_name_do_not_count() {
        let name = UserName::from_bytes(b"bob\0garbage\0\0\0\0\0").unwrap();
        assert_eq!(name, UserName::new(b"bob").unwrap());
        assert_eq!(name.to_string(), "bob");
    }
}
