//! Set User Access and Get User Access, §22.26 and §22.27.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::user::UserId;
use crate::command::{Command, bit};
use crate::wire::{NetFn, Privilege};

/// Says what a user may do on a channel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetUserAccess {
    /// The channel, four bits.
    pub channel: u8,
    /// The user.
    pub user: UserId,
    /// What the user may use; `None` keeps it and changes only the limits.
    pub flags: Option<UserFlags>,
    /// The highest privilege of a session; [`UserAccess::NO_ACCESS`] for none.
    pub limit: Privilege,
    /// How many sessions the user may have, four bits, 0 for any number; optional, and BMCs without such a limit
    /// refuse another number than 0.
    pub session_limit: Option<u8>,
}

/// Asks what a user may do on a channel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetUserAccess {
    /// The channel, four bits.
    pub channel: u8,
    /// The user.
    pub user: UserId,
}

/// What a user may use on a channel.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct UserFlags {
    /// Only sessions that the BMC calls back for.
    pub callback_only: bool,
    /// Authentication of the link (PPP).
    pub link_authentication: bool,
    /// IPMI messages: without it there is no session.
    pub messaging: bool,
}

/// What a user may do on a channel, and how many users there are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct UserAccess {
    /// How many users the BMC has place for, six bits.
    pub max_users: u8,
    /// Whether the user is enabled.
    pub status: UserStatus,
    /// How many users are enabled, six bits.
    pub enabled_users: u8,
    /// How many users have names that cannot be changed, six bits; they are the first ones.
    pub fixed_names: u8,
    /// What the user may use.
    pub flags: UserFlags,
    /// The highest privilege of a session.
    pub limit: Privilege,
}

/// Whether a user is enabled: two bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct UserStatus(u8);

code_table! {
    UserStatus, 0x03, "user status":
    UNSPECIFIED = 0, "unspecified";
    ENABLED = 1, "enabled";
    DISABLED = 2, "disabled";
}

impl UserAccess {
    /// Limit of a user who may not open a session.
    pub const NO_ACCESS: Privilege = Privilege::new(0x0f);
}

impl SetUserAccess {
    const CHANGE: u8 = 0x80;
}

impl UserFlags {
    /// A user of IPMI over LAN.
    pub const LAN: Self = Self {
        callback_only: false,
        link_authentication: true,
        messaging: true,
    };

    fn from_bits(bits: u8) -> Self {
        Self {
            callback_only: bits & 0x40 != 0,
            link_authentication: bits & 0x20 != 0,
            messaging: bits & 0x10 != 0,
        }
    }

    fn bits(self) -> u8 {
        bit(self.callback_only, 0x40)
            | bit(self.link_authentication, 0x20)
            | bit(self.messaging, 0x10)
    }
}

impl Wire for SetUserAccess {
    const NAME: &'static str = "Set User Access";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let first = r.u8("channel number")?;
        Ok(Self {
            channel: first & 0x0f,
            user: UserId::from_bits(r.u8("user ID")?),
            flags: (first & Self::CHANGE != 0).then(|| UserFlags::from_bits(first)),
            limit: Privilege::new(r.u8("user privilege limit")?),
            session_limit: r
                .optional_u8("user session limit")?
                .map(|limit| limit & 0x0f),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let flags = self.flags.map_or(0, |flags| Self::CHANGE | flags.bits());
        out.put_slice(&[
            self.channel & 0x0f | flags,
            self.user.value(),
            self.limit.value(),
        ]);
        if let Some(limit) = self.session_limit {
            out.put_u8(limit & 0x0f);
        }
    }
}

impl Command for SetUserAccess {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x43;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

impl Wire for GetUserAccess {
    const NAME: &'static str = "Get User Access";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (channel, user) = UserId::decode_on_channel(r)?;
        Ok(Self { channel, user })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.user.encode_on_channel(self.channel, out);
    }
}

impl Command for GetUserAccess {
    type Response = UserAccess;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x44;
    const IDEMPOTENT: bool = true;
    /// OpenBMC wants ADMINISTRATOR, to which a session is raised when it is refused.
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}

impl Wire for UserAccess {
    const NAME: &'static str = "Get User Access response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let max_users = r.u8("maximum number of users")? & 0x3f;
        let enabled = r.u8("number of enabled users")?;
        let fixed_names = r.u8("number of fixed names")? & 0x3f;
        let access = r.u8("channel access")?;
        Ok(Self {
            max_users,
            status: UserStatus::new(enabled >> 6),
            enabled_users: enabled & 0x3f,
            fixed_names,
            flags: UserFlags::from_bits(access),
            limit: Privilege::new(access),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.max_users & 0x3f,
            self.status.value() << 6 | self.enabled_users & 0x3f,
            self.fixed_names & 0x3f,
            self.flags.bits() | self.limit.value(),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Administrator on channel 1 by `ipmitool user priv 3 4 1`, and `channel setaccess 1 3 link=on ipmi=on`.
    #[test]
    fn known_bytes() {
        let user = UserId::from_bits(3);
        let set = SetUserAccess {
            channel: 1,
            user,
            flags: None,
            limit: Privilege::ADMINISTRATOR,
            session_limit: Some(0),
        };
        assert_eq!(SetUserAccess::from_bytes(&[0x01, 3, 4, 0]), Ok(set));
        let flags = Some(UserFlags::LAN);
        let set = SetUserAccess { flags, ..set };
        assert_eq!(SetUserAccess::from_bytes(&[0xb1, 3, 4, 0]), Ok(set));
    }
}
