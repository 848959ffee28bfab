//! What the BMC measures.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::vocabulary::{UnknownWord, word};

/// Reads the sensors.
#[async_trait]
pub trait Sensors: Send + Sync {
    /// Reads every sensor once, in the BMC's order. Takes some requests for each sensor.
    async fn sensors(&self) -> Result<Vec<Sensor>, Error>;
}

/// A sensor and what it reads.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sensor {
    /// What the protocol calls it; one BMC has no two sensors with the same id.
    pub id: String,
    /// The name that the BMC gives it; not always unique.
    pub name: String,
    /// What it measures or watches, in the words of the protocol, such as `temperature`.
    pub kind: String,
    /// The component that it belongs to.
    pub entity: Option<String>,
    /// The reading, in [`unit`](Self::unit); never NaN or infinite. `None` for a sensor of states, and without a reading.
    pub value: Option<f64>,
    /// The unit of the reading and the thresholds, such as `°C`.
    pub unit: Option<String>,
    /// The states that hold, of a sensor of states.
    pub states: Vec<String>,
    /// What the reading means.
    pub status: SensorStatus,
    /// Where the status changes.
    pub thresholds: Thresholds,
}

/// What a sensor's reading means.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SensorStatus {
    /// Nothing is wrong.
    Ok,
    /// Something wants attention.
    NonCritical,
    /// Something fails.
    Critical,
    /// Something is damaged, or about to be.
    NonRecoverable,
    /// There is no reading now: switched off, not present, or not readable.
    #[default]
    Unavailable,
}

/// Limits of a sensor's reading, in its unit; what is `None` is not watched or not readable.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Thresholds {
    /// At or below it the status is non-recoverable.
    pub lower_non_recoverable: Option<f64>,
    /// At or below it the status is critical.
    pub lower_critical: Option<f64>,
    /// At or below it the status is non-critical.
    pub lower_non_critical: Option<f64>,
    /// At or above it the status is non-critical.
    pub upper_non_critical: Option<f64>,
    /// At or above it the status is critical.
    pub upper_critical: Option<f64>,
    /// At or above it the status is non-recoverable.
    pub upper_non_recoverable: Option<f64>,
}

word!(SensorStatus, "sensor status" {
    Ok => "ok", NonCritical => "non-critical", Critical => "critical", NonRecoverable => "non-recoverable",
    Unavailable => "unavailable",
});
