//! Completion codes, §5.2.

use std::fmt;

/// The first byte of every response.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct CompletionCode(pub u8);

macro_rules! codes {
    ($($name:ident = $value:literal, $text:literal;)*) => {
        impl CompletionCode {
            $(#[doc = concat!("`", stringify!($value), "`: ", $text, ".")] pub const $name: Self = Self($value);)*

            /// The meaning of a generic code. Codes 80h to BEh have a meaning per command, 01h to 7Eh per vendor.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    Self(0x01..=0x7e) => "vendor-specific completion code",
                    Self(0x80..=0xbe) => "command-specific completion code",
                    _ => "unknown completion code",
                }
            }
        }
    };
}

codes! {
    OK = 0x00, "command completed normally";
    NODE_BUSY = 0xc0, "node busy";
    INVALID_COMMAND = 0xc1, "invalid command";
    INVALID_FOR_LUN = 0xc2, "command invalid for the given LUN";
    TIMEOUT = 0xc3, "timeout while processing the command";
    OUT_OF_SPACE = 0xc4, "out of space";
    RESERVATION_CANCELLED = 0xc5, "reservation cancelled or invalid";
    TRUNCATED = 0xc6, "request data truncated";
    INVALID_LENGTH = 0xc7, "request data length invalid";
    LENGTH_EXCEEDED = 0xc8, "request data field length limit exceeded";
    OUT_OF_RANGE = 0xc9, "parameter out of range";
    CANNOT_RETURN_LENGTH = 0xca, "cannot return the number of requested bytes";
    NOT_PRESENT = 0xcb, "requested sensor, data or record not present";
    INVALID_DATA_FIELD = 0xcc, "invalid data field in request";
    ILLEGAL_FOR_SENSOR = 0xcd, "command illegal for the sensor or record type";
    NO_RESPONSE = 0xce, "command response could not be provided";
    DUPLICATE = 0xcf, "cannot execute a duplicated request";
    SDR_UPDATE = 0xd0, "SDR repository in update mode";
    FIRMWARE_UPDATE = 0xd1, "device in firmware update mode";
    INITIALIZING = 0xd2, "BMC initialization in progress";
    DESTINATION_UNAVAILABLE = 0xd3, "destination unavailable";
    INSUFFICIENT_PRIVILEGE = 0xd4, "insufficient privilege level";
    WRONG_STATE = 0xd5, "command not supported in the present state";
    DISABLED = 0xd6, "command sub-function disabled or unavailable";
    UNSPECIFIED = 0xff, "unspecified error";
}

impl CompletionCode {
    /// Whether the command completed.
    pub const fn is_ok(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for CompletionCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:02X}h)", self.description(), self.0)
    }
}
