//! What a BMC can do for its host: one object-safe trait a capability.
//!
//! A [`Session`](crate::Session) hands out a capability as `Option<&dyn Trait>`: what is declared is what is implemented.
//! Operations have no default bodies, so a wrapper that forgets one does not compile.

mod bmc_control;
mod boot;
mod console;
mod event_log;
mod identify;
mod identity;
mod inventory;
mod media;
mod nmi;
mod power;
mod restart_record;
mod sensors;
mod users;

pub use bmc_control::{BmcControl, BmcReset};
pub use boot::{BootControl, BootDevice, BootMode, BootOverride, BootReading, Persistence};
pub use console::{Console, ConsoleOptions, ConsoleStream};
pub use event_log::{Event, EventLog, EventLogInfo, EventMarker, EventPage, Severity};
pub use identify::{Identify, IdentifyAction, IdentifyLight};
pub use identity::{BmcIdentity, Identity};
pub use inventory::{Component, ComponentKind, Inventory};
pub use media::{InvalidMediaSource, MediaKind, MediaSource, VirtualMedia};
pub use nmi::Nmi;
pub use power::{PowerAction, PowerControl, PowerState};
pub use restart_record::{Restart, RestartCause, RestartRecord};
pub use sensors::{Sensor, SensorStatus, Sensors, Thresholds};
pub use users::{User, UserRole, UserSettings, Users};
