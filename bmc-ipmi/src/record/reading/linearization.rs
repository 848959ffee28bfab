//! The function that straightens a sensor's curve.

use std::fmt;

/// L: applied to the linear value. Seven bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Linearization(u8);

impl Linearization {
    /// None: the sensor is linear.
    pub const LINEAR: Self = Self(0x00);
    /// Every reading has factors of its own.
    pub const NON_LINEAR: Self = Self(0x70);

    /// The code in the low seven bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x7f)
    }

    /// The seven bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Whether the same step of the reading is the same step of the value everywhere.
    pub const fn is_linear(self) -> bool {
        self.0 == Self::LINEAR.0
    }

    /// Whether every reading has factors of its own: 70h, and 71h to 7Fh of manufacturers.
    pub const fn is_non_linear(self) -> bool {
        self.0 >= Self::NON_LINEAR.0
    }

    /// L(`x`); `None` where it has no finite value or the code has no function.
    pub(super) fn apply(self, x: f64) -> Option<f64> {
        let value = match self.0 {
            0x00 => x,
            0x01 => x.ln(),
            0x02 => x.log10(),
            0x03 => x.log2(),
            0x04 => x.exp(),
            0x05 => 10f64.powf(x),
            0x06 => x.exp2(),
            0x07 => x.recip(),
            0x08 => x * x,
            0x09 => x * x * x,
            0x0a => x.sqrt(),
            0x0b => x.cbrt(),
            _ => return None,
        };
        value.is_finite().then_some(value)
    }
}

impl fmt::Display for Linearization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let functions = [
            "linear", "ln", "log10", "log2", "e^x", "10^x", "2^x", "1/x", "x²", "x³", "√x", "∛x",
        ];
        match functions.get(usize::from(self.0)) {
            Some(function) => f.pad(function),
            None if self.is_non_linear() => f.pad("non-linear"),
            None => f.pad("unknown"),
        }
    }
}
