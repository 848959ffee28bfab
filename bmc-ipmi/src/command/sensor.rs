//! Sensor commands, §35.

mod event_masks;
mod get_sensor_event_enable;
mod get_sensor_event_status;
mod get_sensor_hysteresis;
mod get_sensor_reading;
mod get_sensor_reading_factors;
mod get_sensor_thresholds;
mod get_sensor_type;
mod reading_factors;
mod set_sensor_hysteresis;
mod set_sensor_thresholds;

pub use get_sensor_event_enable::{GetSensorEventEnable, SensorEventMasks};
pub use get_sensor_event_status::{GetSensorEventStatus, SensorEventStatus};
pub use get_sensor_hysteresis::{GetSensorHysteresis, SensorHysteresis};
pub use get_sensor_reading::{GetSensorReading, SensorReading};
pub use get_sensor_reading_factors::{GetSensorReadingFactors, SensorReadingFactors};
pub use get_sensor_thresholds::{GetSensorThresholds, SensorThresholds};
pub use get_sensor_type::{GetSensorType, SensorTypes};
pub use reading_factors::ReadingFactors;
pub use set_sensor_hysteresis::SetSensorHysteresis;
pub use set_sensor_thresholds::SetSensorThresholds;
