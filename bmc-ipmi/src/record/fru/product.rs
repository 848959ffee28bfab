//! The product info area, FRU §12.

use crate::record::Text;

use super::area::{AreaWriter, Fields, body, is_wide};
use super::{FruArea, FruDamage, FruEncodeError};

/// What the product is.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ProductArea {
    /// Language of the text; 0 and 25 are English.
    pub language: u8,
    /// Manufacturer.
    pub manufacturer: Text,
    /// Name of the product.
    pub name: Text,
    /// Part or model number.
    pub part_number: Text,
    /// Version.
    pub version: Text,
    /// Serial number; always in English.
    pub serial_number: Text,
    /// Asset tag.
    pub asset_tag: Text,
    /// Version or name of the file from which this was written.
    pub file_id: Text,
    /// Fields of the manufacturer's own.
    pub custom: Vec<Text>,
}

impl ProductArea {
    pub(super) fn decode(
        inventory: &[u8],
        offset: usize,
        damage: &mut Vec<FruDamage>,
    ) -> Option<Self> {
        let body = body(inventory, offset, FruArea::Product, damage)?;
        let (language, rest) = body.split_first().unwrap_or((&0, &[]));
        let mut fields = Fields::new(rest, is_wide(*language));
        let area = Self {
            language: *language,
            manufacturer: fields.text(),
            name: fields.text(),
            part_number: fields.text(),
            version: fields.text(),
            serial_number: fields.english(),
            asset_tag: fields.text(),
            file_id: fields.text(),
            custom: fields.custom(),
        };
        fields.finish(FruArea::Product, damage);
        Some(area)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, FruEncodeError> {
        let mut area = AreaWriter::new(&[self.language], is_wide(self.language));
        area.text("product manufacturer", &self.manufacturer)?;
        area.text("product name", &self.name)?;
        area.text("product part number", &self.part_number)?;
        area.text("product version", &self.version)?;
        area.english("product serial number", &self.serial_number)?;
        area.text("product asset tag", &self.asset_tag)?;
        area.text("product FRU file ID", &self.file_id)?;
        for custom in &self.custom {
            area.text("custom product info", custom)?;
        }
        area.finish(FruArea::Product)
    }
}
