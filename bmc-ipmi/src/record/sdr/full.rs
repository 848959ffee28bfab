//! Full sensor record, §43.1 table 43-1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::ReadingFactors;
use crate::record::Text;
use crate::record::reading::{Conversion, Linearization};
use crate::record::sdr::{SensorDefinition, name};
use crate::wire::RawThresholds;

/// Any sensor, with all there is to know about its readings.
#[derive(Clone, Debug, PartialEq)]
pub struct FullSensor {
    /// What it is.
    pub sensor: SensorDefinition,
    /// The function that straightens its curve.
    pub linearization: Linearization,
    /// The factors of its readings.
    pub factors: ReadingFactors,
    /// Usual and extreme readings.
    pub range: AnalogRange,
    /// Thresholds that the BMC sets at start; for a sensor without thresholds they mean nothing.
    pub thresholds: RawThresholds,
    /// Hysteresis of thresholds that are crossed upwards, in raw counts.
    pub positive_hysteresis: u8,
    /// Hysteresis of thresholds that are crossed downwards, in raw counts.
    pub negative_hysteresis: u8,
    /// The manufacturer's own.
    pub oem: u8,
    /// Name.
    pub name: Text,
}

/// Usual and extreme readings, raw.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct AnalogRange {
    /// Which of the following are given. \[2\] normal minimum, \[1\] normal maximum, \[0\] nominal reading.
    pub flags: u8,
    /// Nominal reading.
    pub nominal: u8,
    /// Normal maximum.
    pub normal_maximum: u8,
    /// Normal minimum.
    pub normal_minimum: u8,
    /// Largest reading of the sensor.
    pub maximum: u8,
    /// Smallest reading of the sensor.
    pub minimum: u8,
}

impl FullSensor {
    /// How raw readings become values.
    pub fn conversion(&self) -> Conversion {
        Conversion {
            format: self.sensor.units.format,
            linearization: self.linearization,
            factors: self.factors,
        }
    }
}

impl Wire for FullSensor {
    const NAME: &'static str = "full sensor record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let sensor = SensorDefinition::decode(r)?;
        let linearization = Linearization::new(r.u8("linearization")?);
        let factors = ReadingFactors::decode(r)?;
        let [
            flags,
            nominal,
            normal_maximum,
            normal_minimum,
            maximum,
            minimum,
        ] = r.array("analog characteristics")?;
        let thresholds = RawThresholds::from_record_order(r.array("thresholds")?);
        let [positive_hysteresis, negative_hysteresis, _, _, oem] = r.array("hysteresis")?;
        Ok(Self {
            sensor,
            linearization,
            factors,
            range: AnalogRange {
                flags,
                nominal,
                normal_maximum,
                normal_minimum,
                maximum,
                minimum,
            },
            thresholds,
            positive_hysteresis,
            negative_hysteresis,
            oem,
            name: name::read(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.sensor.encode(out);
        out.put_u8(self.linearization.value());
        self.factors.encode(out);
        let range = &self.range;
        out.put_slice(&[
            range.flags,
            range.nominal,
            range.normal_maximum,
            range.normal_minimum,
            range.maximum,
            range.minimum,
        ]);
        out.put_slice(&self.thresholds.in_record_order());
        out.put_slice(&[
            self.positive_hysteresis,
            self.negative_hysteresis,
            0,
            0,
            self.oem,
        ]);
        name::write(&self.name, out);
    }
}
