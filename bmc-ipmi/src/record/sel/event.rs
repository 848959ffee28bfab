//! Events of sensors, §32.1 and §29.7.

use std::fmt::Write as _;

use bmc_core::Severity;
use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::{EventType, SensorType};
use crate::wire::Timestamp;

use super::{EventData, Generator, SensorLookup, details, severity};

/// An event as it is logged: record type 02h, behind the type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SystemEvent {
    /// When it was logged.
    pub timestamp: Timestamp,
    /// Who generated it.
    pub generator: Generator,
    /// Event message format: 04h in IPMI 1.5 and 2.0, 03h in 1.0.
    pub revision: u8,
    /// The event.
    pub event: Event,
}

/// What happened at a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Event {
    /// What the sensor measures or watches.
    pub sensor_type: SensorType,
    /// Number of the sensor at the generator.
    pub sensor_number: u8,
    /// Whether the state ended; else it began.
    pub deassertion: bool,
    /// What the offset means.
    pub event_type: EventType,
    /// Event data 1 to 3.
    pub data: [u8; 3],
}

impl SystemEvent {
    /// The event message format of IPMI 1.5 and 2.0.
    pub const REVISION: u8 = 0x04;

    /// The event in words: sensor, state, what the event data adds.
    pub fn describe(&self, lookup: &impl SensorLookup) -> String {
        let mut text = format!("{}: {}", self.sensor(lookup), self.event.state());
        if self.event.deassertion {
            text.push_str(", deasserted");
        }
        for detail in self.details(lookup) {
            let _ = write!(text, "; {detail}");
        }
        text
    }

    /// The sensor: its type, and its name or number.
    pub fn sensor(&self, lookup: &impl SensorLookup) -> String {
        let (kind, number) = (self.event.sensor_type, self.event.sensor_number);
        match lookup.name(self.generator, number) {
            Some(name) => format!("{kind} {name}"),
            None => format!("{kind} #{number:02X}h of {}", self.generator),
        }
    }

    /// What event data 2 and 3 add, one phrase each.
    pub fn details(&self, lookup: &impl SensorLookup) -> Vec<String> {
        details::of(self, lookup)
    }
}

impl Event {
    const DEASSERTION: u8 = 0x80;

    /// Which state of the sensor began or ended: 0 to 15.
    pub fn offset(&self) -> u8 {
        let [first, ..] = self.data;
        first & 0x0f
    }

    /// What event data 2 holds.
    pub fn data_2(&self) -> EventData {
        EventData::second(self.event_type.is_threshold(), self.data)
    }

    /// What event data 3 holds.
    pub fn data_3(&self) -> EventData {
        EventData::third(self.event_type.is_threshold(), self.data)
    }

    /// The state in words; its number where the specification has no word for it.
    pub fn state(&self) -> String {
        match self.event_type.state(self.sensor_type, self.offset()) {
            Some(state) => state.to_owned(),
            None => format!("state {} of {} events", self.offset(), self.event_type),
        }
    }

    /// How bad it is: what the event itself says, else what its state means. `None`: nobody says. The end of
    /// something bad is [`Severity::Ok`].
    pub fn severity(&self) -> Option<Severity> {
        severity::of(self)
    }
}

impl Wire for SystemEvent {
    const NAME: &'static str = "SEL event record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            timestamp: Timestamp(r.u32_le("timestamp")?),
            generator: Generator(r.array("generator ID")?),
            revision: r.u8("event message revision")?,
            event: Event::decode(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u32_le(self.timestamp.0);
        out.put_slice(&self.generator.0);
        out.put_u8(self.revision);
        self.event.encode(out);
    }
}

impl Wire for Event {
    const NAME: &'static str = "event";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let sensor_type = SensorType(r.u8("sensor type")?);
        let sensor_number = r.u8("sensor number")?;
        let kind = r.u8("event direction and type")?;
        Ok(Self {
            sensor_type,
            sensor_number,
            deassertion: kind & Self::DEASSERTION != 0,
            event_type: EventType::new(kind),
            data: r.array("event data")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let direction = if self.deassertion {
            Self::DEASSERTION
        } else {
            0
        };
        out.put_slice(&[
            self.sensor_type.0,
            self.sensor_number,
            self.event_type.value() | direction,
        ]);
        out.put_slice(&self.data);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    struct Known;

    impl SensorLookup for Known {
        fn name(&self, generator: Generator, sensor: u8) -> Option<String> {
            (generator == Generator::BMC && sensor == 0x30).then(|| "CPU 1".into())
        }

        fn reading(&self, _: Generator, _: u8, raw: u8) -> Option<String> {
            Some(format!("{raw} °C"))
        }
    }

    fn system(bytes: [u8; 6]) -> SystemEvent {
        SystemEvent {
            timestamp: Timestamp(0x6000_0000),
            generator: Generator::BMC,
            revision: SystemEvent::REVISION,
            event: Event::from_bytes(&bytes).unwrap(),
        }
    }

    #[test]
    fn a_threshold_event_shows_reading_and_threshold() {
        let event = system([0x01, 0x30, 0x01, 0x59, 92, 90]);
        assert_eq!(
            event.describe(&Known),
            "temperature CPU 1: upper critical going high; reading 92 °C; threshold 90 °C"
        );
        assert_eq!(
            event.describe(&()),
            "temperature #30h of BMC: upper critical going high; reading 5Ch (raw); threshold 5Ah (raw)"
        );
        assert_eq!(event.event.severity(), Some(Severity::Critical));
        let over = system([0x01, 0x30, 0x81, 0x59, 88, 90]);
        assert!(over.describe(&Known).contains("going high, deasserted; "));
        assert_eq!(over.event.severity(), Some(Severity::Ok));
    }

    #[test]
    fn states_without_a_word_keep_their_number() {
        let event = system([0xc0, 1, 0x70, 0xa3, 0x11, 0x22]);
        assert_eq!(
            event.describe(&()),
            "OEM sensor type C0h #01h of BMC: state 3 of OEM 70h events; OEM data 2 11h; OEM data 3 22h"
        );
        assert_eq!(event.event.severity(), None);
    }
}
