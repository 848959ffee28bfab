//! IPMI.

mod client;
pub mod codec;
pub mod command;
mod config;
pub mod crypto;
mod error;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
pub mod proto;
mod provider;
#[cfg(feature = "sim")]
pub mod sim;
mod transport;
pub mod wire;

pub use client::Client;
pub use config::{ConfigError, Login};
pub use error::{Error, Step};
pub use provider::{IpmiProvider, IpmiProviderBuilder};
pub use transport::{Transport, TransportBuilder};
