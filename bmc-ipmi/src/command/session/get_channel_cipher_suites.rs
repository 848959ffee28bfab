//! Get Channel Cipher Suites, §22.15.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, THIS_CHANNEL, bit};
use crate::wire::{NetFn, PayloadType, Privilege};

/// Asks for one part of the list of cipher suites; answered without a session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChannelCipherSuites {
    /// Channel number, four bits.
    pub channel: u8,
    /// The payload type that the suites are for.
    pub payload_type: PayloadType,
    /// Whether to list by suite; else by algorithm.
    pub by_suite: bool,
    /// Which part of the list, six bits: each is 16 bytes except for the last.
    pub index: u8,
}

impl GetChannelCipherSuites {
    /// Highest index.
    pub const MAX_INDEX: u8 = 0x3f;
    const BY_SUITE: u8 = 0x80;

    /// Asks for one part of the list for IPMI payloads on the channel in use.
    pub fn this_channel(index: u8) -> Self {
        Self {
            channel: THIS_CHANNEL,
            payload_type: PayloadType::IPMI,
            by_suite: true,
            index: index & Self::MAX_INDEX,
        }
    }
}

impl Wire for GetChannelCipherSuites {
    const NAME: &'static str = "Get Channel Cipher Suites";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")? & 0x0f;
        let payload_type = PayloadType::new(r.u8("payload type")?);
        let index = r.u8("list index")?;
        Ok(Self {
            channel,
            payload_type,
            by_suite: index & Self::BY_SUITE != 0,
            index: index & Self::MAX_INDEX,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let by_suite = bit(self.by_suite, Self::BY_SUITE);
        out.put_u8(self.channel & 0x0f);
        out.put_u8(self.payload_type.value());
        out.put_u8(self.index & Self::MAX_INDEX | by_suite);
    }
}

impl Command for GetChannelCipherSuites {
    type Response = ChannelCipherSuites;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x54;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}

/// One part of the list. Records may continue in the next part.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ChannelCipherSuites {
    /// The channel's number.
    pub channel: u8,
    /// At most [`ChannelCipherSuites::PART`] bytes of records.
    pub records: Vec<u8>,
}

impl ChannelCipherSuites {
    /// Length of each part but the last.
    pub const PART: usize = 16;

    /// Whether this is the last part.
    pub fn is_last(&self) -> bool {
        self.records.len() < Self::PART
    }
}

impl Wire for ChannelCipherSuites {
    const NAME: &'static str = "Get Channel Cipher Suites response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")?;
        let length = r.remaining().min(Self::PART);
        let records = r.take(length, "cipher suite records")?.to_vec();
        Ok(Self { channel, records })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.channel);
        out.put_slice(&self.records);
    }
}
