//! The board info area, FRU §11.

use crate::record::Text;
use crate::wire::Timestamp;

use super::area::{AreaWriter, Fields, body, is_wide};
use super::{FruArea, FruDamage, FruEncodeError};

/// What the board is.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct BoardArea {
    /// Language of the text; 0 and 25 are English.
    pub language: u8,
    /// When the board was made, in minutes from 1996-01-01 00:00 on: 24 bits; 0 is unspecified.
    pub minutes: u32,
    /// Manufacturer.
    pub manufacturer: Text,
    /// Name of the board.
    pub product: Text,
    /// Serial number; always in English.
    pub serial_number: Text,
    /// Part number.
    pub part_number: Text,
    /// Version or name of the file from which this was written; always in English.
    pub file_id: Text,
    /// Fields of the manufacturer's own.
    pub custom: Vec<Text>,
}

/// 1996-01-01 00:00 in seconds since 1970.
const EPOCH: u32 = 820_454_400;

impl BoardArea {
    /// When the board was made.
    pub fn manufactured(&self) -> Option<Timestamp> {
        let minutes = self.minutes & 0x00ff_ffff;
        (minutes != 0).then(|| Timestamp(EPOCH + minutes * 60))
    }

    pub(super) fn decode(
        inventory: &[u8],
        offset: usize,
        damage: &mut Vec<FruDamage>,
    ) -> Option<Self> {
        let body = body(inventory, offset, FruArea::Board, damage)?;
        let (head, rest) = body.split_first_chunk().unwrap_or((&[0; 4], &[]));
        let [language, low, middle, high] = *head;
        let mut fields = Fields::new(rest, is_wide(language));
        let area = Self {
            language,
            minutes: u32::from_le_bytes([low, middle, high, 0]),
            manufacturer: fields.text(),
            product: fields.text(),
            serial_number: fields.english(),
            part_number: fields.text(),
            file_id: fields.english(),
            custom: fields.custom(),
        };
        fields.finish(FruArea::Board, damage);
        Some(area)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, FruEncodeError> {
        let [low, middle, high, _] = self.minutes.to_le_bytes();
        let head = [self.language, low, middle, high];
        let mut area = AreaWriter::new(&head, is_wide(self.language));
        area.text("board manufacturer", &self.manufacturer)?;
        area.text("board product name", &self.product)?;
        area.english("board serial number", &self.serial_number)?;
        area.text("board part number", &self.part_number)?;
        area.english("board FRU file ID", &self.file_id)?;
        for custom in &self.custom {
            area.text("custom board info", custom)?;
        }
        area.finish(FruArea::Board)
    }
}
