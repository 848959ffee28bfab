//! What a BMC stores, as bytes and as meaning. No I/O.

pub mod fru;
pub mod reading;
pub mod sdr;
pub mod sel;
pub mod sensor;
pub mod text;
pub mod unit;

pub use crate::wire::{Entity, EntityId, EventType, SensorType};
pub use sdr::Sdr;
pub use sensor::Sensor;
pub use text::{Text, TextEncoding, TextError};
