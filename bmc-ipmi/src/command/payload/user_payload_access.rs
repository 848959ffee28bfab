//! Set User Payload Access and Get User Payload Access, §24.6 and §24.7.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, UserId, bit};
use crate::wire::{NetFn, Privilege};

/// Allows payloads to a user, or takes them away.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetUserPayloadAccess {
    /// The channel, four bits.
    pub channel: u8,
    /// The user.
    pub user: UserId,
    /// Whether to allow the payloads, or else to take them away.
    pub enable: bool,
    /// The payloads; others are not changed.
    pub payloads: PayloadAccess,
}

/// Asks which payloads a user may use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetUserPayloadAccess {
    /// The channel, four bits.
    pub channel: u8,
    /// The user.
    pub user: UserId,
}

/// Payloads that a user may use, one bit each.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PayloadAccess {
    /// Standard payloads: bit n is payload type n.
    pub standard: u8,
    /// OEM payloads: bit n is payload type 20h + n.
    pub oem: u8,
}

impl PayloadAccess {
    /// Serial over LAN.
    pub const SOL: Self = Self {
        standard: 0x02,
        oem: 0,
    };

    /// Whether SOL is among them.
    pub fn has_sol(self) -> bool {
        self.standard & Self::SOL.standard != 0
    }
}

impl SetUserPayloadAccess {
    const DISABLE: u8 = 0x40;
}

impl Wire for SetUserPayloadAccess {
    const NAME: &'static str = "Set User Payload Access";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")? & 0x0f;
        let user = r.u8("user ID")?;
        Ok(Self {
            channel,
            user: UserId::from_bits(user),
            enable: user & Self::DISABLE == 0,
            payloads: PayloadAccess::decode(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let operation = bit(!self.enable, Self::DISABLE);
        out.put_slice(&[self.channel & 0x0f, self.user.value() | operation]);
        self.payloads.encode(out);
    }
}

impl Command for SetUserPayloadAccess {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x4c;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

impl Wire for GetUserPayloadAccess {
    const NAME: &'static str = "Get User Payload Access";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (channel, user) = UserId::decode_on_channel(r)?;
        Ok(Self { channel, user })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.user.encode_on_channel(self.channel, out);
    }
}

impl Command for GetUserPayloadAccess {
    type Response = PayloadAccess;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x4d;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

impl Wire for PayloadAccess {
    const NAME: &'static str = "payload access";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let standard = r.u8("standard payloads")?;
        r.u8("reserved byte")?;
        let oem = r.u8("OEM payloads")?;
        r.u8("reserved byte")?;
        Ok(Self { standard, oem })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.standard, 0, self.oem, 0]);
    }
}
