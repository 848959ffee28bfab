//! BCD plus: two characters a byte, the first in the high nibble.

use super::each;

const CHARACTERS: [char; 16] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ' ', '-', '.', ':', ',', '_',
];
/// Fills the last byte of an odd number of characters.
const BLANK: u8 = 0x0a;

pub(super) fn decode(bytes: &[u8]) -> String {
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0f]);
    nibbles
        .filter_map(|nibble| CHARACTERS.get(usize::from(nibble)))
        .collect()
}

pub(super) fn encode(text: &str) -> Result<Vec<u8>, char> {
    let nibbles = each(text, |c| {
        let position = CHARACTERS.iter().position(|known| *known == c)?;
        u8::try_from(position).ok()
    })?;
    let (pairs, rest) = nibbles.as_chunks();
    let odd = rest.first().map(|high| high << 4 | BLANK);
    let pairs = pairs.iter().map(|[high, low]| high << 4 | low);
    Ok(pairs.chain(odd).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_number_of_characters_is_filled_with_a_blank() {
        assert_eq!(encode("123"), Ok(vec![0x12, 0x3a]));
        assert_eq!(decode(&[0x12, 0x3a]), "123 ");
        assert_eq!(decode(&[0xab, 0xcd, 0xef]), " -.:,_");
    }
}
