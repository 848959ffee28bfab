//! Several sensors in one record, §43.2 bytes 24 and 25.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::Entity;

/// How many sensors share a record, and how they are told apart.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Sharing {
    /// 0 not told, 1 input, 2 output; two bits.
    pub direction: u8,
    /// How the number at the end of a name is written: 0 decimal, 1 in letters; two bits.
    pub suffix: u8,
    /// Number of sensors; four bits, 0 is one.
    pub count: u8,
    /// Whether each sensor belongs to the next instance of the entity, instead of all to one.
    pub instances: bool,
    /// Number at the end of the first name; seven bits.
    pub offset: u8,
}

impl Sharing {
    const LETTERS: u8 = 1;

    /// The number of sensors, 1 to 15.
    pub fn sensors(self) -> u8 {
        self.count.max(1)
    }

    /// The end of the name of sensor `index`, counted from 0; nothing for a record of a single sensor.
    pub(crate) fn suffix(self, index: u8) -> String {
        let number = u16::from(self.offset) + u16::from(index);
        match (self.count, self.suffix) {
            (0 | 1, _) => String::new(),
            (_, Self::LETTERS) => letters(number),
            _ => number.to_string(),
        }
    }

    /// The entity of sensor `index`, counted from 0, if that of the first is `first`.
    pub(crate) fn entity(self, first: Entity, index: u8) -> Entity {
        let step = if self.instances { index } else { 0 };
        let instance = first.instance & 0x80 | first.number().wrapping_add(step) & 0x7f;
        Entity { instance, ..first }
    }
}

impl Wire for Sharing {
    const NAME: &'static str = "record sharing";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [first, second] = r.array("record sharing")?;
        Ok(Self {
            direction: first >> 6,
            suffix: first >> 4 & 0x03,
            count: first & 0x0f,
            instances: second & 0x80 != 0,
            offset: second & 0x7f,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.direction << 6 | (self.suffix & 0x03) << 4 | self.count & 0x0f,
            u8::from(self.instances) << 7 | self.offset & 0x7f,
        ]);
    }
}

/// A to Z, AA to AZ, BA...
fn letters(number: u16) -> String {
    let letter = |n: u16| u8::try_from(n % 26).map_or('?', |n| char::from(b'A' + n));
    match number / 26 {
        0 => letter(number).into(),
        tens => [letter(tens - 1), letter(number)].iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::EntityId;

    #[test]
    fn names_end_in_numbers_or_letters() {
        let decimal = Sharing {
            count: 3,
            offset: 9,
            ..Sharing::default()
        };
        assert_eq!(decimal.suffix(0), "9");
        assert_eq!(decimal.suffix(2), "11");
        let letters = Sharing {
            count: 4,
            offset: 24,
            suffix: 1,
            ..Sharing::default()
        };
        let suffixes: Vec<_> = (0..4).map(|index| letters.suffix(index)).collect();
        assert_eq!(suffixes, ["Y", "Z", "AA", "AB"]);
        for count in [0, 1] {
            let single = Sharing {
                count,
                offset: 9,
                ..Sharing::default()
            };
            assert_eq!((single.suffix(0), single.sensors()), (String::new(), 1));
        }
    }

    #[test]
    fn instances_count_up_where_the_record_says_so() {
        let logical = Entity {
            id: EntityId::FAN,
            instance: 0x83,
        };
        let one = Sharing {
            count: 3,
            ..Sharing::default()
        };
        assert_eq!(one.entity(logical, 2), logical);
        let each = Sharing {
            instances: true,
            ..one
        };
        assert_eq!(each.entity(logical, 2).instance, 0x85);
    }
}
