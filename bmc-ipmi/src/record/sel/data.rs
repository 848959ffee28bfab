//! What event data 2 and 3 hold, §29.7 table 29-6.

/// What event data 2 or 3 holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EventData {
    /// Nothing.
    Unspecified,
    /// The reading that triggered the event, raw.
    Reading(u8),
    /// The threshold that triggered the event, raw.
    Threshold(u8),
    /// \[7:4\] severity, an offset of event type 07h; \[3:0\] offset of the state before. Fh is unspecified.
    PreviousState(u8),
    /// What the sensor type defines for the event.
    SensorSpecific(u8),
    /// The manufacturer's choice.
    Oem(u8),
}

impl EventData {
    /// Event data 2, whose meaning is in bits 7 and 6 of event data 1.
    pub(super) fn second(threshold: bool, data: [u8; 3]) -> Self {
        let [first, second, _] = data;
        match (first >> 6, threshold) {
            (0, _) => Self::Unspecified,
            (1, true) => Self::Reading(second),
            (1, false) => Self::PreviousState(second),
            (2, _) => Self::Oem(second),
            _ => Self::SensorSpecific(second),
        }
    }

    /// Event data 3, whose meaning is in bits 5 and 4 of event data 1.
    pub(super) fn third(threshold: bool, data: [u8; 3]) -> Self {
        let [first, _, third] = data;
        match (first >> 4 & 0x03, threshold) {
            (1, true) => Self::Threshold(third),
            // Reserved where there are no thresholds.
            (0 | 1, _) => Self::Unspecified,
            (2, _) => Self::Oem(third),
            _ => Self::SensorSpecific(third),
        }
    }
}
