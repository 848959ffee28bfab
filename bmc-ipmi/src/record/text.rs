//! Type/length strings: the text fields of SDRs (§43.15) and of FRU inventory areas (FRU storage definition §13).
//!
//! The two flavours differ in the meaning of type 0, in how many bits count the length, and in what type 3 is.

mod bcd_plus;
mod six_bit;

use std::fmt::{self, Write as _};

/// Text, or bytes, as a BMC stores them. [`Display`](fmt::Display) gives it as text.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Text {
    encoding: TextEncoding,
    bytes: Vec<u8>,
}

/// How text is stored.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum TextEncoding {
    /// Bytes without a meaning; shown in hexadecimal. Type 0 of FRU fields.
    Binary,
    /// Digits, space, `-` and `.`, in SDRs also `:`, `,` and `_`; two a byte. Type 1.
    BcdPlus,
    /// Upper-case ASCII (20h to 5Fh), four characters in three bytes. Type 2.
    SixBit,
    /// ISO 8859-1. Type 3, in FRU fields where the language is English.
    Latin1,
    /// UTF-16, least significant byte first. Type 0 of SDRs; type 3 of FRU fields where the language is not English.
    Utf16,
}

/// Text that a field cannot hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The encoding has no such character.
    #[error("{encoding} has no character {character:?}")]
    Character {
        /// The character.
        character: char,
        /// The encoding.
        encoding: TextEncoding,
    },
    /// The text takes more bytes than the field counts.
    #[error("text takes {length} bytes, at most {maximum} are allowed")]
    Long {
        /// Bytes that the text takes.
        length: usize,
        /// Most that the field can hold.
        maximum: usize,
    },
    /// A FRU field with one byte of type 3 reads as the end of the fields.
    #[error("a FRU field cannot hold a single byte of {0}")]
    EndMarker(TextEncoding),
}

/// Low bits of a type/length byte that count the bytes in an SDR.
const SDR_LENGTH: u8 = 0x1f;
/// Low bits of a type/length byte that count the bytes in a FRU field.
const FRU_LENGTH: u8 = 0x3f;
/// The type/length byte that ends the fields of a FRU area.
const FRU_END: u8 = 0xc1;
/// Most bytes of text in an SDR: a count of 31 is reserved.
const SDR_MAXIMUM: usize = 30;

/// Nothing.
impl Default for Text {
    fn default() -> Self {
        Self::from_bytes(TextEncoding::Binary, [])
    }
}

impl Text {
    /// Bytes that are stored in `encoding`.
    pub fn from_bytes(encoding: TextEncoding, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self { encoding, bytes }
    }

    /// Stores `text` in `encoding`; binary takes hexadecimal digits.
    ///
    /// # Errors
    /// The encoding lacks a character of `text`.
    pub fn encode(encoding: TextEncoding, text: &str) -> Result<Self, TextError> {
        let bytes = match encoding {
            TextEncoding::Binary => hexadecimal(text),
            TextEncoding::BcdPlus => bcd_plus::encode(text),
            TextEncoding::SixBit => six_bit::encode(text),
            TextEncoding::Latin1 => each(text, |c| u8::try_from(u32::from(c)).ok()),
            TextEncoding::Utf16 => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        };
        let bytes = bytes.map_err(|character| TextError::Character {
            character,
            encoding,
        })?;
        Ok(Self { encoding, bytes })
    }

    /// Reads the text of an SDR: its type/length byte, and the record's bytes from behind that to the record's end.
    ///
    /// The specification counts characters, most BMCs count bytes. Both are read: never more than the record has.
    pub fn from_sdr(type_length: u8, rest: &[u8]) -> Self {
        let count = usize::from(type_length & SDR_LENGTH);
        let encoding = match type_length >> 6 {
            0 => TextEncoding::Utf16,
            1 => TextEncoding::BcdPlus,
            2 => TextEncoding::SixBit,
            _ => TextEncoding::Latin1,
        };
        let length = match encoding {
            TextEncoding::Utf16 if rest.len() == 2 * count => rest.len(),
            _ => count,
        };
        let bytes = rest.get(..length).unwrap_or(rest);
        Self::from_bytes(encoding, bytes)
    }

    /// Appends type/length byte and text as an SDR holds them. The count is of bytes, as all known readers take it.
    ///
    /// # Errors
    /// The text has more than 30 bytes, or is binary, for which SDRs have no type.
    pub fn write_sdr(&self, out: &mut Vec<u8>) -> Result<(), TextError> {
        let kind = match self.encoding {
            TextEncoding::Utf16 => 0,
            TextEncoding::BcdPlus => 1,
            TextEncoding::SixBit => 2,
            TextEncoding::Latin1 => 3,
            TextEncoding::Binary => return Err(self.too_long(0)),
        };
        self.write(kind, SDR_MAXIMUM, out)
    }

    /// Reads a field of a FRU area from the front of `area`, and gives what follows it.
    ///
    /// `wide` says that text of type 3 is UTF-16: the language is not English and the field is not one that is always
    /// in English. `None` is the end of the fields: the end marker, or an area that ends before the field does.
    pub fn from_fru(area: &[u8], wide: bool) -> Option<(Self, &[u8])> {
        let (type_length, rest) = area.split_first()?;
        if *type_length == FRU_END {
            return None;
        }
        let encoding = match type_length >> 6 {
            0 => TextEncoding::Binary,
            1 => TextEncoding::BcdPlus,
            2 => TextEncoding::SixBit,
            _ if wide => TextEncoding::Utf16,
            _ => TextEncoding::Latin1,
        };
        let (bytes, rest) = rest.split_at_checked(usize::from(type_length & FRU_LENGTH))?;
        Some((Self::from_bytes(encoding, bytes), rest))
    }

    /// Appends type/length byte and text as a FRU area holds them.
    ///
    /// # Errors
    /// The text has more than 63 bytes, or is a single byte of Latin-1, which would read as the end of the fields.
    pub fn write_fru(&self, out: &mut Vec<u8>) -> Result<(), TextError> {
        let kind = match self.encoding {
            TextEncoding::Binary => 0,
            TextEncoding::BcdPlus => 1,
            TextEncoding::SixBit => 2,
            TextEncoding::Latin1 | TextEncoding::Utf16 => 3,
        };
        if kind == 3 && self.bytes.len() == 1 {
            return Err(TextError::EndMarker(self.encoding));
        }
        self.write(kind, FRU_LENGTH.into(), out)
    }

    /// Stores `text` as Latin-1, or as UTF-16 where it has other characters.
    pub fn plain(text: &str) -> Self {
        Self::encode(TextEncoding::Latin1, text).unwrap_or_else(|_| Self {
            encoding: TextEncoding::Utf16,
            bytes: text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        })
    }

    /// How the text is stored.
    pub fn encoding(&self) -> TextEncoding {
        self.encoding
    }

    /// The bytes as stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn write(&self, kind: u8, maximum: usize, out: &mut Vec<u8>) -> Result<(), TextError> {
        let length = u8::try_from(self.bytes.len()).unwrap_or(u8::MAX);
        if usize::from(length) > maximum {
            return Err(self.too_long(maximum));
        }
        out.push(kind << 6 | length);
        out.extend_from_slice(&self.bytes);
        Ok(())
    }

    fn too_long(&self, maximum: usize) -> TextError {
        let length = self.bytes.len();
        TextError::Long { length, maximum }
    }
}

/// The text without the blanks and zeros that pad it. Control characters, which a terminal would obey, become U+FFFD.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.encoding {
            TextEncoding::Binary => {
                return self
                    .bytes
                    .iter()
                    .try_for_each(|byte| write!(f, "{byte:02x}"));
            }
            TextEncoding::BcdPlus => bcd_plus::decode(&self.bytes),
            TextEncoding::SixBit => six_bit::decode(&self.bytes),
            TextEncoding::Utf16 if self.bytes.len().is_multiple_of(2) => utf16(&self.bytes),
            // What has half a character is no UTF-16.
            TextEncoding::Latin1 | TextEncoding::Utf16 => {
                self.bytes.iter().copied().map(char::from).collect()
            }
        };
        for character in text.trim_end_matches(['\0', ' ']).chars() {
            f.write_char(match character {
                control if control.is_control() => char::REPLACEMENT_CHARACTER,
                other => other,
            })?;
        }
        Ok(())
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "binary (hexadecimal digits)",
            Self::BcdPlus => "BCD plus",
            Self::SixBit => "6-bit ASCII",
            Self::Latin1 => "Latin-1",
            Self::Utf16 => "UTF-16",
        })
    }
}

/// Encodes character by character, or names the one that has no code.
fn each(text: &str, code: impl Fn(char) -> Option<u8>) -> Result<Vec<u8>, char> {
    text.chars().map(|c| code(c).ok_or(c)).collect()
}

fn hexadecimal(text: &str) -> Result<Vec<u8>, char> {
    let digits = each(text, |c| {
        c.to_digit(16).and_then(|digit| digit.try_into().ok())
    })?;
    let (pairs, rest) = digits.as_chunks();
    if !rest.is_empty() {
        return Err(text.chars().last().unwrap_or_default());
    }
    Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// UTF-16, least significant byte first; half a character at the end is left out.
pub(crate) fn utf16(bytes: &[u8]) -> String {
    let (pairs, _) = bytes.as_chunks();
    let units: Vec<u16> = pairs.iter().copied().map(u16::from_le_bytes).collect();
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_encoding_shows_what_it_was_given() {
        for (encoding, text, bytes) in [
            (TextEncoding::Binary, "00ff2a", &[0x00, 0xff, 0x2a][..]),
            (TextEncoding::BcdPlus, "12-3.4", &[0x12, 0xb3, 0xc4]),
            // FRU storage definition §13.3.
            (TextEncoding::SixBit, "IPMI", &[0x29, 0xdc, 0xa6]),
            (TextEncoding::Latin1, "Lüfter", b"L\xfcfter"),
            (TextEncoding::Utf16, "温度", &[0x29, 0x6e, 0xa6, 0x5e]),
        ] {
            let stored = Text::encode(encoding, text).unwrap();
            assert_eq!(stored.as_bytes(), bytes);
            assert_eq!(stored.to_string(), text);
        }
    }

    #[test]
    fn what_an_encoding_lacks_is_named() {
        for (encoding, text, character) in [
            (TextEncoding::Binary, "0x", 'x'),
            (TextEncoding::Binary, "012", '2'),
            (TextEncoding::BcdPlus, "1a", 'a'),
            (TextEncoding::SixBit, "Ab", 'b'),
            (TextEncoding::Latin1, "a€", '€'),
        ] {
            let error = TextError::Character {
                character,
                encoding,
            };
            assert_eq!(Text::encode(encoding, text), Err(error));
        }
    }

    #[test]
    fn an_sdr_counts_characters_or_bytes_but_never_beyond_the_record() {
        let packed = [0x29, 0xdc, 0xa6];
        for count in [3, 4] {
            assert_eq!(Text::from_sdr(0x80 | count, &packed).to_string(), "IPMI");
        }
        assert_eq!(Text::from_sdr(0xdf, b"Fan 1").to_string(), "Fan 1");
        assert_eq!(Text::from_sdr(0xc3, b"Fan 1").to_string(), "Fan");
        let wide = [0x29, 0x6e, 0xa6, 0x5e];
        for count in [2, 4] {
            assert_eq!(Text::from_sdr(count, &wide).to_string(), "温度");
        }
        assert!(Text::from_sdr(0xc0, b"Fan").is_empty());
    }

    #[test]
    fn a_fru_field_ends_at_the_marker_or_where_the_area_does() {
        let area = [0xc2, b'o', b'k', 0x00, 0xc1, 0xc2];
        let (text, rest) = Text::from_fru(&area, false).unwrap();
        assert_eq!(text.to_string(), "ok");
        let (empty, rest) = Text::from_fru(rest, false).unwrap();
        assert!(empty.is_empty());
        assert_eq!(Text::from_fru(rest, false), None);
        assert_eq!(Text::from_fru(&[0xc3, b'n'], false), None);
        assert_eq!(Text::from_fru(&[], false), None);
    }

    #[test]
    fn what_a_field_cannot_hold_is_not_written() {
        let mut out = Vec::new();
        let letter = Text::encode(TextEncoding::Latin1, "a").unwrap();
        let error = letter.write_fru(&mut out).unwrap_err();
        assert_eq!(error, TextError::EndMarker(TextEncoding::Latin1));
        let long = Text::encode(TextEncoding::Latin1, &"a".repeat(64)).unwrap();
        let error = |maximum| TextError::Long {
            length: 64,
            maximum,
        };
        assert_eq!(long.write_fru(&mut out), Err(error(63)));
        assert_eq!(long.write_sdr(&mut out), Err(error(30)));
        assert!(out.is_empty());
        letter.write_sdr(&mut out).unwrap();
        assert_eq!(out, [0xc1, b'a']);
    }

    #[test]
    fn padding_is_left_out_and_control_characters_are_shown() {
        let text = Text::from_bytes(TextEncoding::Latin1, *b"a\x1b[2J \0\0");
        assert_eq!(text.to_string(), "a\u{fffd}[2J");
        let odd = Text::from_bytes(TextEncoding::Utf16, *b"abc");
        assert_eq!(odd.to_string(), "abc");
    }
}
