//! Get Session Info, §22.20.

use std::net::Ipv4Addr;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, MacAddress, UserId};
use crate::wire::{NetFn, Privilege};

/// Asks about one session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum GetSessionInfo {
    /// The session that asks.
    Own,
    /// The active session with this number, from 1; the order is the BMC's.
    Nth(u8),
    /// The session with this handle.
    Handle(u8),
    /// The session with this session ID of the BMC.
    Id(u32),
}

impl GetSessionInfo {
    const OWN: u8 = 0x00;
    const HANDLE: u8 = 0xfe;
    const ID: u8 = 0xff;
}

impl Wire for GetSessionInfo {
    const NAME: &'static str = "Get Session Info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match r.u8("session index")? {
            Self::OWN => Self::Own,
            Self::HANDLE => Self::Handle(r.u8("session handle")?),
            Self::ID => Self::Id(r.u32_le("session ID")?),
            nth => Self::Nth(nth),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        match *self {
            Self::Own => out.put_u8(Self::OWN),
            Self::Nth(nth) => out.put_u8(nth),
            Self::Handle(handle) => out.put_slice(&[Self::HANDLE, handle]),
            Self::Id(id) => {
                out.put_u8(Self::ID);
                out.put_u32_le(id);
            }
        }
    }
}

impl Command for GetSessionInfo {
    type Response = SessionInfo;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x3d;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// How many sessions there are, and one of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SessionInfo {
    /// Handle of the session; 0 if there is no such session.
    pub handle: u8,
    /// How many sessions there can be, six bits.
    pub slots: u8,
    /// How many sessions there are, six bits.
    pub active: u8,
    /// The session, if there is one.
    pub session: Option<ActiveSession>,
}

/// A session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ActiveSession {
    /// Its user.
    pub user: UserId,
    /// Its privilege now.
    pub privilege: Privilege,
    /// Its channel, four bits.
    pub channel: u8,
    /// Its protocol, four bits: 0 is IPMI v1.5, 1 is IPMI v2.0, on a LAN channel.
    pub protocol: u8,
    /// The console's address, on a LAN channel.
    pub console: Option<ConsoleAddress>,
}

/// Where the console of a session is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ConsoleAddress {
    /// IP address.
    pub ip: Ipv4Addr,
    /// MAC address, or that of the gateway.
    pub mac: MacAddress,
    /// UDP port.
    pub port: u16,
}

impl Wire for SessionInfo {
    const NAME: &'static str = "Get Session Info response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let handle = r.u8("session handle")?;
        let slots = r.u8("possible sessions")? & 0x3f;
        let active = r.u8("active sessions")? & 0x3f;
        // Some BMCs fill up with zeroes where there is no session.
        let session = match r.remaining() {
            3.. if handle != 0 => Some(ActiveSession::decode(r)?),
            _ => None,
        };
        Ok(Self {
            handle,
            slots,
            active,
            session,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.handle, self.slots & 0x3f, self.active & 0x3f]);
        if let Some(session) = &self.session {
            session.encode(out);
        }
    }
}

impl Wire for ActiveSession {
    const NAME: &'static str = "active session";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let user = UserId::from_bits(r.u8("user ID")?);
        let privilege = Privilege::new(r.u8("operating privilege level")?);
        let channel = r.u8("protocol and channel number")?;
        let console = match r.remaining() {
            12.. => Some(ConsoleAddress::decode(r)?),
            _ => None,
        };
        Ok(Self {
            user,
            privilege,
            channel: channel & 0x0f,
            protocol: channel >> 4,
            console,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.user.value(),
            self.privilege.value(),
            self.channel & 0x0f | self.protocol << 4,
        ]);
        if let Some(console) = &self.console {
            console.encode(out);
        }
    }
}

impl Wire for ConsoleAddress {
    const NAME: &'static str = "console address";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            ip: Ipv4Addr::from(r.array::<4>("IP address")?),
            mac: MacAddress::decode(r)?,
            port: r.u16_le("port number")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.ip.octets());
        out.put_slice(&self.mac.0);
        out.put_u16_le(self.port);
    }
}
