//! What a BMC can do for its host: one object-safe trait a capability.
//!
//! A [`Session`](crate::Session) hands out a capability as `Option<&dyn Trait>`: what is declared is what is implemented.
//! Operations have no default bodies, so a wrapper that forgets one does not compile.

mod boot;
mod identity;
mod media;
mod nmi;
mod power;

pub use boot::{BootControl, BootDevice, BootMode, BootOverride, BootReading, Persistence};
pub use identity::{BmcIdentity, Identity};
pub use media::{InvalidMediaSource, MediaKind, MediaSource, VirtualMedia};
pub use nmi::Nmi;
pub use power::{PowerAction, PowerControl, PowerState};
