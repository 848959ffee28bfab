//! Compact sensor record, §43.2 table 43-2.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::Text;
use crate::record::sdr::{SensorDefinition, Sharing, name};

/// One or several alike sensors whose readings are states.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactSensor {
    /// What the first one is.
    pub sensor: SensorDefinition,
    /// How many there are.
    pub sharing: Sharing,
    /// Hysteresis of thresholds that are crossed upwards, in raw counts.
    pub positive_hysteresis: u8,
    /// Hysteresis of thresholds that are crossed downwards, in raw counts.
    pub negative_hysteresis: u8,
    /// The manufacturer's own.
    pub oem: u8,
    /// Name that they share.
    pub name: Text,
}

impl Wire for CompactSensor {
    const NAME: &'static str = "compact sensor record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let sensor = SensorDefinition::decode(r)?;
        let sharing = Sharing::decode(r)?;
        let [positive_hysteresis, negative_hysteresis, _, _, _, oem] = r.array("hysteresis")?;
        Ok(Self {
            sensor,
            sharing,
            positive_hysteresis,
            negative_hysteresis,
            oem,
            name: name::read(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.sensor.encode(out);
        self.sharing.encode(out);
        let hysteresis = [self.positive_hysteresis, self.negative_hysteresis];
        out.put_slice(&hysteresis);
        out.put_slice(&[0, 0, 0, self.oem]);
        name::write(&self.name, out);
    }
}
