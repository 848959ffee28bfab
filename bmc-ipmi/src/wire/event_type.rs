//! Event/reading types, §42.1 table 42-1, and the offsets of their states, tables 42-2 and 42-3.

mod sensor_specific;

use std::fmt;

use crate::wire::sensor_type::SensorType;

/// The event/reading type of a sensor: which states and events the bits and offsets of its readings mean.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct EventType(u8);

impl EventType {
    /// Unspecified.
    pub const UNSPECIFIED: Self = Self(0x00);
    /// A reading that is compared with thresholds.
    pub const THRESHOLD: Self = Self(0x01);
    /// States that the sensor type defines.
    pub const SENSOR_SPECIFIC: Self = Self(0x6f);

    /// The type in the low seven bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x7f)
    }

    /// The seven bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Whether the sensor has thresholds.
    pub const fn is_threshold(self) -> bool {
        self.0 == Self::THRESHOLD.0
    }

    /// Whether the sensor has states instead of thresholds.
    pub const fn is_discrete(self) -> bool {
        matches!(self.0, 0x02..=0x7f)
    }

    /// Whether the states are defined by the manufacturer.
    pub const fn is_oem(self) -> bool {
        matches!(self.0, 0x70..=0x7f)
    }

    /// What the state or event with this offset, 0 to 14, means for a sensor of `sensor_type`. `None`: the
    /// specification gives it no meaning.
    pub fn state(self, sensor_type: SensorType, offset: u8) -> Option<&'static str> {
        let states = match self {
            Self::SENSOR_SPECIFIC => sensor_specific::states(sensor_type),
            _ => generic(self),
        };
        let text = states.get(usize::from(offset)).copied()?;
        Some(text).filter(|text| !text.is_empty())
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0x00 => f.write_str("unspecified"),
            0x01 => f.write_str("threshold"),
            0x02..=0x0c => write!(f, "generic discrete {:02X}h", self.0),
            0x6f => f.write_str("sensor-specific"),
            0x70..=0x7f => write!(f, "OEM {:02X}h", self.0),
            _ => write!(f, "event type {:02X}h", self.0),
        }
    }
}

/// The offsets of a generic type, from 0 upwards.
fn generic(event_type: EventType) -> &'static [&'static str] {
    match event_type.0 {
        0x01 => &[
            "lower non-critical going low",
            "lower non-critical going high",
            "lower critical going low",
            "lower critical going high",
            "lower non-recoverable going low",
            "lower non-recoverable going high",
            "upper non-critical going low",
            "upper non-critical going high",
            "upper critical going low",
            "upper critical going high",
            "upper non-recoverable going low",
            "upper non-recoverable going high",
        ],
        0x02 => &["idle", "active", "busy"],
        0x03 => &["state deasserted", "state asserted"],
        0x04 => &[
            "predictive failure deasserted",
            "predictive failure asserted",
        ],
        0x05 => &["limit not exceeded", "limit exceeded"],
        0x06 => &["performance met", "performance lags"],
        0x07 => &[
            "ok",
            "non-critical from ok",
            "critical from less severe",
            "non-recoverable from less severe",
            "non-critical from more severe",
            "critical from non-recoverable",
            "non-recoverable",
            "monitor",
            "informational",
        ],
        0x08 => &["absent", "present"],
        0x09 => &["disabled", "enabled"],
        0x0a => &[
            "running",
            "in test",
            "power off",
            "on line",
            "off line",
            "off duty",
            "degraded",
            "power save",
            "install error",
        ],
        0x0b => &[
            "fully redundant",
            "redundancy lost",
            "redundancy degraded",
            "non-redundant: sufficient from redundant",
            "non-redundant: sufficient from insufficient",
            "non-redundant: insufficient",
            "redundancy degraded from full",
            "redundancy degraded from non-redundant",
        ],
        0x0c => &["D0", "D1", "D2", "D3"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_mean_what_the_tables_say() {
        let threshold = EventType::THRESHOLD;
        let any = SensorType(0xff);
        assert_eq!(
            threshold.state(any, 9),
            Some("upper critical going high"),
            "table 42-2"
        );
        assert_eq!(threshold.state(any, 12), None);
        let specific = EventType::SENSOR_SPECIFIC;
        assert_eq!(
            specific.state(SensorType::POWER_SUPPLY, 3),
            Some("power supply input lost")
        );
        assert_eq!(
            specific.state(SensorType::PROCESSOR, 12),
            Some("correctable machine check")
        );
        assert_eq!(
            specific.state(SensorType::ACPI_POWER_STATE, 14),
            Some("unknown")
        );
        assert_eq!(
            specific.state(SensorType::ACPI_POWER_STATE, 13),
            None,
            "reserved"
        );
        assert_eq!(
            specific.state(SensorType::WATCHDOG_2, 8),
            Some("timer interrupt")
        );
        assert_eq!(specific.state(any, 0), None);
        assert_eq!(
            EventType::new(0x8b).state(any, 0),
            Some("fully redundant"),
            "direction bit"
        );
    }
}
