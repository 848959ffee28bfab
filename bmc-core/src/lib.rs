#![doc = "placeholder"]
mod capability;
mod client;
mod endpoint;
mod error;
mod operation;
mod provider;
mod report;
mod secret;
mod tls;
mod vocabulary;

pub use capability::{
    BmcIdentity, BootControl, BootDevice, BootMode, BootOverride, BootReading, Identity, Nmi,
    Persistence, PowerAction, PowerControl, PowerState,
};
pub use client::{Bmc, BmcBuilder, Exchange, Lane};
pub use endpoint::{Endpoint, Host, InvalidEndpoint};
pub use error::{Effect, Error, ErrorKind};
pub use operation::{
    GetBootOverride, GetIdentity, GetPowerState, Operation, Repeat, SendNmi, SetBootOverride,
    SetPower,
};
pub use provider::{Provider, Session};
pub use report::{Attempt, Exhausted, Outcome, Report, Stage};
pub use secret::{Credentials, Secret};
pub use tls::TlsPolicy;
pub use vocabulary::UnknownWord;
#[cfg(feature = "testing")]
pub mod testing;
