//! Get Channel Payload Support and Get Channel Payload Version, §24.8 and §24.9.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, PayloadType, Privilege};

/// Asks which payloads a channel can carry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChannelPayloadSupport(
    /// The channel, four bits.
    pub u8,
);

/// Asks which version of a payload a channel carries.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChannelPayloadVersion {
    /// The channel, four bits.
    pub channel: u8,
    /// The payload.
    pub payload_type: PayloadType,
}

/// Which payloads a channel can carry: bit n of all bytes together is payload type n.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ChannelPayloadSupport(pub [u8; 8]);

/// Version of a payload.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChannelPayloadVersion {
    /// Major version, four bits.
    pub major: u8,
    /// Minor version, four bits.
    pub minor: u8,
}

impl GetChannelPayloadVersion {
    /// Completion code: the channel does not carry the payload.
    pub const UNAVAILABLE: CompletionCode = CompletionCode(0x80);
}

impl ChannelPayloadSupport {
    /// The channel can carry these.
    pub fn of(payload_types: impl IntoIterator<Item = PayloadType>) -> Self {
        let bits = payload_types
            .into_iter()
            .fold(0_u64, |bits, payload| bits | 1 << payload.value());
        Self(bits.to_le_bytes())
    }

    /// Whether the channel can carry this payload.
    pub fn contains(self, payload_type: PayloadType) -> bool {
        u64::from_le_bytes(self.0) & 1 << payload_type.value() != 0
    }
}

impl Wire for GetChannelPayloadSupport {
    const NAME: &'static str = "Get Channel Payload Support";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("channel number").map(|channel| Self(channel & 0x0f))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0 & 0x0f);
    }
}

impl Command for GetChannelPayloadSupport {
    type Response = ChannelPayloadSupport;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x4e;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

impl Wire for ChannelPayloadSupport {
    const NAME: &'static str = "Get Channel Payload Support response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.array("payload types").map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.0);
    }
}

impl Wire for GetChannelPayloadVersion {
    const NAME: &'static str = "Get Channel Payload Version";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            channel: r.u8("channel number")? & 0x0f,
            payload_type: PayloadType::new(r.u8("payload type")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.channel & 0x0f, self.payload_type.value()]);
    }
}

impl Command for GetChannelPayloadVersion {
    type Response = ChannelPayloadVersion;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x4f;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

impl Wire for ChannelPayloadVersion {
    const NAME: &'static str = "Get Channel Payload Version response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let version = r.u8("format version")?;
        Ok(Self {
            major: version >> 4,
            minor: version & 0x0f,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.major << 4 | self.minor & 0x0f);
    }
}
