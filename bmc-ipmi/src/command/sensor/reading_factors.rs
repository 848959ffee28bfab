//! M, B, the exponents, tolerance and accuracy: bytes 25 to 30 of a full sensor record.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// The factors of a conversion.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ReadingFactors {
    /// M: −512 to 511; 0 if the sensor has no analog reading.
    pub m: i16,
    /// B: −512 to 511.
    pub b: i16,
    /// K1, the decimal exponent of B: −8 to 7.
    pub b_exponent: i8,
    /// K2, the decimal exponent of the result: −8 to 7.
    pub r_exponent: i8,
    /// Tolerance in half raw counts, plus or minus: 0 to 63.
    pub tolerance: u8,
    /// Accuracy in hundredths of a percent before its exponent: 0 to 1023.
    pub accuracy: u16,
    /// Decimal exponent of the accuracy: 0 to 3.
    pub accuracy_exponent: u8,
    /// 0 not told, 1 input, 2 output. Always 0 in a Get Sensor Reading Factors response.
    pub direction: u8,
}

impl ReadingFactors {
    /// (M·x + B·10^K1)·10^K2.
    pub(crate) fn apply(&self, x: i16) -> f64 {
        let sum =
            f64::from(self.m) * f64::from(x) + times_ten_to(f64::from(self.b), self.b_exponent);
        times_ten_to(sum, self.r_exponent)
    }

    /// `a`·`b`·10^K2.
    pub(crate) fn scale(&self, a: f64, b: f64) -> f64 {
        times_ten_to(a * b, self.r_exponent)
    }

    pub(crate) fn accuracy_percent(&self) -> f64 {
        times_ten_to(
            f64::from(self.accuracy),
            self.accuracy_exponent.cast_signed(),
        ) / 100.0
    }
}

impl Wire for ReadingFactors {
    const NAME: &'static str = "sensor reading factors";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [m, m_tolerance, b, b_accuracy, accuracy, exponents] = r.array("M to exponents")?;
        Ok(Self {
            m: ten_bits(m, m_tolerance),
            b: ten_bits(b, b_accuracy),
            b_exponent: four_bits(exponents),
            r_exponent: four_bits(exponents >> 4),
            tolerance: m_tolerance & 0x3f,
            accuracy: u16::from(accuracy & 0xf0) << 2 | u16::from(b_accuracy & 0x3f),
            accuracy_exponent: accuracy >> 2 & 0x03,
            direction: accuracy & 0x03,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let [m, m_high] = (self.m.cast_unsigned() & 0x3ff).to_le_bytes();
        let [b, b_high] = (self.b.cast_unsigned() & 0x3ff).to_le_bytes();
        let [accuracy, _] = (self.accuracy & 0x3f).to_le_bytes();
        let [accuracy_high, _] = (self.accuracy >> 2 & 0xf0).to_le_bytes();
        out.put_slice(&[
            m,
            m_high << 6 | self.tolerance & 0x3f,
            b,
            b_high << 6 | accuracy,
            accuracy_high | (self.accuracy_exponent & 0x03) << 2 | self.direction & 0x03,
            (self.r_exponent.cast_unsigned() & 0x0f) << 4 | self.b_exponent.cast_unsigned() & 0x0f,
        ]);
    }
}

/// Two's complement of `low` and the two top bits of `high`.
fn ten_bits(low: u8, high: u8) -> i16 {
    let bits = u16::from(high >> 6) << 8 | u16::from(low);
    (bits << 6).cast_signed() >> 6
}

/// Two's complement of the low four bits.
fn four_bits(bits: u8) -> i8 {
    (bits << 4).cast_signed() >> 4
}

/// Divides for a negative exponent: unlike its powers, 10 has an exact form.
fn times_ten_to(value: f64, exponent: i8) -> f64 {
    let power = 10f64.powi(i32::from(exponent.unsigned_abs()));
    if exponent < 0 {
        value / power
    } else {
        value * power
    }
}
