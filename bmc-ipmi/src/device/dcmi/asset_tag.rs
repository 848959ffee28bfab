//! The asset tag.

use tokio::time::Instant;

use crate::command::{AssetTagEncoding, GetAssetTag, SetAssetTag};
use crate::device::Dcmi;
use crate::device::dcmi::invalid;
use crate::device::dcmi::text::{PART, next_part, parts};
use crate::error::Error;
use crate::record::{Text, TextEncoding};

/// Most bytes of a tag.
const MOST: u8 = 63;
/// Begins a tag that is UTF-8.
const UTF_8: &[u8] = &[0xef, 0xbb, 0xbf];

impl Dcmi {
    /// The asset tag.
    ///
    /// # Errors
    /// As [`Client::execute`](crate::Client::execute).
    pub async fn asset_tag(&self, deadline: Instant) -> Result<String, Error> {
        let mut tag = Vec::new();
        let (mut encoding, mut total) = (AssetTagEncoding::Plain, PART);
        while let Some((offset, count)) = next_part(tag.len(), total, MOST) {
            let command = GetAssetTag { offset, count };
            let part = self.client.execute(&command, deadline).await?;
            (encoding, total) = (part.encoding, part.total);
            // What comes behind the tag's end is no part of it.
            tag.extend(part.data.iter().take(count.into()));
            tag.truncate(total.into());
            if part.data.is_empty() {
                break;
            }
        }
        Ok(decode(encoding, &tag))
    }

    /// Changes the asset tag; UTF-8 where ASCII is not enough.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a tag longer than 63 bytes, of which UTF-8 takes three for a mark, or with control
    /// characters: nothing was sent. Else as [`Client::execute`](crate::Client::execute); the tag may be written in part.
    pub async fn set_asset_tag(&self, tag: &str, deadline: Instant) -> Result<(), Error> {
        let mark = if tag.is_ascii() { &[] } else { UTF_8 };
        let bytes = [mark, tag.as_bytes()].concat();
        if bytes.len() > MOST.into() {
            let taken = bytes.len();
            let reason = format!("takes {taken} bytes, at most {MOST} are allowed");
            return Err(invalid("asset tag", reason));
        }
        if tag.contains(char::is_control) {
            return Err(invalid("asset tag", "must have no control characters"));
        }
        for (offset, part) in parts(&bytes) {
            let data = part.to_vec();
            let command = SetAssetTag { offset, data };
            self.client.execute(&command, deadline).await?;
        }
        Ok(())
    }
}

fn decode(encoding: AssetTagEncoding, tag: &[u8]) -> String {
    let encoding = match encoding {
        AssetTagEncoding::Binary => TextEncoding::Binary,
        AssetTagEncoding::BcdPlus => TextEncoding::BcdPlus,
        AssetTagEncoding::SixBit => TextEncoding::SixBit,
        AssetTagEncoding::Utf16 => TextEncoding::Utf16,
        AssetTagEncoding::Plain => {
            let text = tag.strip_prefix(UTF_8).unwrap_or(tag);
            // Many write UTF-8 without the mark.
            match std::str::from_utf8(text) {
                Ok(text) => return text.trim_end_matches(['\0', ' ']).to_owned(),
                Err(_) => TextEncoding::Latin1,
            }
        }
    };
    Text::from_bytes(encoding, tag).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_text() {
        let plain = AssetTagEncoding::Plain;
        assert_eq!(decode(plain, b"\xef\xbb\xbfK\xc3\xb6ln-7"), "Köln-7");
        assert_eq!(decode(plain, b"K\xc3\xb6ln-7\0\0"), "Köln-7", "no mark");
        assert_eq!(decode(plain, b"K\xf6ln-7"), "Köln-7", "Latin-1");
        assert_eq!(decode(AssetTagEncoding::Utf16, b"K\0\xf6\0"), "Kö");
        assert_eq!(
            decode(AssetTagEncoding::SixBit, &[0x29, 0xdc, 0xa6]),
            "IPMI"
        );
        assert_eq!(decode(AssetTagEncoding::BcdPlus, &[0x12, 0x3b]), "123-");
        assert_eq!(decode(AssetTagEncoding::Binary, &[0xab, 0x01]), "ab01");
    }

    #[test]
    fn parts_touch() {
        let text: Vec<_> = (0..40).collect();
        let parts: Vec<_> = parts(&text).collect();
        assert_eq!(
            parts,
            [(0, &text[..16]), (16, &text[16..32]), (32, &text[32..])]
        );
        assert_eq!(super::parts(&[]).collect::<Vec<_>>(), [(0, &[][..])]);
        assert_eq!(next_part(16, 20, MOST), Some((16, 4)));
        assert_eq!(next_part(20, 20, MOST), None);
        assert_eq!(next_part(48, 255, MOST), Some((48, 15)), "a lying total");
    }
}
