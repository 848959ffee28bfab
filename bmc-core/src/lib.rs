//! The words, the contract and the fallback that all `bmc-*` crates share.
//!
//! A *baseboard management controller* (BMC) is the small computer that switches a server on and off. It speaks IPMI,
//! Redfish, Intel AMT or something of its own, often several of them, each with its own defects. This crate knows none
//! of these protocols. It says what they have in common:
//!
//! * A [`Provider`] is one way to reach one BMC. Opened, it is a [`Session`].
//! * A session hands out *capabilities*: [`PowerControl`], [`BootControl`], [`EventLog`], [`Sensors`], [`Console`] and
//!   others. What it declares, it can do.
//! * An [`Operation`] is something to do with a capability, as a value: [`SetPower`], [`GetPowerState`], or your own.
//! * A [`Bmc`] is a cheap handle over an ordered list of providers. It carries operations out one at a time, keeps the
//!   sessions, falls back from one provider to the next, and never does twice what must not be done twice.
//! * Every answer comes with a [`Report`] of what was tried; every [`Error`] says what kind it is and whether the
//!   machine may have acted all the same.
//!
//! ```text
//!  your program ──> Bmc ──> queue ──> provider "redfish" ──> session ──> capability ──> BMC
//!                    (one task)   └──> provider "ipmi"    ──> session ──> capability ──┘
//! ```
//!
//! # Quickstart
//!
//! ```
//! use bmc_core::testing::memory::{Fault, MemoryBmc, Step};
//! use bmc_core::{Bmc, BootDevice, BootOverride, Exhausted, PowerAction};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Exhausted> {
//! // A machine in memory stands in for a real one; `bmc-ipmi` and its kin bring providers for those.
//! let machine = MemoryBmc::new();
//! let redfish = machine.provider("redfish");
//! redfish.fault(Step::Login, Fault::Unreachable);
//!
//! let bmc = Bmc::builder()
//!     .provider(redfish)
//!     .provider(machine.provider("ipmi"))
//!     .build();
//! bmc.set_boot_override(BootOverride::once(BootDevice::Pxe)).await?;
//! let done = bmc.set_power(PowerAction::On).await?;
//! println!("by {:?}, now {}", done.report.winner(), bmc.power_state().await?.value);
//! # assert_eq!(done.report.winner(), Some("ipmi"));
//! bmc.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! # A provider of your own
//!
//! ```
//! use std::sync::Arc;
//!
//! use async_trait::async_trait;
//! use bmc_core::{Bmc, Error, ErrorKind, PowerAction, PowerControl, PowerState, Provider, Session};
//! use tokio::time::Instant;
//!
//! #[derive(Debug)]
//! struct Socket; // A switchable power socket that is always on.
//!
//! #[async_trait]
//! impl Provider for Socket {
//!     fn name(&self) -> &'static str { "socket" }
//!     async fn open(&self, _deadline: Instant) -> Result<Arc<dyn Session>, Error> { Ok(Arc::new(Socket)) }
//! }
//!
//! #[async_trait]
//! impl Session for Socket {
//!     fn power(&self) -> Option<&dyn PowerControl> { Some(self) }
//!     async fn close(&self) {}
//! }
//!
//! #[async_trait]
//! impl PowerControl for Socket {
//!     async fn power_state(&self) -> Result<PowerState, Error> { Ok(PowerState::On) }
//!     async fn set_power(&self, action: PowerAction) -> Result<(), Error> {
//!         match action {
//!             PowerAction::On => Ok(()),
//!             _ => Err(Error::new(ErrorKind::Unsupported, "a socket can only be on")),
//!         }
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let bmc = Bmc::builder().provider(Socket).build();
//! assert_eq!(bmc.power_state().await.unwrap().value, PowerState::On);
//!
//! let failed = bmc.set_power(PowerAction::Off).await.unwrap_err();
//! assert!(failed.to_string().starts_with("power off failed: socket: a socket can only be on"));
//! # }
//! ```
//!
//! The contract is written at [`Provider`], [`Session`] and the capabilities; `testing::conformance` checks it.
//!
//! # The crates
//!
//! | Crate | What it is |
//! |---|---|
//! | `bmc-core` | this one |
//! | `bmc-ipmi` | the provider for IPMI over LAN (RMCP, RMCP+), in pure Rust |
//! | `bmc-rpc` | the provider for webhooks: power sockets, hypervisors, anything that answers HTTP; and for Home Assistant |
//! | `rufio-operator` | power and boot of machines as Kubernetes objects, and without a cluster |
//!
//! # Features
//!
//! | Feature | Default | What it adds |
//! |---|---|---|
//! | `http` | no | `http`: the client of the providers that speak HTTP; brings TLS (rustls with ring) |
//! | `testing` | no | `testing`: a BMC in memory with faults on demand, and the conformance suite |
//!
//! Time is tokio's throughout: on a paused clock a [`Bmc`] runs in virtual time, and the same faults give the same report.

mod capability;
mod client;
mod endpoint;
mod error;
#[cfg(feature = "http")]
pub mod http;
mod operation;
mod provider;
mod report;
mod secret;
#[cfg(feature = "testing")]
pub mod testing;
mod timestamp;
mod tls;
mod vocabulary;

pub use capability::{
    BmcControl, BmcIdentity, BmcReset, BootControl, BootDevice, BootMode, BootOverride,
    BootReading, Component, ComponentKind, Console, ConsoleOptions, ConsoleStream, Event, EventLog,
    EventLogInfo, EventMarker, EventPage, Identify, IdentifyAction, IdentifyLight, Identity,
    InvalidMediaSource, Inventory, MediaKind, MediaSource, Nmi, Persistence, PowerAction,
    PowerControl, PowerState, Restart, RestartCause, RestartRecord, Sensor, SensorStatus, Sensors,
    Severity, Thresholds, User, UserRole, UserSettings, Users, VirtualMedia,
};
pub use client::{Bmc, BmcBuilder, Evidence, Exchange, Lane};
pub use endpoint::{Endpoint, Host, InvalidEndpoint};
pub use error::{Effect, Error, ErrorKind};
pub use operation::{
    ActionId, Argument, ClearEvents, DeleteUser, EjectVirtualMedia, ForAction, GetBootOverride,
    GetEventLog, GetEvents, GetIdentifyLight, GetIdentity, GetInventory, GetLastRestart,
    GetPowerState, GetSensors, GetUsers, GetVirtualMedia, OpenConsole, Operation, Repeat, ResetBmc,
    SendNmi, SetBootOverride, SetIdentify, SetPower, SetUser, SetUserEnabled, SetVirtualMedia,
};
pub use provider::{Provider, Session};
pub use report::{Attempt, Exhausted, Outcome, Report, Stage};
pub use secret::{Credentials, Secret};
pub use timestamp::{InvalidTimestamp, Timestamp};
pub use tls::TlsPolicy;
pub use vocabulary::UnknownWord;
