//! RMCP+ and RAKP status codes, §13.24.

use std::fmt;

/// The status byte of the session handshake's responses.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Status(pub u8);

macro_rules! codes {
    ($($name:ident = $value:literal, $text:literal;)*) => {
        impl Status {
            $(#[doc = concat!("`", stringify!($value), "`: ", $text, ".")] pub const $name: Self = Self($value);)*

            /// The meaning of the code.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    _ => "unknown RMCP+ status",
                }
            }
        }
    };
}

codes! {
    OK = 0x00, "no errors";
    INSUFFICIENT_RESOURCES = 0x01, "insufficient resources to create a session";
    INVALID_SESSION_ID = 0x02, "invalid session ID";
    INVALID_PAYLOAD_TYPE = 0x03, "invalid payload type";
    INVALID_AUTHENTICATION_ALGORITHM = 0x04, "invalid authentication algorithm";
    INVALID_INTEGRITY_ALGORITHM = 0x05, "invalid integrity algorithm";
    NO_MATCHING_AUTHENTICATION = 0x06, "no matching authentication payload";
    NO_MATCHING_INTEGRITY = 0x07, "no matching integrity payload";
    INACTIVE_SESSION_ID = 0x08, "inactive session ID";
    INVALID_ROLE = 0x09, "invalid role";
    UNAUTHORIZED_ROLE = 0x0a, "unauthorized role or privilege level requested";
    INSUFFICIENT_RESOURCES_FOR_ROLE = 0x0b, "insufficient resources to create a session at the requested role";
    INVALID_NAME_LENGTH = 0x0c, "invalid name length";
    UNAUTHORIZED_NAME = 0x0d, "unauthorized name";
    UNAUTHORIZED_GUID = 0x0e, "unauthorized GUID";
    INVALID_INTEGRITY_CHECK_VALUE = 0x0f, "invalid integrity check value";
    INVALID_CONFIDENTIALITY_ALGORITHM = 0x10, "invalid confidentiality algorithm";
    NO_CIPHER_SUITE_MATCH = 0x11, "no cipher suite match with the proposed security algorithms";
    ILLEGAL_PARAMETER = 0x12, "illegal or unrecognized parameter";
}

impl Status {
    /// Whether the step succeeded.
    pub const fn is_ok(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:02X}h)", self.description(), self.0)
    }
}
