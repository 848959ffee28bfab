//! Get Channel Info, §22.24.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, THIS_CHANNEL};
use crate::wire::{NetFn, Privilege};

/// Asks what a channel is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChannelInfo(
    /// The channel, four bits.
    pub u8,
);

impl GetChannelInfo {
    /// Asks what the channel is that the session uses.
    pub const THIS: Self = Self(THIS_CHANNEL);
}

impl Wire for GetChannelInfo {
    const NAME: &'static str = "Get Channel Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("channel number").map(|channel| Self(channel & 0x0f))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0 & 0x0f);
    }
}

impl Command for GetChannelInfo {
    type Response = ChannelInfo;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x42;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// What a channel is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChannelInfo {
    /// Its number, four bits.
    pub channel: u8,
    /// What it runs over.
    pub medium: ChannelMedium,
    /// How messages are framed.
    pub protocol: ChannelProtocol,
    /// Whether it has sessions.
    pub sessions: SessionSupport,
    /// How many sessions are active, six bits.
    pub active_sessions: u8,
    /// Who defined the protocol: an enterprise number, 24 bits; 7154 is the IPMI specification.
    pub vendor: u32,
    /// More, by medium.
    pub auxiliary: [u8; 2],
}

/// What a channel runs over: seven bits, table 6-3.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ChannelMedium(u8);

code_table! {
    ChannelMedium, 0x7f, "medium":
    IPMB = 0x01, "IPMB (I2C)";
    ICMB_1_0 = 0x02, "ICMB v1.0";
    ICMB_0_9 = 0x03, "ICMB v0.9";
    LAN = 0x04, "802.3 LAN";
    SERIAL = 0x05, "serial/modem";
    OTHER_LAN = 0x06, "other LAN";
    PCI_SMBUS = 0x07, "PCI SMBus";
    SMBUS_1 = 0x08, "SMBus v1.0/1.1";
    SMBUS_2 = 0x09, "SMBus v2.0";
    USB_1 = 0x0a, "USB 1.x";
    USB_2 = 0x0b, "USB 2.x";
    SYSTEM_INTERFACE = 0x0c, "system interface";
}

/// How messages are framed: five bits, table 6-2.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ChannelProtocol(u8);

code_table! {
    ChannelProtocol, 0x1f, "protocol":
    IPMB = 0x01, "IPMB-1.0";
    ICMB = 0x02, "ICMB-1.0";
    SMBUS = 0x04, "IPMI-SMBus";
    KCS = 0x05, "KCS";
    SMIC = 0x06, "SMIC";
    BT_10 = 0x07, "BT v1.0";
    BT_15 = 0x08, "BT v1.5";
    TERMINAL_MODE = 0x09, "terminal mode";
}

/// Whether a channel has sessions: two bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SessionSupport(u8);

code_table! {
    SessionSupport, 0x03, "session support":
    NONE = 0, "session-less";
    SINGLE = 1, "single-session";
    MULTI = 2, "multi-session";
    BASED = 3, "session-based";
}

impl ChannelInfo {
    /// The IPMI specification as [`vendor`](Self::vendor).
    pub const IPMI: u32 = 7154;
}

impl Wire for ChannelInfo {
    const NAME: &'static str = "Get Channel Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")? & 0x0f;
        let medium = ChannelMedium::new(r.u8("channel medium type")?);
        let protocol = ChannelProtocol::new(r.u8("channel protocol type")?);
        let sessions = r.u8("session support")?;
        let [low, middle, high] = r.array("vendor ID")?;
        let auxiliary = r.array("auxiliary channel info")?;
        Ok(Self {
            channel,
            medium,
            protocol,
            sessions: SessionSupport::new(sessions >> 6),
            active_sessions: sessions & 0x3f,
            vendor: u32::from_le_bytes([low, middle, high, 0]),
            auxiliary,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let [low, middle, high, _] = self.vendor.to_le_bytes();
        out.put_slice(&[
            self.channel & 0x0f,
            self.medium.value(),
            self.protocol.value(),
            self.sessions.value() << 6 | self.active_sessions & 0x3f,
            low,
            middle,
            high,
        ]);
        out.put_slice(&self.auxiliary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As OpenIPMI's `ipmi_sim` describes its LAN channel.
    #[test]
    fn known_bytes() {
        let bytes = [0x01, 0x04, 0x01, 0x80, 0xf2, 0x1b, 0x00, 0x00, 0x00];
        let info = ChannelInfo {
            channel: 1,
            medium: ChannelMedium::LAN,
            protocol: ChannelProtocol::IPMB,
            sessions: SessionSupport::MULTI,
            active_sessions: 0,
            vendor: ChannelInfo::IPMI,
            auxiliary: [0, 0],
        };
        assert_eq!(ChannelInfo::from_bytes(&bytes), Ok(info));
        assert_eq!(info.to_bytes(), bytes);
    }
}
