//! ASF presence ping and pong, §13.2.3: who answers speaks RMCP. All fields are most significant byte first.

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};
use crate::wire::rmcp::{RmcpClass, RmcpHeader};

/// Enterprise number of the Alerting Specifications Forum.
const ASF_IANA: u32 = 4542;
const PING: u8 = 0x80;
const PONG: u8 = 0x40;
const PONG_LENGTH: u8 = 16;

/// Console to BMC: is anybody there? The whole datagram.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PresencePing {
    /// Chosen by the console; the pong repeats it.
    pub tag: u8,
}

/// BMC to console: yes. The whole datagram.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PresencePong {
    /// The ping's tag.
    pub tag: u8,
    /// Enterprise number of whoever defines `oem_data`; 4542 if nobody does.
    pub oem: u32,
    /// Bytes of the vendor's own.
    pub oem_data: u32,
    /// Supported entities: \[7\] IPMI, \[3:0\] version of ASF.
    pub entities: u8,
    /// Supported interactions: \[7\] security extensions of RMCP, \[5\] DASH.
    pub interactions: u8,
}

impl PresencePong {
    /// The pong of a BMC that speaks IPMI.
    pub fn ipmi(tag: u8) -> Self {
        Self {
            tag,
            oem: ASF_IANA,
            oem_data: 0,
            entities: Self::IPMI | 1,
            interactions: 0,
        }
    }

    /// Whether the sender speaks IPMI.
    pub fn speaks_ipmi(&self) -> bool {
        self.entities & Self::IPMI != 0
    }

    const IPMI: u8 = 0x80;
}

impl Wire for PresencePing {
    const NAME: &'static str = "ASF presence ping";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let tag = decode_header(r, PING)?;
        r.expect_u8(0, "data length")?;
        Ok(Self { tag })
    }

    fn encode(&self, out: &mut impl BufMut) {
        encode_header(PING, self.tag, 0, out);
    }
}

impl Wire for PresencePong {
    const NAME: &'static str = "ASF presence pong";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let tag = decode_header(r, PONG)?;
        r.expect_u8(PONG_LENGTH, "data length")?;
        let oem = u32::from_be_bytes(r.array("OEM enterprise number")?);
        let oem_data = u32::from_be_bytes(r.array("OEM-defined bytes")?);
        let entities = r.u8("supported entities")?;
        let interactions = r.u8("supported interactions")?;
        r.take(6, "reserved bytes")?;
        Ok(Self {
            tag,
            oem,
            oem_data,
            entities,
            interactions,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        encode_header(PONG, self.tag, PONG_LENGTH, out);
        out.put_u32(self.oem);
        out.put_u32(self.oem_data);
        out.put_slice(&[self.entities, self.interactions, 0, 0, 0, 0, 0, 0]);
    }
}

/// Reads RMCP and ASF header up to the tag.
fn decode_header(r: &mut Reader<'_>, message_type: u8) -> Result<u8, DecodeError> {
    let rmcp = RmcpHeader::decode(r)?;
    r.expect(rmcp.class.0, RmcpClass::ASF.0, "RMCP class")?;
    let found = u32::from_be_bytes(r.array("enterprise number")?);
    if found != ASF_IANA {
        let expected = ASF_IANA;
        return Err(r.error(
            "enterprise number",
            DecodeErrorKind::Value { found, expected },
        ));
    }
    r.expect_u8(message_type, "message type")?;
    let tag = r.u8("message tag")?;
    r.u8("reserved byte")?;
    Ok(tag)
}

fn encode_header(message_type: u8, tag: u8, length: u8, out: &mut impl BufMut) {
    let rmcp = RmcpHeader {
        sequence: RmcpHeader::NO_ACK,
        class: RmcpClass::ASF,
    };
    rmcp.encode(out);
    out.put_u32(ASF_IANA);
    out.put_slice(&[message_type, tag, 0, length]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From a dialogue with OpenIPMI's simulator.
    #[test]
    fn captured_bytes() {
        let ping = [6, 0, 0xff, 6, 0, 0, 0x11, 0xbe, 0x80, 0x42, 0, 0];
        assert_eq!(PresencePing { tag: 0x42 }.to_bytes(), ping);
        let pong = [
            6, 0, 0xff, 6, 0, 0, 0x11, 0xbe, 0x40, 0x42, 0, 16, 0, 0, 0x11, 0xbe, 0, 0, 0, 0, 0x81,
            0, 0, 0, 0, 0, 0, 0,
        ];
        assert_eq!(
            PresencePong::from_bytes(&pong),
            Ok(PresencePong::ipmi(0x42))
        );
        assert_eq!(PresencePong::ipmi(0x42).to_bytes(), pong);
        assert!(PresencePong::from_bytes(&ping).is_err());
    }
}
