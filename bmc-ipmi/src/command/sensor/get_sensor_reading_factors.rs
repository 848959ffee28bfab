//! Get Sensor Reading Factors, §35.5.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::ReadingFactors;
use crate::wire::{NetFn, Privilege};

/// Asks for the factors of one raw reading of a non-linear sensor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSensorReadingFactors {
    /// Number of the sensor on the LUN that is asked.
    pub number: u8,
    /// The raw reading.
    pub raw: u8,
}

impl Wire for GetSensorReadingFactors {
    const NAME: &'static str = "Get Sensor Reading Factors";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [number, raw] = r.array("sensor number and reading")?;
        Ok(Self { number, raw })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.number, self.raw]);
    }
}

impl Command for GetSensorReadingFactors {
    type Response = SensorReadingFactors;
    const NETFN: NetFn = NetFn::SENSOR;
    const CMD: u8 = 0x23;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// The factors of one raw reading.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorReadingFactors {
    /// The next raw reading with other factors.
    pub next: u8,
    /// The factors.
    pub factors: ReadingFactors,
}

impl Wire for SensorReadingFactors {
    const NAME: &'static str = "Get Sensor Reading Factors response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            next: r.u8("next reading")?,
            factors: ReadingFactors::decode(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.next);
        self.factors.encode(out);
    }
}
