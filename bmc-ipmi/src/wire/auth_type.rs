//! Authentication types of IPMI v1.5, §13.6.

use std::fmt;

/// How a v1.5 message is authenticated: four bits.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct AuthType(u8);

impl AuthType {
    /// Not at all.
    pub const NONE: Self = Self(0);
    /// By the MD2 hash of password and message.
    pub const MD2: Self = Self(1);
    /// By the MD5 hash of password and message.
    pub const MD5: Self = Self(2);
    /// By the password itself.
    pub const STRAIGHT: Self = Self(4);
    /// In the vendor's own way.
    pub const OEM: Self = Self(5);

    /// The type in the low four bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x0f)
    }

    /// The four bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The bit of Get Channel Authentication Capabilities that stands for this type; 0 if there is none.
    pub const fn bit(self) -> u8 {
        if self.0 < 6 { 1 << self.0 } else { 0 }
    }

    /// Whether this crate can open sessions of this type.
    pub const fn is_supported(self) -> bool {
        matches!(self, Self::NONE | Self::MD2 | Self::MD5 | Self::STRAIGHT)
    }
}

impl fmt::Display for AuthType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => f.write_str("none"),
            Self::MD2 => f.write_str("MD2"),
            Self::MD5 => f.write_str("MD5"),
            Self::STRAIGHT => f.write_str("straight password"),
            Self::OEM => f.write_str("OEM"),
            Self(other) => write!(f, "{other:X}h"),
        }
    }
}
