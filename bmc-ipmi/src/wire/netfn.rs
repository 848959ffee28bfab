//! Network function codes, §5.1.

/// A network function: six bits; requests are even, responses are one more.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct NetFn(u8);

impl NetFn {
    /// Chassis.
    pub const CHASSIS: Self = Self(0x00);
    /// Sensor and event.
    pub const SENSOR: Self = Self(0x04);
    /// Application.
    pub const APP: Self = Self(0x06);
    /// Storage.
    pub const STORAGE: Self = Self(0x0a);
    /// Transport.
    pub const TRANSPORT: Self = Self(0x0c);
    /// Group extension.
    pub const GROUP: Self = Self(0x2c);
    /// OEM group extension: messages begin with an enterprise number.
    pub const OEM_GROUP: Self = Self(0x2e);
    /// The first that manufacturers use as they please, up to 3Eh.
    pub const OEM_FIRST: Self = Self(0x30);

    /// The network function in the low six bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x3f)
    }

    /// The six bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The code of the response to this request.
    pub const fn response(self) -> Self {
        Self(self.0 | 1)
    }

    /// Whether this is a response.
    pub const fn is_response(self) -> bool {
        self.0 & 1 == 1
    }
}
