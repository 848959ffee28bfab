//! Commands: typed requests and responses, one command a file, both directions; a room for each chapter of the
//! specification.

use crate::codec::{DecodeError, Wire};
use crate::wire::{NetFn, Privilege};

pub mod app;
pub mod chassis;
pub mod dcmi;
pub mod event;
pub mod fru;
pub mod message;
pub mod sdr;
pub mod sel;
pub mod sensor;
pub mod session;

pub use app::*;
pub use chassis::*;
pub use dcmi::*;
pub use event::*;
pub use fru::*;
pub use message::*;
pub use sdr::*;
pub use sel::*;
pub use sensor::*;
pub use session::*;

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
}
