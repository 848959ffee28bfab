//! What chassis, board and product info areas have in common: format, length, fields and checksum, FRU §10 to §12.

use crate::record::{Text, TextEncoding};

use super::header::{FORMAT, UNIT};
use super::{FruArea, FruDamage, FruEncodeError, FruProblem};

/// The byte that ends the fields.
const END: u8 = 0xc1;

/// Adds up to 0 over whatever carries a checksum.
pub(super) fn sum(bytes: &[u8]) -> u8 {
    bytes
        .iter()
        .fold(0, |sum: u8, byte| sum.wrapping_add(*byte))
}

/// The body of the area at `offset` of `inventory`, without format, length and checksum. What is wrong goes to `damage`.
pub(super) fn body<'a>(
    inventory: &'a [u8],
    offset: usize,
    area: FruArea,
    damage: &mut Vec<FruDamage>,
) -> Option<&'a [u8]> {
    let mut report = |problem| damage.push(FruDamage { area, problem });
    let bytes = inventory.get(offset..).unwrap_or_default();
    let [format, units, ..] = bytes else {
        report(FruProblem::Outside);
        return None;
    };
    if format & 0x0f != FORMAT {
        report(FruProblem::Format(*format));
        return None;
    }
    let length = usize::from(*units) * UNIT;
    if length == 0 {
        report(FruProblem::Empty);
        return None;
    }
    let Some(whole) = bytes.get(..length) else {
        report(FruProblem::Cut);
        return bytes.get(2..);
    };
    if sum(whole) != 0 {
        report(FruProblem::Checksum);
    }
    whole.get(2..length - 1)
}

/// Whether a language is one whose text is UTF-16.
pub(super) fn is_wide(language: u8) -> bool {
    !matches!(language, 0 | 25)
}

/// Reads the fields of an area in order.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    wide: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn new(rest: &'a [u8], wide: bool) -> Self {
        Self { rest, wide }
    }

    /// The next field in the area's language. Behind the last one all fields are empty.
    pub(super) fn text(&mut self) -> Text {
        self.next(self.wide).unwrap_or_default()
    }

    /// The next field, which is in English whatever the area's language.
    pub(super) fn english(&mut self) -> Text {
        self.next(false).unwrap_or_default()
    }

    /// All further fields.
    pub(super) fn custom(&mut self) -> Vec<Text> {
        std::iter::from_fn(|| self.next(self.wide)).collect()
    }

    /// Checks that the fields ended where they should.
    pub(super) fn finish(self, area: FruArea, damage: &mut Vec<FruDamage>) {
        if self.rest.first() != Some(&END) {
            let problem = FruProblem::NoEnd;
            damage.push(FruDamage { area, problem });
        }
    }

    fn next(&mut self, wide: bool) -> Option<Text> {
        let (text, rest) = Text::from_fru(self.rest, wide)?;
        self.rest = rest;
        Some(text)
    }
}

/// Writes an area.
pub(super) struct AreaWriter {
    bytes: Vec<u8>,
    wide: bool,
}

impl AreaWriter {
    pub(super) fn new(head: &[u8], wide: bool) -> Self {
        let mut bytes = vec![FORMAT, 0];
        bytes.extend_from_slice(head);
        Self { bytes, wide }
    }

    /// Appends a field in the area's language.
    pub(super) fn text(&mut self, field: &'static str, text: &Text) -> Result<(), FruEncodeError> {
        self.write(field, text, self.wide)
    }

    /// Appends a field that is in English whatever the area's language.
    pub(super) fn english(
        &mut self,
        field: &'static str,
        text: &Text,
    ) -> Result<(), FruEncodeError> {
        self.write(field, text, false)
    }

    /// Appends the end marker, fills up and adds length and checksum.
    pub(super) fn finish(mut self, area: FruArea) -> Result<Vec<u8>, FruEncodeError> {
        self.bytes.push(END);
        let length = (self.bytes.len() + 1).next_multiple_of(UNIT);
        self.bytes.resize(length, 0);
        let units = u8::try_from(length / UNIT).map_err(|_| FruEncodeError::Long(area))?;
        if let Some(field) = self.bytes.get_mut(1) {
            *field = units;
        }
        let checksum = sum(&self.bytes).wrapping_neg();
        if let Some(last) = self.bytes.last_mut() {
            *last = checksum;
        }
        Ok(self.bytes)
    }

    fn write(
        &mut self,
        field: &'static str,
        text: &Text,
        wide: bool,
    ) -> Result<(), FruEncodeError> {
        let other = match text.encoding() {
            TextEncoding::Latin1 => wide,
            TextEncoding::Utf16 => !wide,
            _ => false,
        };
        if other && !text.is_empty() {
            return Err(FruEncodeError::Language { field, wide });
        }
        text.write_fru(&mut self.bytes)
            .map_err(|error| FruEncodeError::Field { field, error })
    }
}
