//! Privilege levels, §6.8, and the role byte of RAKP Message 1, §13.20.

use std::fmt;

/// A privilege level: four bits, ordered by power except for [`Privilege::HIGHEST`].
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Privilege(u8);

impl Privilege {
    /// In Open Session: the highest that the user and the suite allow. In Set Session Privilege Level: no change.
    pub const HIGHEST: Self = Self(0);
    /// Callback.
    pub const CALLBACK: Self = Self(1);
    /// User: may read.
    pub const USER: Self = Self(2);
    /// Operator: may also control the chassis.
    pub const OPERATOR: Self = Self(3);
    /// Administrator: may also configure.
    pub const ADMINISTRATOR: Self = Self(4);
    /// OEM.
    pub const OEM: Self = Self(5);

    /// The level in the low four bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x0f)
    }

    /// The four bits.
    pub const fn value(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Privilege {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::HIGHEST => f.write_str("highest"),
            Self::CALLBACK => f.write_str("callback"),
            Self::USER => f.write_str("user"),
            Self::OPERATOR => f.write_str("operator"),
            Self::ADMINISTRATOR => f.write_str("administrator"),
            Self::OEM => f.write_str("OEM"),
            Self(other) => write!(f, "privilege level {other:X}h"),
        }
    }
}

/// The role byte of RAKP Message 1: privilege and how the BMC looks the user up. It enters the key derivation as sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Role(pub u8);

impl Role {
    const NAME_ONLY: u8 = 0x10;

    /// Look the user up by name alone; BMCs that look up by name and privilege want the user's exact privilege.
    pub const fn by_name(privilege: Privilege) -> Self {
        Self(privilege.0 | Self::NAME_ONLY)
    }

    /// Look the user up by name and privilege: the BMC looks for a user with exactly this privilege.
    pub const fn by_name_and_privilege(privilege: Privilege) -> Self {
        Self(privilege.0)
    }

    /// The requested privilege.
    pub const fn privilege(self) -> Privilege {
        Privilege::new(self.0)
    }

    /// Whether the user is looked up by name alone.
    pub const fn is_by_name(self) -> bool {
        self.0 & Self::NAME_ONLY != 0
    }
}
