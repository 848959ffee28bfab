//! What full and compact sensor records have in common, §43.1 and §43.2 bytes 6 to 23.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::unit::Units;
use crate::wire::{Entity, EventType, SensorType, ThresholdMask};

/// Who owns a sensor, and its number there.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SensorKey {
    /// Slave address of the owning controller, or if bit 0 is set a system software ID.
    pub owner: u8,
    /// Channel by which the BMC reaches the owner; four bits.
    pub channel: u8,
    /// The owner's LUN that has the sensor; two bits.
    pub lun: u8,
    /// Number of the sensor on that LUN.
    pub number: u8,
}

/// What a sensor is and what it can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorDefinition {
    /// Where it is.
    pub key: SensorKey,
    /// What it belongs to.
    pub entity: Entity,
    /// What the BMC does with it at start. \[6\] scanning, \[5\] events, \[4\] thresholds, \[3\] hysteresis, \[2\] type;
    /// at power-up \[1\] events and \[0\] scanning are on.
    pub initialization: u8,
    /// What it can do.
    pub capabilities: SensorCapabilities,
    /// What it measures or watches.
    pub sensor_type: SensorType,
    /// What its states mean.
    pub event_type: EventType,
    /// Which states generate an assertion event; with thresholds \[14:12\] lower ones whose comparison is returned.
    pub assertion_mask: u16,
    /// Which states generate a deassertion event; with thresholds \[14:12\] upper ones whose comparison is returned.
    pub deassertion_mask: u16,
    /// Which states a reading returns; with thresholds \[13:8\] settable ones, \[5:0\] readable ones.
    pub reading_mask: u16,
    /// What it counts.
    pub units: Units,
}

/// What a sensor can do.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SensorCapabilities(pub u8);

/// What can be done with hysteresis or thresholds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Access {
    /// There are none.
    None,
    /// They can be read.
    Readable,
    /// They can be read and set.
    Settable,
    /// They exist but cannot be read.
    Fixed,
}

impl SensorKey {
    /// The usual slave address of a BMC.
    pub const BMC: u8 = 0x20;

    /// A sensor of the BMC itself, on LUN 0.
    pub const fn bmc(number: u8) -> Self {
        Self {
            owner: Self::BMC,
            channel: 0,
            lun: 0,
            number,
        }
    }

    /// Whether system software owns it, so that no controller can be asked.
    pub const fn is_software(self) -> bool {
        self.owner & 1 != 0
    }
}

impl SensorDefinition {
    /// The thresholds that can be read.
    pub fn readable_thresholds(&self) -> ThresholdMask {
        let [readable, _] = self.reading_mask.to_le_bytes();
        self.thresholds(readable)
    }

    /// The thresholds that can be set.
    pub fn settable_thresholds(&self) -> ThresholdMask {
        let [_, settable] = self.reading_mask.to_le_bytes();
        self.thresholds(settable)
    }

    fn thresholds(&self, bits: u8) -> ThresholdMask {
        match self.event_type.is_threshold() {
            true => ThresholdMask::new(bits),
            false => ThresholdMask::default(),
        }
    }
}

impl SensorCapabilities {
    /// Whether the sensor counts for nothing while its entity is absent.
    pub const fn ignored_if_absent(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// Whether it re-arms by itself.
    pub const fn rearms_itself(self) -> bool {
        self.0 & 0x40 != 0
    }

    /// What can be done with its hysteresis.
    pub const fn hysteresis(self) -> Access {
        Access::of(self.0 >> 4)
    }

    /// What can be done with its thresholds.
    pub const fn thresholds(self) -> Access {
        Access::of(self.0 >> 2)
    }
}

impl Access {
    const fn of(bits: u8) -> Self {
        match bits & 0x03 {
            0 => Self::None,
            1 => Self::Readable,
            2 => Self::Settable,
            _ => Self::Fixed,
        }
    }
}

impl Wire for SensorKey {
    const NAME: &'static str = "sensor key";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [owner, place, number] = r.array("sensor owner and number")?;
        Ok(Self {
            owner,
            channel: place >> 4,
            lun: place & 0x03,
            number,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let place = self.channel << 4 | self.lun & 0x03;
        out.put_slice(&[self.owner, place, self.number]);
    }
}

impl Wire for SensorDefinition {
    const NAME: &'static str = "sensor definition";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            key: SensorKey::decode(r)?,
            entity: Entity::decode(r)?,
            initialization: r.u8("sensor initialization")?,
            capabilities: SensorCapabilities(r.u8("sensor capabilities")?),
            sensor_type: SensorType(r.u8("sensor type")?),
            event_type: EventType::new(r.u8("event/reading type")?),
            assertion_mask: r.u16_le("assertion event mask")?,
            deassertion_mask: r.u16_le("deassertion event mask")?,
            reading_mask: r.u16_le("reading mask")?,
            units: Units::decode(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.key.encode(out);
        self.entity.encode(out);
        out.put_slice(&[
            self.initialization,
            self.capabilities.0,
            self.sensor_type.0,
            self.event_type.value(),
        ]);
        for mask in [
            self.assertion_mask,
            self.deassertion_mask,
            self.reading_mask,
        ] {
            out.put_u16_le(mask);
        }
        self.units.encode(out);
    }
}
