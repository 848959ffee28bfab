//! Payload types, §13.27.3.

/// What an RMCP+ payload is: six bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PayloadType(pub(crate) u8);

impl PayloadType {
    /// IPMI message.
    pub const IPMI: Self = Self(0x00);
    /// Serial over LAN.
    pub const SOL: Self = Self(0x01);
    /// OEM payload with an explicit identity.
    pub const OEM_EXPLICIT: Self = Self(0x02);
    /// RMCP+ Open Session Request.
    pub const OPEN_SESSION_REQUEST: Self = Self(0x10);
    /// RMCP+ Open Session Response.
    pub const OPEN_SESSION_RESPONSE: Self = Self(0x11);
    /// RAKP Message 1.
    pub const RAKP_1: Self = Self(0x12);
    /// RAKP Message 2.
    pub const RAKP_2: Self = Self(0x13);
    /// RAKP Message 3.
    pub const RAKP_3: Self = Self(0x14);
    /// RAKP Message 4.
    pub const RAKP_4: Self = Self(0x15);

    /// The type in the low six bits of `byte`.
    pub const fn new(byte: u8) -> Self {
        Self(byte & 0x3f)
    }

    /// The six bits.
    pub const fn value(self) -> u8 {
        self.0
    }
}
