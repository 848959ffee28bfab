//! Security algorithms, §13.28.

use std::fmt;

macro_rules! algorithm {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $name:ident = $value:literal, $text:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub struct $type(u8);

        impl $type {
            $(#[doc = concat!($text, ".")] pub const $name: Self = Self($value);)*

            /// The algorithm in the low six bits of `value`.
            pub const fn new(value: u8) -> Self {
                Self(value & 0x3f)
            }

            /// The six bits.
            pub const fn value(self) -> u8 {
                self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Self::$name => f.write_str($text),)*
                    Self(other) => write!(f, "algorithm {other:02X}h"),
                }
            }
        }
    };
}

algorithm! {
    /// How the handshake proves the password, §13.28.
    AuthenticationAlgorithm {
        NONE = 0x00, "RAKP-none";
        HMAC_SHA1 = 0x01, "RAKP-HMAC-SHA1";
        HMAC_MD5 = 0x02, "RAKP-HMAC-MD5";
        HMAC_SHA256 = 0x03, "RAKP-HMAC-SHA256";
    }
}

algorithm! {
    /// How packets of a session are authenticated, §13.28.4.
    IntegrityAlgorithm {
        NONE = 0x00, "no integrity";
        HMAC_SHA1_96 = 0x01, "HMAC-SHA1-96";
        HMAC_MD5_128 = 0x02, "HMAC-MD5-128";
        MD5_128 = 0x03, "MD5-128";
        HMAC_SHA256_128 = 0x04, "HMAC-SHA256-128";
    }
}

algorithm! {
    /// How payloads of a session are encrypted, §13.28.5.
    ConfidentialityAlgorithm {
        NONE = 0x00, "no confidentiality";
        AES_CBC_128 = 0x01, "AES-CBC-128";
        XRC4_128 = 0x02, "xRC4-128";
        XRC4_40 = 0x03, "xRC4-40";
    }
}
