//! What a BMC stores, as bytes and as meaning. No I/O.

pub mod text;
pub mod timestamp;

pub use text::{Text, TextEncoding, TextError};
pub use timestamp::Timestamp;
