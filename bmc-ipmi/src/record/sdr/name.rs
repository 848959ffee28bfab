//! The name at the end of a record.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader};
use crate::record::{Text, TextEncoding};

/// Reads type/length byte and text; a record that ends before them has no name.
pub(super) fn read(r: &mut Reader<'_>) -> Result<Text, DecodeError> {
    let type_length = r.optional_u8("ID string type/length")?;
    let rest = r.rest();
    Ok(match type_length {
        Some(type_length) => Text::from_sdr(type_length, rest),
        None => Text::from_bytes(TextEncoding::Latin1, []),
    })
}

/// Writes what [`read`] reads as the same. Text that is longer than an SDR can count is cut.
pub(super) fn write(name: &Text, out: &mut impl BufMut) {
    let mut bytes = Vec::new();
    if name.write_sdr(&mut bytes).is_ok() {
        return out.put_slice(&bytes);
    }
    let text = name.as_bytes();
    let (kind, count, most) = match name.encoding() {
        // 16 to 31 characters of UTF-16 fit if they are counted as characters.
        TextEncoding::Utf16 if text.len().is_multiple_of(2) => (0, text.len() / 2, 62),
        TextEncoding::Utf16 => (0, text.len(), 31),
        TextEncoding::BcdPlus => (1, text.len(), 31),
        TextEncoding::SixBit => (2, text.len(), 31),
        TextEncoding::Latin1 | TextEncoding::Binary => (3, text.len(), 31),
    };
    let count = u8::try_from(count).unwrap_or(u8::MAX).min(31);
    out.put_u8(kind << 6 | count);
    out.put_slice(text.get(..most).unwrap_or(text));
}
