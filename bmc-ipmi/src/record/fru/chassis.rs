//! The chassis info area, FRU §10.

use crate::record::Text;

use super::area::{AreaWriter, Fields, body};
use super::{ChassisType, FruArea, FruDamage, FruEncodeError};

/// What the enclosure is. Its text is always in English.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ChassisArea {
    /// Its form.
    pub chassis_type: ChassisType,
    /// Part number.
    pub part_number: Text,
    /// Serial number.
    pub serial_number: Text,
    /// Fields of the manufacturer's own.
    pub custom: Vec<Text>,
}

impl ChassisArea {
    pub(super) fn decode(
        inventory: &[u8],
        offset: usize,
        damage: &mut Vec<FruDamage>,
    ) -> Option<Self> {
        let body = body(inventory, offset, FruArea::Chassis, damage)?;
        let (chassis_type, rest) = body.split_first().unwrap_or((&0, &[]));
        let mut fields = Fields::new(rest, false);
        let area = Self {
            chassis_type: ChassisType(*chassis_type),
            part_number: fields.text(),
            serial_number: fields.text(),
            custom: fields.custom(),
        };
        fields.finish(FruArea::Chassis, damage);
        Some(area)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, FruEncodeError> {
        let mut area = AreaWriter::new(&[self.chassis_type.0], false);
        area.text("chassis part number", &self.part_number)?;
        area.text("chassis serial number", &self.serial_number)?;
        for custom in &self.custom {
            area.text("custom chassis info", custom)?;
        }
        area.finish(FruArea::Chassis)
    }
}
