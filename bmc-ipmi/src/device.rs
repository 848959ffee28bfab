//! The BMC's logical devices, each a procedure of several commands over a [`Client`](crate::Client).

mod channels;
mod dcmi;
mod error;
mod fru;
mod lan_configuration;
mod pef;
mod sdr_repository;
mod sel;
mod sensors;
mod sol;
mod sol_configuration;
mod system_texts;
mod users;
mod watchdog;

pub use channels::Channels;
pub use dcmi::{Dcmi, DcmiInfo};
pub use error::DeviceError;
pub use fru::{FruStorage, LocatedFru};
pub use lan_configuration::{Ipv4Plan, LanConfiguration};
pub use pef::{Pef, PefState};
pub use sdr_repository::{SdrCache, SdrRecords, SdrRepository};
pub use sel::{MarkerError, Sel, SelEntries, SelMarker, SelPage};
pub use sensors::Sensors;
pub use sol::{Sol, SolControl, SolEnd, SolOptions};
pub use sol_configuration::SolConfiguration;
pub use system_texts::SystemTexts;
pub use users::{Deletion, NewUser, User, Users};
pub use watchdog::{Watchdog, WatchdogSettings};
