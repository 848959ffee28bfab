//! Get Channel Authentication Capabilities, §22.13.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, THIS_CHANNEL, bit};
use crate::wire::{AuthType, NetFn, Privilege};

/// Asks how one can log in; answered without a session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChannelAuthCapabilities {
    /// Whether to ask for IPMI v2.0 data. BMCs that know v1.5 only may refuse that with CCh.
    pub extended: bool,
    /// Channel number, four bits.
    pub channel: u8,
    /// The privilege that the session shall have.
    pub privilege: Privilege,
}

impl GetChannelAuthCapabilities {
    const EXTENDED: u8 = 0x80;

    /// Asks for v2.0 data about the channel in use.
    pub fn this_channel(privilege: Privilege) -> Self {
        Self {
            extended: true,
            channel: THIS_CHANNEL,
            privilege,
        }
    }
}

impl Wire for GetChannelAuthCapabilities {
    const NAME: &'static str = "Get Channel Authentication Capabilities";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")?;
        Ok(Self {
            extended: channel & Self::EXTENDED != 0,
            channel: channel & 0x0f,
            privilege: Privilege::new(r.u8("maximum privilege level")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let extended = bit(self.extended, Self::EXTENDED);
        out.put_u8(self.channel & 0x0f | extended);
        out.put_u8(self.privilege.value());
    }
}

impl Command for GetChannelAuthCapabilities {
    type Response = ChannelAuthCapabilities;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x38;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}

/// How one can log in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChannelAuthCapabilities {
    /// The channel's number.
    pub channel: u8,
    /// Authentication types of v1.5: \[7\] v2.0 data valid, \[5\] OEM, \[4\] password, \[2\] MD5, \[1\] MD2, \[0\] none.
    pub auth_types: u8,
    /// \[5\] K_G set, \[4\] no per-message authentication, \[3\] no user-level authentication, \[2\] named users, \[1\] null user
    /// names, \[0\] anonymous login.
    pub login_status: u8,
    /// Versions that the channel speaks if `auth_types` \[7\] is set: \[1\] v2.0, \[0\] v1.5.
    pub versions: u8,
    /// Enterprise number of OEM authentication, 24 bits.
    pub oem: u32,
    /// OEM data.
    pub oem_data: u8,
}

impl ChannelAuthCapabilities {
    /// Bit of `auth_types`: `versions` is valid.
    pub const EXTENDED: u8 = 0x80;
    /// Bit of `versions`: IPMI v2.0 (RMCP+) sessions are possible.
    pub const V20: u8 = 0x02;
    /// Bit of `versions`: IPMI v1.5 sessions are possible.
    pub const V15: u8 = 0x01;
    /// Bit of `login_status`: the BMC has a K_G that is not zero.
    pub const KG_SET: u8 = 0x20;
    /// Bit of `login_status`: there are users with a name.
    pub const NAMED_USERS: u8 = 0x04;

    /// Bit of `login_status`: the messages of v1.5 sessions need no authentication.
    pub const NO_PER_MESSAGE: u8 = 0x10;

    /// Whether v1.5 sessions of this type are possible.
    pub fn offers(&self, auth_type: AuthType) -> bool {
        self.auth_types & auth_type.bit() != 0
    }

    /// Whether RMCP+ sessions are possible.
    pub fn supports_v20(&self) -> bool {
        self.auth_types & Self::EXTENDED != 0 && self.versions & Self::V20 != 0
    }

    /// Whether the BMC has a K_G that is not zero.
    pub fn needs_kg(&self) -> bool {
        self.login_status & Self::KG_SET != 0
    }
}

impl Wire for ChannelAuthCapabilities {
    const NAME: &'static str = "Get Channel Authentication Capabilities response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")?;
        let auth_types = r.u8("authentication type support")?;
        let login_status = r.u8("login status")?;
        let versions = r.u8("extended capabilities")?;
        let [low, middle, high] = r.array("OEM ID")?;
        Ok(Self {
            channel,
            auth_types,
            login_status,
            versions,
            oem: u32::from_le_bytes([low, middle, high, 0]),
            oem_data: r.u8("OEM auxiliary data")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.channel,
            self.auth_types,
            self.login_status,
            self.versions,
        ]);
        let [low, middle, high, _] = self.oem.to_le_bytes();
        out.put_slice(&[low, middle, high, self.oem_data]);
    }
}
