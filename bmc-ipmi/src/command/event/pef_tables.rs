//! The tables of PEF: event filters, §17.7 table 17-2, and alert policies, §17.11 table 17-4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::SensorType;

/// Which events start which actions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EventFilter {
    /// \[7\] on, \[6:5\] 2 is preset by the manufacturer.
    pub configuration: u8,
    /// \[5\] diagnostic interrupt, \[4\] OEM, \[3\] power cycle, \[2\] reset, \[1\] power down, \[0\] alert.
    pub actions: u8,
    /// \[6:4\] group control, \[3:0\] alert policy number.
    pub policy: u8,
    /// 01h monitor, 02h information, 04h ok, 08h non-critical, 10h critical, 20h non-recoverable; 0 is unspecified.
    pub severity: u8,
    /// Generator ID of the event; FFh is any, byte by byte.
    pub generator: [u8; 2],
    /// What the sensor measures or watches; [`ANY_TYPE`](Self::ANY_TYPE) is any.
    pub sensor_type: SensorType,
    /// Sensor number; FFh is any.
    pub sensor_number: u8,
    /// Event/reading type with the direction in \[7\]; FFh is any.
    pub trigger: u8,
    /// Offsets of event data 1 that match, one bit each.
    pub offsets: u16,
    /// AND mask, compare 1 and compare 2 of event data 1 to 3.
    pub data: [[u8; 3]; 3],
}

impl EventFilter {
    /// Value of [`sensor_type`](Self::sensor_type): sensors of any type.
    pub const ANY_TYPE: SensorType = SensorType(0xff);

    /// Whether the filter is on.
    pub fn is_enabled(&self) -> bool {
        self.configuration & 0x80 != 0
    }
}

impl Wire for EventFilter {
    const NAME: &'static str = "event filter";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            configuration: r.u8("filter configuration")?,
            actions: r.u8("event filter action")?,
            policy: r.u8("alert policy number")?,
            severity: r.u8("event severity")?,
            generator: r.array("generator ID")?,
            sensor_type: SensorType(r.u8("sensor type")?),
            sensor_number: r.u8("sensor number")?,
            trigger: r.u8("event trigger")?,
            offsets: r.u16_le("event data 1 offset mask")?,
            data: [
                r.array("event data 1 masks")?,
                r.array("event data 2 masks")?,
                r.array("event data 3 masks")?,
            ],
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.configuration, self.actions, self.policy, self.severity]);
        out.put_slice(&self.generator);
        out.put_slice(&[self.sensor_type.0, self.sensor_number, self.trigger]);
        out.put_u16_le(self.offsets);
        out.put_slice(self.data.as_flattened());
    }
}

/// Where an alert goes, and whether others follow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AlertPolicy {
    /// \[7:4\] policy number, \[3\] on, \[2:0\] how it follows the one before.
    pub policy: u8,
    /// \[7:4\] channel, \[3:0\] destination.
    pub destination: u8,
    /// \[7\] the string depends on the event, \[6:0\] alert string set.
    pub string: u8,
}

impl AlertPolicy {
    /// Whether the policy is on.
    pub fn is_enabled(&self) -> bool {
        self.policy & 0x08 != 0
    }
}

impl Wire for AlertPolicy {
    const NAME: &'static str = "alert policy";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            policy: r.u8("policy number and type")?,
            destination: r.u8("channel and destination")?,
            string: r.u8("alert string key")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.policy, self.destination, self.string]);
    }
}
