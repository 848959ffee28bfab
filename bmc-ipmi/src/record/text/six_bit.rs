//! 6-bit packed ASCII: characters 20h to 5Fh, the first in the low bits of the first byte.

use super::each;

/// Code of the first character, the blank.
const FIRST: u8 = 0x20;

pub(super) fn decode(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut bits, mut count) = (0_u16, 0);
    for byte in bytes {
        bits |= u16::from(*byte) << count;
        count += 8;
        while count >= 6 {
            let [low, _] = (bits & 0x3f).to_le_bytes();
            text.push(char::from(low + FIRST));
            bits >>= 6;
            count -= 6;
        }
    }
    text
}

pub(super) fn encode(text: &str) -> Result<Vec<u8>, char> {
    let codes = each(text, |c| {
        let code = u8::try_from(u32::from(c)).ok()?.checked_sub(FIRST)?;
        (code < 0x40).then_some(code)
    })?;
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u16, 0);
    for code in codes {
        bits |= u16::from(code) << count;
        count += 6;
        if count >= 8 {
            let [low, high] = bits.to_le_bytes();
            bytes.push(low);
            bits = high.into();
            count -= 8;
        }
    }
    if count > 0 {
        let [low, _] = bits.to_le_bytes();
        bytes.push(low);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_bytes_hold_four_characters() {
        for text in ["", "A", "AB", "ABC", "IPMI", "FAN_1", "[\\]^_ !\"#$%&'()*+"] {
            let bytes = encode(text).unwrap_or_default();
            assert_eq!(bytes.len(), (text.len() * 6).div_ceil(8));
            assert_eq!(decode(&bytes).trim_end(), text);
        }
    }
}
