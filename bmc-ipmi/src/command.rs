//! Commands: typed requests and responses, one command a file, both directions; a room for each chapter of the
//! specification.

use crate::codec::{DecodeError, Wire};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// A request without data.
macro_rules! without_data {
    ($request:ident, $name:literal) => {
        impl Wire for $request {
            const NAME: &'static str = $name;

            fn decode(_: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok(Self)
            }

            fn encode(&self, _: &mut impl BufMut) {}
        }
    };
}

/// An open code table: unknown values survive, known ones have a name and a text.
macro_rules! code_table {
    ($type:ident, $mask:literal, $what:literal: $($name:ident = $value:literal, $text:literal;)*) => {
        impl $type {
            $(#[doc = concat!("`", stringify!($value), "`: ", $text, ".")] pub const $name: Self = Self($value);)*

            /// The code in the low bits of `value`.
            pub const fn new(value: u8) -> Self {
                Self(value & $mask)
            }

            /// The bits.
            pub const fn value(self) -> u8 {
                self.0
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match *self {
                    $(Self::$name => f.write_str($text),)*
                    Self(other) => write!(f, concat!($what, " {:X}h"), other),
                }
            }
        }
    };
}

pub mod app;
pub mod channel;
pub mod chassis;
pub mod configuration;
pub mod dcmi;
pub mod event;
pub mod fru;
pub mod lan;
pub mod message;
pub mod oem;
pub mod payload;
pub mod sdr;
pub mod sel;
pub mod sensor;
pub mod session;
pub mod sol;
pub mod user;
pub mod watchdog;

pub use app::*;
pub use channel::*;
pub use chassis::*;
pub use configuration::*;
pub use dcmi::*;
pub use event::*;
pub use fru::*;
pub use lan::*;
pub use message::*;
pub use oem::*;
pub use payload::*;
pub use sdr::*;
pub use sel::*;
pub use sensor::*;
pub use session::*;
pub use sol::*;
pub use user::*;
pub use watchdog::*;

/// `bit` if it is set.
pub(crate) fn bit(is_set: bool, bit: u8) -> u8 {
    if is_set { bit } else { 0 }
}

/// The channel that a request arrives on.
pub const THIS_CHANNEL: u8 = 0x0e;

/// A command: the request's data is [`Wire`], the name is [`Wire::NAME`].
pub trait Command: Wire {
    /// The response's data behind the completion code.
    type Response: Wire;
    /// Network function of the request.
    const NETFN: NetFn;
    /// Command number.
    const CMD: u8;
    /// Whether executing a repeated request makes no difference.
    const IDEMPOTENT: bool;
    /// Lowest privilege at which a BMC executes it; [`Privilege::HIGHEST`] (0) for none.
    const PRIVILEGE: Privilege;

    /// Whether executing this request twice makes no difference, where it depends on the data.
    fn is_idempotent(&self) -> bool {
        Self::IDEMPOTENT
    }

    /// Reads the response's data. Bytes behind it are ignored, as BMCs send them.
    fn decode_response(data: &[u8]) -> Result<Self::Response, DecodeError> {
        Self::Response::from_prefix(data)
    }

    /// Reads the response's data if this completion code comes with them: 00h, and what else the command defines.
    fn decode_answer(
        code: CompletionCode,
        data: &[u8],
    ) -> Option<Result<Self::Response, DecodeError>> {
        code.is_ok().then(|| Self::decode_response(data))
    }
}
