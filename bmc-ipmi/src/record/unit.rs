//! What a reading counts, §43.17.

use std::fmt;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::reading::AnalogFormat;

/// The unit of a sensor's readings.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Units {
    /// How the raw readings are stored.
    pub format: AnalogFormat,
    /// Per which time.
    pub rate: Rate,
    /// What the modifier unit does.
    pub relation: UnitRelation,
    /// Whether readings are a percentage of the base unit.
    pub percentage: bool,
    /// The base unit.
    pub base: Unit,
    /// The modifier unit, [`Unit::NONE`] if the relation is.
    pub modifier: Unit,
}

/// A time that readings are per; three bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Rate(u8);

/// What the modifier unit does to the base unit; two bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct UnitRelation(u8);

/// A unit of table 43-15.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Unit(pub u8);

impl Units {
    /// Unsigned readings of `base`.
    pub fn of(base: Unit) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }
}

impl Wire for Units {
    const NAME: &'static str = "sensor units";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let flags = r.u8("sensor units 1")?;
        Ok(Self {
            format: AnalogFormat::from_bits(flags >> 6),
            rate: Rate::new(flags >> 3),
            relation: UnitRelation::new(flags >> 1),
            percentage: flags & 1 != 0,
            base: Unit(r.u8("sensor units 2 (base unit)")?),
            modifier: Unit(r.u8("sensor units 3 (modifier unit)")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let flags = self.format.bits() << 6
            | self.rate.0 << 3
            | self.relation.0 << 1
            | u8::from(self.percentage);
        out.put_slice(&[flags, self.base.0, self.modifier.0]);
    }
}

/// As short as people write it: `°C`, `%`, `kB/s`, `rpm`. Empty without any unit.
impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.percentage {
            text.push('%');
        }
        let base = self.base.to_string();
        if self.percentage && !base.is_empty() {
            text.push_str(" of ");
        }
        text.push_str(&base);
        match self.relation {
            UnitRelation::DIVIDED => text.push_str(&format!("/{}", self.modifier)),
            UnitRelation::MULTIPLIED => text.push_str(&format!("·{}", self.modifier)),
            _ => {}
        }
        if let Some(time) = self.rate.symbol() {
            text.push_str(&format!("/{time}"));
        }
        f.pad(&text)
    }
}

impl Rate {
    /// No rate.
    pub const NONE: Self = Self(0);
    /// Per second.
    pub const PER_SECOND: Self = Self(3);
    /// Per minute.
    pub const PER_MINUTE: Self = Self(4);

    /// The low three bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x07)
    }

    /// The three bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The symbol of the time; `None` without a rate.
    pub fn symbol(self) -> Option<&'static str> {
        ["", "µs", "ms", "s", "min", "h", "d"]
            .get(usize::from(self.0))
            .copied()
            .filter(|symbol| !symbol.is_empty())
    }
}

impl UnitRelation {
    /// There is no modifier unit.
    pub const NONE: Self = Self(0);
    /// Base unit divided by modifier unit.
    pub const DIVIDED: Self = Self(1);
    /// Base unit times modifier unit.
    pub const MULTIPLIED: Self = Self(2);

    /// The low two bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x03)
    }

    /// The two bits.
    pub const fn value(self) -> u8 {
        self.0
    }
}

macro_rules! units {
    ($($value:literal $text:literal,)*) => {
        impl Unit {
            /// Its symbol, or its name where it has none; `None` if the specification does not know it.
            pub fn symbol(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

units! {
    0 "", 1 "°C", 2 "°F", 3 "K", 4 "V", 5 "A", 6 "W", 7 "J", 8 "C", 9 "VA", 10 "nit", 11 "lm", 12 "lx", 13 "cd",
    14 "kPa", 15 "psi", 16 "N", 17 "cfm", 18 "rpm", 19 "Hz", 20 "µs", 21 "ms", 22 "s", 23 "min", 24 "h", 25 "d",
    26 "week", 27 "mil", 28 "in", 29 "ft", 30 "cu in", 31 "cu ft", 32 "mm", 33 "cm", 34 "m", 35 "cu cm", 36 "cu m",
    37 "l", 38 "fl oz", 39 "rad", 40 "sr", 41 "rev", 42 "cycle", 43 "gravity", 44 "oz", 45 "lb", 46 "ft-lb",
    47 "oz-in", 48 "G", 49 "Gb", 50 "H", 51 "mH", 52 "F", 53 "µF", 54 "Ω", 55 "S", 56 "mol", 57 "Bq", 58 "ppm",
    60 "dB", 61 "dBA", 62 "dBC", 63 "Gy", 64 "Sv", 65 "K (colour)", 66 "bit", 67 "kbit", 68 "Mbit", 69 "Gbit", 70 "B",
    71 "kB", 72 "MB", 73 "GB", 74 "word", 75 "dword", 76 "qword", 77 "line", 78 "hit", 79 "miss", 80 "retry",
    81 "reset", 82 "overrun", 83 "underrun", 84 "collision", 85 "packet", 86 "message", 87 "character", 88 "error",
    89 "correctable error", 90 "uncorrectable error", 91 "fatal error", 92 "g",
}

impl Unit {
    /// No unit, or not told.
    pub const NONE: Self = Self(0);
    /// Degrees Celsius.
    pub const CELSIUS: Self = Self(1);
    /// Volts.
    pub const VOLTS: Self = Self(4);
    /// Amperes.
    pub const AMPERES: Self = Self(5);
    /// Watts.
    pub const WATTS: Self = Self(6);
    /// Cubic feet a minute.
    pub const CFM: Self = Self(17);
    /// Revolutions a minute.
    pub const RPM: Self = Self(18);
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.symbol() {
            Some(symbol) => f.pad(symbol),
            None => f.pad(&format!("unit {}", self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_as_people_write_them() {
        let plain = |base| Units::of(Unit(base));
        assert_eq!(plain(1).to_string(), "°C");
        assert_eq!(plain(0).to_string(), "");
        assert_eq!(plain(59).to_string(), "unit 59");
        let percentage = true;
        assert_eq!(
            Units {
                percentage,
                ..plain(0)
            }
            .to_string(),
            "%"
        );
        assert_eq!(
            Units {
                percentage,
                ..plain(18)
            }
            .to_string(),
            "% of rpm"
        );
        let rate = Rate::PER_SECOND;
        assert_eq!(Units { rate, ..plain(71) }.to_string(), "kB/s");
        let (modifier, relation) = (Unit(24), UnitRelation::MULTIPLIED);
        let energy = Units {
            modifier,
            relation,
            ..plain(6)
        };
        assert_eq!(energy.to_string(), "W·h");
        let relation = UnitRelation::DIVIDED;
        assert_eq!(Units { relation, ..energy }.to_string(), "W/h");
    }
}
