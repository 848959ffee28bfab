//! What a BMC stores, as bytes and as meaning. No I/O.

pub mod entity;
pub mod event_type;
pub mod sensor_type;
pub mod text;

pub use entity::{Entity, EntityId};
pub use event_type::EventType;
pub use sensor_type::SensorType;
pub use text::{Text, TextEncoding, TextError};
