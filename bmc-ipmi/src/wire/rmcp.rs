//! RMCP header, §13.1.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// The four bytes that begin every datagram.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RmcpHeader {
    /// RMCP sequence number; IPMI always sends [`RmcpHeader::NO_ACK`].
    pub sequence: u8,
    /// Which protocol follows.
    pub class: RmcpClass,
}

/// RMCP message class with the acknowledge bit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RmcpClass(pub u8);

impl RmcpClass {
    /// Alert Standard Format.
    pub const ASF: Self = Self(0x06);
    /// IPMI.
    pub const IPMI: Self = Self(0x07);
}

impl RmcpHeader {
    /// The header of every IPMI datagram.
    pub const IPMI: Self = Self {
        sequence: Self::NO_ACK,
        class: RmcpClass::IPMI,
    };
    /// Sequence number of a datagram that wants no RMCP acknowledge.
    pub const NO_ACK: u8 = 0xff;
    /// RMCP version 1.0.
    pub const VERSION: u8 = 0x06;
    /// Length on the wire.
    pub const LENGTH: usize = 4;
}

impl Wire for RmcpHeader {
    const NAME: &'static str = "RMCP header";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.expect_u8(Self::VERSION, "RMCP version")?;
        r.u8("RMCP reserved byte")?;
        Ok(Self {
            sequence: r.u8("RMCP sequence number")?,
            class: RmcpClass(r.u8("RMCP class")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[Self::VERSION, 0, self.sequence, self.class.0]);
    }
}

/// Reads the RMCP header of a datagram that must carry IPMI.
pub(crate) fn expect_ipmi(r: &mut Reader<'_>) -> Result<(), DecodeError> {
    let header = RmcpHeader::decode(r)?;
    r.expect(header.class.0, RmcpClass::IPMI.0, "RMCP class")
}
