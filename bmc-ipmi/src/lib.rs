//! IPMI v2.0 over LAN (RMCP+): a client, a provider for `bmc-core`, and a simulated BMC.
//!
//! ```no_run
//! use bmc_core::{Bmc, BootDevice, BootOverride, Credentials, Endpoint, PowerAction};
//! use bmc_ipmi::{IpmiProvider, Transport};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let transport = Transport::new(); // share it: four sockets serve thousands of BMCs
//! let endpoint = Endpoint::parse("192.0.2.7", IpmiProvider::PORT)?;
//! let ipmi = IpmiProvider::builder(endpoint, Credentials::new("admin", "secret"))
//!     .transport(&transport)
//!     .build()?;
//!
//! let bmc = Bmc::builder().provider(ipmi).build();
//! bmc.set_boot_override(BootOverride::once(BootDevice::Pxe)).await?;
//! bmc.set_power(PowerAction::Cycle).await?;
//! println!("{}", bmc.power_state().await?.value);
//! bmc.close().await;
//! # Ok(()) }
//! ```
//!
//! # A guided tour
//!
//! What bmc-core has a word for goes through a [`Bmc`](bmc_core::Bmc): it queues, falls back to other providers, and never
//! does twice what must not be done twice.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(feature = "sim")] {
//! use std::time::Duration;
//!
//! use bmc_core::{Bmc, ConsoleOptions, Credentials, Endpoint, Evidence, IdentifyAction, PowerAction};
//! use bmc_ipmi::IpmiProvider;
//! # let simulated = bmc_ipmi::sim::Sim::builder().demo_inventory().spawn().await?;
//! # let endpoint = Endpoint::parse(&simulated.addr().to_string(), 623)?;
//! # let credentials = Credentials::new("admin", "password");
//!
//! let bmc = Bmc::builder().provider(IpmiProvider::builder(endpoint, credentials).build()?).build();
//!
//! // Power, and by what its change was seen.
//! let done = bmc.set_power_observed(PowerAction::On, Duration::from_secs(30)).await?;
//! assert_eq!(done.value, Evidence::StateReached);
//!
//! // What the machine is, measures and has noted.
//! for component in bmc.inventory().await?.value {
//!     println!("{} {:?} {:?}", component.name, component.model, component.serial_number);
//! }
//! for sensor in bmc.sensors().await?.value {
//!     println!("{} {:?} {}", sensor.name, sensor.value, sensor.status);
//! }
//! let page = bmc.events(None, 100).await?.value; // go on later behind `page.marker`
//! println!("{} events", page.events.len());
//!
//! // Who may log in, which machine it is, and its serial console.
//! println!("{} users", bmc.users().await?.value.len());
//! bmc.set_identify(IdentifyAction::For(Duration::from_secs(10))).await?;
//! let console = bmc.open_console(ConsoleOptions::default()).await?.value; // AsyncRead + AsyncWrite
//! # drop(console);
//! bmc.close().await;
//! # }
//! # Ok(()) }
//! ```
//!
//! | Capability | By | Proved by |
//! |---|---|---|
//! | `PowerControl`, `RestartRecord` | Chassis Control, Get System Restart Cause | state, lost power, or restart cause: [`Bmc::set_power_observed`](bmc_core::Bmc::set_power_observed) |
//! | `BootControl` | boot option parameter 5 | reading it back; another device is an error |
//! | `BmcControl` | Cold Reset, Warm Reset | the answer, or the session's end |
//! | `Nmi` | Chassis Control | nothing: accepted, not observed |
//! | `EventLog` | SEL commands | the erasure's status |
//! | `Sensors` | SDR repository, sensor commands | |
//! | `Inventory` | FRU devices, SDR repository, device ID | |
//! | `Users` | user commands on the LAN channel | reading back, and a test of the password |
//! | `Console` | Serial over LAN, in a session of its own | |
//! | `Identify` | Chassis Identify | the light's state, where the BMC tells it |
//! | `Identity` | Get Device ID | |
//!
//! What it has no word for (DCMI power limits, the watchdog, LAN parameters, event filters, other controllers behind the
//! BMC) is in [`device`], over the [`Client`] that [`IpmiProvider::connect`] gives. Any command of the specification
//! is a type in [`command`]; any other goes as bytes through [`Client::raw`].
//!
//! # Layers
//!
//! Each can be used alone; each knows only those below it.
//!
//! ```text
//!  provider   IpmiProvider: bmc-core's capabilities
//!  device     procedures of several commands: event log, sensors, FRU, users, SOL, ...
//!  client     Client: one session, typed commands            Transport: shared UDP sockets
//!  proto      Connection: login, session, repeats, refusals; no I/O, no clock, no random source of its own
//!  command    requests and responses                         record   what BMCs store
//!  wire       messages, one a file                           crypto   keys, codes, sealing and opening
//!                                                            codec    reader, Wire
//! ```
//!
//! A [`Client`] carries out typed commands and says precisely what went wrong ([`Error`]):
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use bmc_core::{Credentials, Endpoint};
//! use bmc_ipmi::command::{ChassisControl, GetChassisStatus};
//! use bmc_ipmi::proto::Known;
//! use bmc_ipmi::{Client, Login, Transport};
//! use tokio::time::Instant;
//!
//! # #[cfg(feature = "sim")] {
//! let bmc = bmc_ipmi::sim::Sim::builder().spawn().await?; // a simulated BMC on 127.0.0.1
//! let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623)?;
//! let login = Arc::new(Login::new(&Credentials::new("admin", "password"))?);
//! let deadline = Instant::now() + Duration::from_secs(5);
//!
//! let client =
//!     Client::connect(&Transport::new(), &endpoint, login, Known::default(), deadline).await?;
//! client.execute(&ChassisControl::POWER_UP, deadline).await?;
//! assert!(client.execute(&GetChassisStatus, deadline).await?.is_on());
//! client.close().await;
//! # }
//! # Ok(()) }
//! ```
//!
//! [`Client::at`] gives the same session with another [`Target`]: a logical unit of the BMC, or a controller behind it.
//! [`command::oem`] shows how to add a manufacturer's commands; [`Client::raw`] takes any command as bytes.
//!
//! # Cipher suites
//!
//! | Suite | Authentication | Integrity | Confidentiality | Use |
//! |---|---|---|---|---|
//! | 17 | RAKP-HMAC-SHA256 | HMAC-SHA256-128 | AES-CBC-128 | preferred; the only one of OpenBMC |
//! | 3 | RAKP-HMAC-SHA1 | HMAC-SHA1-96 | AES-CBC-128 | where 17 is not offered |
//! | 15, 16 | RAKP-HMAC-SHA256 | none, HMAC-SHA256-128 | none | configured only |
//! | 1, 2 | RAKP-HMAC-SHA1 | none, HMAC-SHA1-96 | none | configured only |
//! | 6, 7, 8 | RAKP-HMAC-MD5 | none, HMAC-MD5-128 (7, 8) | none, AES-CBC-128 (8) | configured only |
//! | 11, 12 | RAKP-HMAC-MD5 | MD5-128 | none, AES-CBC-128 (12) | configured only |
//! | 0 | none | none | none | [`CipherSuite::danger_suite_0`](crypto::CipherSuite::danger_suite_0) |
//! | 4, 5, 9, 10, 13, 14, 18, 19 | | | xRC4 | not supported |
//!
//! Without a configured suite the login asks for 17 and, at the same time, for the list of suites, and takes 3 if the
//! list has no 17. [`Login`] can allow others. A BMC that answers with anything but what was asked for is refused
//! ([`Error::Downgrade`]), and a session's datagrams count only if they are authenticated and encrypted as its suite
//! says.
//!
//! IPMI v1.5 sessions (none, MD2, MD5, straight password) are opened where [`Login::v15`] asks for them, and never
//! because a BMC would like them better. [`quirks`] lists the deviations of BMCs that a login can bear with.
//!
//! The protocol has a flaw that no client can mend: a BMC sends anybody who knows a user name a code from which the
//! password can be guessed at leisure (CVE-2013-4786). Use random passwords of 16 bytes or more, and a BMC key Kg.
//!
//! # Behaviour on the wire
//!
//! * A status takes four round trips with a known suite, a power action five. A provider remembers the suite. Where the
//!   first command [overlaps the login](ClientBuilder::connect_with) it is one less.
//! * One command of a session is in flight at a time, or up to eight in a [window](Client::set_window). A BMC that loses
//!   what reaches it while it is busy is found out and spared both ([`Known::single_buffer`](proto::Known)).
//! * An idle session can be [kept alive](ClientBuilder::keep_alive), as providers do, and a lost one
//!   [replaced](ClientBuilder::relogin). Close Session is sent on drop; [`Client::shut_down`] waits for the answer.
//! * Reading and idempotent commands are repeated until their deadline. Power cycle, reset, soft shutdown and the
//!   diagnostic interrupt are sent once; without an answer they end with [`Effect::Unknown`](bmc_core::Effect).
//! * Refusals before the login prove nothing, as anybody can send them: they count when the time for a better answer
//!   is over. A BMC that does not know the password gets no proof of it.
//! * Nothing listening is told from silence by a probe after the first silent half second.
//!
//! # Features
//!
//! | Feature | Adds |
//! |---|---|
//! | `sim` | `sim`: a simulated BMC for tests and demonstrations |
//! | `fuzzing` | `fuzzing`: entry points of the fuzz targets; not part of the interface |
//!
//! # References
//!
//! "§" is a section of the *IPMI Specification, Second Generation, v2.0*, revision 1.1: 13 (IPMI over
//! LAN and RMCP+), 22 (session commands), 28 (chassis commands). RTT estimation follows RFC 6298.

mod client;
pub mod codec;
pub mod command;
mod config;
pub mod crypto;
pub mod device;
mod error;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod ping;
pub mod proto;
mod provider;
pub mod quirks;
pub mod record;
#[cfg(feature = "sim")]
pub mod sim;
mod target;
mod transport;
pub mod wire;

pub use client::{Client, ClientBuilder};
pub use config::{ConfigError, Kg, Login};
pub use error::{Error, Step};
pub use ping::ping;
pub use provider::{IpmiProvider, IpmiProviderBuilder};
pub use target::{Bridge, Hop, Target, TargetError};
pub use transport::{Transport, TransportBuilder};
