//! IPMI.

pub mod codec;
pub mod command;
pub mod crypto;
pub mod wire;
