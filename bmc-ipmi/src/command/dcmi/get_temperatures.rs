//! Get Temperature Readings, §6.7.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::command::dcmi::{group, put_group};
use crate::wire::{EntityId, NetFn, Privilege, SensorType};

/// Asks for the temperatures of an entity.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDcmiTemperatures {
    /// Air inlet, processor or baseboard.
    pub entity: EntityId,
    /// Instance of the entity; 0 for all.
    pub instance: u8,
    /// First instance to tell where there are many, from 1.
    pub start: u8,
}

impl Wire for GetDcmiTemperatures {
    const NAME: &'static str = "Get Temperature Readings";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        r.expect_u8(SensorType::TEMPERATURE.0, "sensor type")?;
        let [entity, instance, start] = r.array("entity")?;
        Ok(Self {
            entity: EntityId(entity),
            instance,
            start,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        out.put_slice(&[
            SensorType::TEMPERATURE.0,
            self.entity.0,
            self.instance,
            self.start,
        ]);
    }
}

impl Command for GetDcmiTemperatures {
    type Response = DcmiTemperatures;
    const NETFN: NetFn = NetFn::GROUP;
    const CMD: u8 = 0x10;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// Some of an entity's temperatures.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DcmiTemperatures {
    /// Number of all.
    pub total: u8,
    /// The temperatures, at most 8.
    pub temperatures: Vec<DcmiTemperature>,
}

/// A temperature of one instance.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DcmiTemperature {
    /// Degrees Celsius, −127 to 127.
    pub celsius: i8,
    /// Instance of the entity.
    pub instance: u8,
}

impl DcmiTemperature {
    const NEGATIVE: u8 = 0x80;
}

impl Wire for DcmiTemperature {
    const NAME: &'static str = "DCMI temperature";

    /// Sign and magnitude, not two's complement.
    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [celsius, instance] = r.array("temperature and instance")?;
        let magnitude = (celsius & !Self::NEGATIVE).cast_signed();
        let celsius = match celsius & Self::NEGATIVE {
            0 => magnitude,
            _ => -magnitude,
        };
        Ok(Self { celsius, instance })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let magnitude = self.celsius.unsigned_abs().min(!Self::NEGATIVE);
        let sign = if self.celsius < 0 { Self::NEGATIVE } else { 0 };
        out.put_slice(&[sign | magnitude, self.instance]);
    }
}

impl Wire for DcmiTemperatures {
    const NAME: &'static str = "Get Temperature Readings response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        group(r)?;
        let [total, count] = r.array("number of temperatures")?;
        let temperatures = (0..count).map(|_| DcmiTemperature::decode(r));
        Ok(Self {
            total,
            temperatures: temperatures.collect::<Result<_, _>>()?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        put_group(out);
        let count = u8::try_from(self.temperatures.len()).unwrap_or(u8::MAX);
        out.put_slice(&[self.total, count]);
        for temperature in self.temperatures.iter().take(count.into()) {
            temperature.encode(out);
        }
    }
}
