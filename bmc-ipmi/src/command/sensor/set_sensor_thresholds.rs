//! Set Sensor Thresholds, §35.8.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege, RawThresholds, ThresholdMask};

/// Changes thresholds of a sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetSensorThresholds {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
    /// The ones to change.
    pub mask: ThresholdMask,
    /// Raw readings; those that are not in the mask are ignored.
    pub raw: RawThresholds,
}

impl Wire for SetSensorThresholds {
    const NAME: &'static str = "Set Sensor Thresholds";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            number: r.u8("sensor number")?,
            mask: ThresholdMask::new(r.u8("thresholds to set")?),
            raw: RawThresholds(r.array("thresholds")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.number, self.mask.bits()]);
        out.put_slice(&self.raw.0);
    }
}

impl Command for SetSensorThresholds {
    type Response = ();
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x26;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
