//! Set Channel Access and Get Channel Access, §22.22 and §22.23.

use bytes::BufMut;

use crate::codec::{DecodeError, DecodeErrorKind, Reader, Wire};
use crate::command::{Command, bit};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Says who may use a channel and when.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetChannelAccess {
    /// The channel, four bits.
    pub channel: u8,
    /// When and how, and for how long that holds; `None` keeps it.
    pub access: Option<(AccessSource, ChannelAccess)>,
    /// The highest privilege of a session, and for how long that holds; `None` keeps it.
    pub limit: Option<(AccessSource, Privilege)>,
}

/// Asks who may use a channel and when.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetChannelAccess {
    /// The channel, four bits.
    pub channel: u8,
    /// Which of the two settings to read.
    pub source: AccessSource,
}

/// Which of the two settings of a channel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AccessSource {
    /// That which holds after the next start of the BMC.
    NonVolatile,
    /// That which holds now.
    Volatile,
}

/// When and how a channel may be used.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChannelAccess {
    /// Whether the BMC sends alerts.
    pub alerting: bool,
    /// Whether each message is authenticated (IPMI v1.5).
    pub per_message_authentication: bool,
    /// Whether commands of user level are authenticated (IPMI v1.5).
    pub user_level_authentication: bool,
    /// When it may be used.
    pub mode: AccessMode,
    /// The highest privilege of a session; [`Privilege::HIGHEST`] in a request, where it has a field of its own.
    pub limit: Privilege,
}

/// When a channel may be used: three bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AccessMode(u8);

code_table! {
    AccessMode, 0x07, "access mode":
    DISABLED = 0, "disabled";
    PRE_BOOT = 1, "pre-boot only";
    ALWAYS = 2, "always available";
    SHARED = 3, "shared";
}

impl SetChannelAccess {
    /// Completion code: the channel has no sessions.
    pub const SESSIONLESS: CompletionCode = CompletionCode(0x82);
    /// Completion code: the access mode is not supported.
    pub const MODE_UNSUPPORTED: CompletionCode = CompletionCode(0x83);
}

impl GetChannelAccess {
    /// Completion code: the channel has no sessions.
    pub const SESSIONLESS: CompletionCode = CompletionCode(0x82);
}

impl AccessSource {
    fn bits(self) -> u8 {
        match self {
            Self::NonVolatile => 0x40,
            Self::Volatile => 0x80,
        }
    }

    /// `None`: neither.
    fn from_bits(
        r: &Reader<'_>,
        byte: u8,
        field: &'static str,
    ) -> Result<Option<Self>, DecodeError> {
        match byte & 0xc0 {
            0x00 => Ok(None),
            0x40 => Ok(Some(Self::NonVolatile)),
            0x80 => Ok(Some(Self::Volatile)),
            found => {
                let (found, expected) = (found.into(), Self::Volatile.bits().into());
                Err(r.error(field, DecodeErrorKind::Value { found, expected }))
            }
        }
    }
}

impl ChannelAccess {
    const NO_ALERTING: u8 = 0x20;
    const NO_PER_MESSAGE: u8 = 0x10;
    const NO_USER_LEVEL: u8 = 0x08;

    fn from_bits(access: u8, limit: Privilege) -> Self {
        Self {
            alerting: access & Self::NO_ALERTING == 0,
            per_message_authentication: access & Self::NO_PER_MESSAGE == 0,
            user_level_authentication: access & Self::NO_USER_LEVEL == 0,
            mode: AccessMode::new(access),
            limit,
        }
    }

    fn bits(self) -> u8 {
        bit(!self.alerting, Self::NO_ALERTING)
            | bit(!self.per_message_authentication, Self::NO_PER_MESSAGE)
            | bit(!self.user_level_authentication, Self::NO_USER_LEVEL)
            | self.mode.value()
    }
}

impl Wire for SetChannelAccess {
    const NAME: &'static str = "Set Channel Access";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")? & 0x0f;
        let access = r.u8("channel access")?;
        let limit = r.u8("channel privilege limit")?;
        let access_source = AccessSource::from_bits(r, access, "channel access")?;
        let limit_source = AccessSource::from_bits(r, limit, "channel privilege limit")?;
        let access = ChannelAccess::from_bits(access, Privilege::HIGHEST);
        Ok(Self {
            channel,
            access: access_source.map(|source| (source, access)),
            limit: limit_source.map(|source| (source, Privilege::new(limit))),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.channel & 0x0f,
            self.access
                .map_or(0, |(source, access)| source.bits() | access.bits()),
            self.limit
                .map_or(0, |(source, limit)| source.bits() | limit.value()),
        ]);
    }
}

impl Command for SetChannelAccess {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x40;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

impl Wire for GetChannelAccess {
    const NAME: &'static str = "Get Channel Access";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let channel = r.u8("channel number")? & 0x0f;
        let source = r.u8("source")?;
        let Some(source) = AccessSource::from_bits(r, source, "source")? else {
            let (found, expected) = (0, AccessSource::Volatile.bits().into());
            return Err(r.error("source", DecodeErrorKind::Value { found, expected }));
        };
        Ok(Self { channel, source })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.channel & 0x0f, self.source.bits()]);
    }
}

impl Command for GetChannelAccess {
    type Response = ChannelAccess;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x41;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

impl Wire for ChannelAccess {
    const NAME: &'static str = "Get Channel Access response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let access = r.u8("channel access")?;
        let limit = Privilege::new(r.u8("channel privilege limit")?);
        Ok(Self::from_bits(access, limit))
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.bits(), self.limit.value()]);
    }
}
