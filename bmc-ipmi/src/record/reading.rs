//! From raw readings to values and back, §36.3 to §36.5, §43.1 bytes 24 to 30.

mod linearization;

use crate::command::ReadingFactors;

pub use linearization::Linearization;

/// How a raw reading is stored: bits \[7:6\] of the sensor units.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum AnalogFormat {
    /// 0 to 255.
    #[default]
    Unsigned,
    /// One's complement: −127 to 127, with two zeros.
    OnesComplement,
    /// Two's complement: −128 to 127.
    TwosComplement,
    /// The sensor has no analog reading.
    None,
}

/// How the raw readings of one sensor become values: y = L((M·x + B·10^K1)·10^K2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Conversion {
    /// How x is stored.
    pub format: AnalogFormat,
    /// L.
    pub linearization: Linearization,
    /// M, B, K1, K2, tolerance and accuracy.
    pub factors: ReadingFactors,
}

impl AnalogFormat {
    /// The format with this two-bit code.
    pub fn from_bits(bits: u8) -> Self {
        match bits & 0x03 {
            0 => Self::Unsigned,
            1 => Self::OnesComplement,
            2 => Self::TwosComplement,
            _ => Self::None,
        }
    }

    /// Its two-bit code.
    pub fn bits(self) -> u8 {
        match self {
            Self::Unsigned => 0,
            Self::OnesComplement => 1,
            Self::TwosComplement => 2,
            Self::None => 3,
        }
    }

    /// The number that `raw` stands for.
    pub fn number(self, raw: u8) -> Option<i16> {
        let signed = i16::from(raw.cast_signed());
        match self {
            Self::Unsigned => Some(raw.into()),
            // A negative number is one less than in two's complement: FFh is the other zero.
            Self::OnesComplement => Some(signed + i16::from(signed < 0)),
            Self::TwosComplement => Some(signed),
            Self::None => None,
        }
    }
}

impl Conversion {
    /// The value of `raw`. `None`: the sensor has no analog reading, its factors depend on the reading and were not
    /// fetched ([`needs_factors`](Self::needs_factors)), or there is no such value, as of 1/0.
    pub fn value(&self, raw: u8) -> Option<f64> {
        if self.factors.m == 0 {
            return None;
        }
        let linear = self.factors.apply(self.format.number(raw)?);
        self.linearization.apply(linear)
    }

    /// The raw reading whose value comes closest to `value`; `None` if `value` is outside what the sensor can read.
    pub fn raw(&self, value: f64) -> Option<u8> {
        let values = (0..=u8::MAX).filter_map(|raw| Some((raw, self.value(raw)?)));
        let (mut best, mut least, mut most) = (None, f64::INFINITY, f64::NEG_INFINITY);
        for (raw, candidate) in values {
            (least, most) = (least.min(candidate), most.max(candidate));
            let distance = (candidate - value).abs();
            if best.is_none_or(|(_, shortest)| distance < shortest) {
                best = Some((raw, distance));
            }
        }
        let (raw, _) = best?;
        // Half the last digit that people see may be missing at either end.
        let slack = (most - least) / 512.0;
        (least - slack..=most + slack)
            .contains(&value)
            .then_some(raw)
    }

    /// The difference that `raw` counts stand for: of a hysteresis, or of anything else without an offset. `None`
    /// where differences are not the same everywhere.
    pub fn difference(&self, raw: u8) -> Option<f64> {
        let linear = self.factors.m != 0 && self.linearization.is_linear();
        linear.then(|| self.factors.scale(self.factors.m.into(), raw.into()))
    }

    /// How far a value may be off, plus or minus. `None` where that is not the same everywhere.
    pub fn tolerance(&self) -> Option<f64> {
        let whole = self.difference(self.factors.tolerance)?;
        Some(whole.abs() / 2.0)
    }

    /// Accuracy in percent of the reading.
    pub fn accuracy(&self) -> f64 {
        self.factors.accuracy_percent()
    }

    /// Whether each raw reading has factors of its own, to be asked for by Get Sensor Reading Factors.
    pub fn needs_factors(&self) -> bool {
        self.linearization.is_non_linear()
    }

    /// The conversion of one raw reading of a non-linear sensor.
    pub fn with_factors(self, factors: ReadingFactors) -> Self {
        Self {
            linearization: Linearization::LINEAR,
            factors,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion(m: i16, b: i16, b_exponent: i8, r_exponent: i8) -> Conversion {
        Conversion {
            factors: ReadingFactors {
                m,
                b,
                b_exponent,
                r_exponent,
                ..ReadingFactors::default()
            },
            ..Conversion::default()
        }
    }

    #[test]
    fn three_formats_of_a_byte() {
        for (raw, unsigned, ones, twos) in [
            (0x00, 0, 0, 0),
            (0x7f, 127, 127, 127),
            (0x80, 128, -127, -128),
            (0xfe, 254, -1, -2),
            (0xff, 255, 0, -1),
        ] {
            assert_eq!(AnalogFormat::Unsigned.number(raw), Some(unsigned));
            assert_eq!(AnalogFormat::OnesComplement.number(raw), Some(ones));
            assert_eq!(AnalogFormat::TwosComplement.number(raw), Some(twos));
            assert_eq!(AnalogFormat::None.number(raw), None);
        }
    }

    #[test]
    fn values_of_a_linear_sensor() {
        // A 12 V rail: 0.063 V a count; a fan: 75 rpm a count; below zero by an offset of −50·10^1.
        assert_eq!(conversion(63, 0, 0, -3).value(190), Some(11.97));
        assert_eq!(conversion(75, 0, 0, 0).value(100), Some(7500.0));
        assert_eq!(conversion(10, -50, 1, -1).value(20), Some(-30.0));
        assert_eq!(
            conversion(0, 5, 0, 0).value(20),
            None,
            "M = 0 is no analog sensor"
        );
    }

    #[test]
    fn values_of_a_curved_sensor() {
        for (code, raw, value) in [
            (0, 3, Some(3.0)),
            (1, 1, Some(0.0)),
            (2, 100, Some(2.0)),
            (3, 8, Some(3.0)),
            (4, 0, Some(1.0)),
            (5, 2, Some(100.0)),
            (6, 10, Some(1024.0)),
            (7, 4, Some(0.25)),
            (8, 12, Some(144.0)),
            (9, 3, Some(27.0)),
            (10, 16, Some(4.0)),
            (11, 27, Some(3.0)),
            (1, 0, None),
            (2, 0, None),
            (3, 0, None),
            (7, 0, None),
            (0x0c, 1, None),
            (0x70, 1, None),
            (0x7f, 1, None),
        ] {
            let curved = Conversion {
                linearization: Linearization::new(code),
                ..conversion(1, 0, 0, 0)
            };
            assert_eq!(
                curved.value(raw),
                value,
                "linearization {code:02X}h of {raw}"
            );
        }
        let negative = Conversion {
            format: AnalogFormat::TwosComplement,
            linearization: Linearization::new(10),
            ..conversion(1, 0, 0, 0)
        };
        assert_eq!(negative.value(0xff), None, "no root of −1");
        let cube = Linearization::new(11);
        assert_eq!(
            Conversion {
                linearization: cube,
                ..negative
            }
            .value(0xf8),
            Some(-2.0)
        );
        let far = Conversion {
            linearization: Linearization::new(5),
            ..conversion(511, 0, 0, 7)
        };
        assert_eq!(far.value(255), None, "an infinite value is none");
    }

    #[test]
    fn a_non_linear_sensor_takes_the_factors_of_the_reading() {
        let sensor = Conversion {
            linearization: Linearization::new(0x70),
            ..conversion(1, 0, 0, 0)
        };
        assert!(sensor.needs_factors());
        let factors = conversion(2, 1, 1, 0).factors;
        assert_eq!(sensor.with_factors(factors).value(5), Some(20.0));
    }

    #[test]
    fn values_go_back_to_the_closest_reading() {
        let voltage = conversion(63, 0, 0, -3);
        assert_eq!(voltage.raw(12.0), Some(190));
        assert_eq!(voltage.raw(16.065), Some(255));
        assert_eq!(voltage.raw(17.0), None);
        assert_eq!(voltage.raw(-0.1), None);
        assert_eq!(voltage.raw(f64::NAN), None);
        let falling = conversion(-2, 100, 0, 0);
        assert_eq!(falling.raw(90.0), Some(5));
        let inverse = Conversion {
            linearization: Linearization::new(7),
            ..conversion(1, 0, 0, -3)
        };
        assert_eq!(inverse.raw(5.0), Some(200), "1000/200");
    }

    #[test]
    fn differences_have_no_offset_and_no_sign() {
        let mut falling = conversion(-5, 100, 1, -1);
        assert_eq!(falling.difference(4), Some(-2.0));
        falling.factors.tolerance = 4;
        assert_eq!(falling.tolerance(), Some(1.0));
        falling.factors.accuracy = 25;
        falling.factors.accuracy_exponent = 1;
        assert_eq!(falling.accuracy(), 2.5);
        falling.linearization = Linearization::new(8);
        assert_eq!(falling.difference(4), None);
    }
}
