//! The BMC's channels: IPMB, LAN and the host's own interface.

use crate::command::{
    AccessMode, AccessSource, ChannelAccess, ChannelInfo, ChannelMedium, ChannelProtocol,
    GetChannelAccess, SessionSupport, SetChannelAccess, THIS_CHANNEL,
};
use crate::wire::{CompletionCode, Privilege};

/// The LAN channel of the BMC.
pub(super) const LAN_CHANNEL: u8 = 1;
const IPMB: u8 = 0;
const SYSTEM_INTERFACE: u8 = 15;

/// Who may use the LAN channel: now, and after the next start of the BMC.
pub(super) struct Channels {
    volatile: ChannelAccess,
    non_volatile: ChannelAccess,
}

impl Default for Channels {
    fn default() -> Self {
        let access = ChannelAccess {
            alerting: false,
            per_message_authentication: true,
            user_level_authentication: true,
            mode: AccessMode::ALWAYS,
            limit: Privilege::ADMINISTRATOR,
        };
        Self {
            volatile: access,
            non_volatile: access,
        }
    }
}

impl Channels {
    /// The BMC starts anew.
    pub(super) fn restart(&mut self) {
        self.volatile = self.non_volatile;
    }

    /// Whether the LAN channel takes logins.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.volatile.mode, AccessMode::ALWAYS | AccessMode::SHARED)
    }

    /// The highest privilege of a session.
    pub(super) fn limit(&self) -> Privilege {
        self.volatile.limit
    }

    pub(super) fn info(&self, channel: u8, sessions: usize) -> Result<ChannelInfo, CompletionCode> {
        let channel = actual(channel);
        let (medium, protocol, sessions, active_sessions) = match channel {
            IPMB => (
                ChannelMedium::IPMB,
                ChannelProtocol::IPMB,
                SessionSupport::NONE,
                0,
            ),
            LAN_CHANNEL => (
                ChannelMedium::LAN,
                ChannelProtocol::IPMB,
                SessionSupport::MULTI,
                u8::try_from(sessions).unwrap_or(0x3f).min(0x3f),
            ),
            SYSTEM_INTERFACE => (
                ChannelMedium::SYSTEM_INTERFACE,
                ChannelProtocol::KCS,
                SessionSupport::NONE,
                0,
            ),
            _ => return Err(CompletionCode::INVALID_DATA_FIELD),
        };
        Ok(ChannelInfo {
            channel,
            medium,
            protocol,
            sessions,
            active_sessions,
            vendor: ChannelInfo::IPMI,
            auxiliary: [0, 0],
        })
    }

    pub(super) fn access(
        &self,
        command: GetChannelAccess,
    ) -> Result<ChannelAccess, CompletionCode> {
        lan(command.channel, GetChannelAccess::SESSIONLESS)?;
        Ok(match command.source {
            AccessSource::Volatile => self.volatile,
            AccessSource::NonVolatile => self.non_volatile,
        })
    }

    pub(super) fn set_access(&mut self, command: SetChannelAccess) -> Result<(), CompletionCode> {
        lan(command.channel, SetChannelAccess::SESSIONLESS)?;
        if let Some((_, access)) = command.access
            && access.mode == AccessMode::PRE_BOOT
        {
            return Err(SetChannelAccess::MODE_UNSUPPORTED);
        }
        if let Some((source, access)) = command.access {
            let stored = self.stored(source);
            let limit = stored.limit;
            *stored = ChannelAccess { limit, ..access };
        }
        if let Some((source, limit)) = command.limit {
            self.stored(source).limit = limit;
        }
        Ok(())
    }

    fn stored(&mut self, source: AccessSource) -> &mut ChannelAccess {
        match source {
            AccessSource::Volatile => &mut self.volatile,
            AccessSource::NonVolatile => &mut self.non_volatile,
        }
    }
}

/// Refuses all channels but the LAN channel.
pub(super) fn lan(channel: u8, sessionless: CompletionCode) -> Result<(), CompletionCode> {
    match actual(channel) {
        LAN_CHANNEL => Ok(()),
        IPMB | SYSTEM_INTERFACE => Err(sessionless),
        _ => Err(CompletionCode::INVALID_DATA_FIELD),
    }
}

/// Consoles are on the LAN channel.
fn actual(channel: u8) -> u8 {
    match channel {
        THIS_CHANNEL => LAN_CHANNEL,
        other => other,
    }
}
