//! Records of the system event log, §32, and what they mean.

mod data;
mod details;
mod event;
mod generator;
mod lookup;
mod record;
mod severity;

pub use data::EventData;
pub use event::{Event, SystemEvent};
pub use generator::{EventSource, Generator};
pub use lookup::SensorLookup;
pub use record::{SelBody, SelRecord};
