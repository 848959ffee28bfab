//! A record of the system event log, §32.1 to §32.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::Timestamp;

use super::{SensorLookup, SystemEvent};

/// A record of the system event log: sixteen bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SelRecord {
    /// The entry's name in the log. It has no meaning, and no order.
    pub id: u16,
    /// What it says.
    pub body: SelBody,
}

/// What a record says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SelBody {
    /// Type 02h: an event of a sensor.
    System(SystemEvent),
    /// Types C0h to DFh: a manufacturer's record with a time.
    TimestampedOem {
        /// The type; the manufacturer's choice.
        record_type: u8,
        /// When it was logged.
        timestamp: Timestamp,
        /// Manufacturer's enterprise number, 24 bits.
        manufacturer: u32,
        /// The manufacturer's data.
        data: [u8; 6],
    },
    /// Types E0h to FFh: a manufacturer's record without a time. Also the types that the specification reserves, which
    /// BMCs do use.
    Oem {
        /// The type; the manufacturer's choice.
        record_type: u8,
        /// The manufacturer's data.
        data: [u8; 13],
    },
}

impl SelRecord {
    /// Bytes of a record.
    pub const LENGTH: usize = 16;
    /// Type of a system event.
    pub const SYSTEM_EVENT: u8 = 0x02;

    /// The type of the record.
    pub fn record_type(&self) -> u8 {
        match self.body {
            SelBody::System(_) => Self::SYSTEM_EVENT,
            SelBody::TimestampedOem { record_type, .. } | SelBody::Oem { record_type, .. } => {
                record_type
            }
        }
    }

    /// When it was logged, if its type has a time.
    pub fn timestamp(&self) -> Option<Timestamp> {
        match self.body {
            SelBody::System(SystemEvent { timestamp, .. })
            | SelBody::TimestampedOem { timestamp, .. } => Some(timestamp),
            SelBody::Oem { .. } => None,
        }
    }

    /// The event, if it is one.
    pub fn event(&self) -> Option<&SystemEvent> {
        match &self.body {
            SelBody::System(event) => Some(event),
            _ => None,
        }
    }

    /// The record in words, without its number and time. `()` is a lookup that knows no sensor.
    pub fn describe(&self, lookup: &impl SensorLookup) -> String {
        match &self.body {
            SelBody::System(event) => event.describe(lookup),
            SelBody::TimestampedOem {
                record_type,
                manufacturer,
                data,
                ..
            } => format!(
                "OEM record {record_type:02X}h of manufacturer {manufacturer}: {}",
                hexadecimal(data)
            ),
            SelBody::Oem { record_type, data } => {
                format!("OEM record {record_type:02X}h: {}", hexadecimal(data))
            }
        }
    }
}

impl Wire for SelRecord {
    const NAME: &'static str = "SEL record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let id = r.u16_le("record ID")?;
        let body = match r.u8("record type")? {
            Self::SYSTEM_EVENT => SelBody::System(SystemEvent::decode(r)?),
            record_type @ 0xc0..=0xdf => SelBody::TimestampedOem {
                record_type,
                timestamp: Timestamp(r.u32_le("timestamp")?),
                manufacturer: {
                    let [low, middle, high] = r.array("manufacturer ID")?;
                    u32::from_le_bytes([low, middle, high, 0])
                },
                data: r.array("OEM data")?,
            },
            record_type => SelBody::Oem {
                record_type,
                data: r.array("OEM data")?,
            },
        };
        Ok(Self { id, body })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.id);
        out.put_u8(self.record_type());
        match &self.body {
            SelBody::System(event) => event.encode(out),
            SelBody::TimestampedOem {
                timestamp,
                manufacturer,
                data,
                ..
            } => {
                out.put_u32_le(timestamp.0);
                let [low, middle, high, _] = manufacturer.to_le_bytes();
                out.put_slice(&[low, middle, high]);
                out.put_slice(data);
            }
            SelBody::Oem { data, .. } => out.put_slice(data),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn manufacturers_records_with_and_without_a_time() {
        let mut bytes = [7, 0, 0xc1, 1, 2, 3, 0x60, 0xa2, 0x02, 0, 1, 2, 3, 4, 5, 6];
        let record = SelRecord::from_bytes(&bytes).unwrap();
        assert_eq!(record.timestamp(), Some(Timestamp(0x6003_0201)));
        assert_eq!(
            record.describe(&()),
            "OEM record C1h of manufacturer 674: 010203040506"
        );
        assert_eq!(record.to_bytes(), bytes);

        bytes[2] = 0xe0;
        let record = SelRecord::from_bytes(&bytes).unwrap();
        assert_eq!(record.timestamp(), None);
        assert_eq!(
            record.describe(&()),
            "OEM record E0h: 01020360a20200010203040506"
        );
        assert_eq!(record.to_bytes(), bytes);
    }
}
