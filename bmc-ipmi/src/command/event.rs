//! Event commands, network function Sensor/Event, §29, and platform event filtering (PEF), §30.

mod get_last_processed_event_id;
mod get_pef_capabilities;
mod get_pef_configuration;
mod pef_parameter;
mod pef_tables;
mod pet_acknowledge;
mod platform_event;
mod set_event_receiver;

pub use get_last_processed_event_id::{GetLastProcessedEventId, LastProcessedEvent};
pub use get_pef_capabilities::{GetPefCapabilities, PefCapabilities};
pub use get_pef_configuration::GetPefConfiguration;
pub use pef_parameter::{PefParameter, PefSetting};
pub use pef_tables::{AlertPolicy, EventFilter};
pub use pet_acknowledge::PetAcknowledge;
pub use platform_event::PlatformEvent;
pub use set_event_receiver::{EventReceiver, GetEventReceiver, SetEventReceiver};
