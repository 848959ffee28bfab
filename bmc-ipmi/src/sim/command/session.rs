//! Session commands.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::command::session::cipher_suite_records::encode_records;
use crate::command::{
    ActiveSession, ChannelAuthCapabilities, ChannelCipherSuites, CloseSession, ConsoleAddress,
    GetChannelAuthCapabilities, GetChannelCipherSuites, GetSessionInfo, MacAddress, SessionInfo,
    SetSessionPrivilegeLevel, UserId,
};
use crate::quirks::Quirk;
use crate::sim::dispatch::Call;
use crate::sim::{LAN_CHANNEL, Sim};
use crate::wire::{CompletionCode, Privilege};

impl Sim {
    pub(in crate::sim) fn auth_capabilities(
        &mut self,
        _: Call,
        command: GetChannelAuthCapabilities,
    ) -> Result<ChannelAuthCapabilities, CompletionCode> {
        let kg = if self.settings.kg.is_some() {
            ChannelAuthCapabilities::KG_SET
        } else {
            0
        };
        let offered = self.settings.auth_types.iter();
        let auth_types = offered.fold(0, |bits, auth_type| bits | auth_type.bit());
        let v15 = if auth_types == 0 {
            0
        } else {
            ChannelAuthCapabilities::V15
        };
        let (extended, versions) = if command.extended {
            (
                ChannelAuthCapabilities::EXTENDED,
                ChannelAuthCapabilities::V20 | v15,
            )
        } else {
            (0, 0)
        };
        let no_codes = if self.settings.announces_no_codes() {
            ChannelAuthCapabilities::NO_PER_MESSAGE
        } else {
            0
        };
        let listed = if self.settings.needs(Quirk::AuthCapabilities) {
            0
        } else {
            auth_types
        };
        Ok(ChannelAuthCapabilities {
            channel: LAN_CHANNEL,
            auth_types: listed | extended,
            login_status: ChannelAuthCapabilities::NAMED_USERS | kg | no_codes,
            versions,
            oem: 0,
            oem_data: 0,
        })
    }

    pub(in crate::sim) fn cipher_suites(
        &mut self,
        _: Call,
        command: GetChannelCipherSuites,
    ) -> Result<ChannelCipherSuites, CompletionCode> {
        let records: Vec<_> = self
            .settings
            .suites
            .iter()
            .map(|suite| (*suite).into())
            .collect();
        let list = encode_records(&records);
        let mut parts = list.chunks(ChannelCipherSuites::PART);
        let part = parts.nth(command.index.into()).unwrap_or_default();
        Ok(ChannelCipherSuites {
            channel: LAN_CHANNEL,
            records: part.to_vec(),
        })
    }

    pub(in crate::sim) fn set_privilege(
        &mut self,
        call: Call,
        command: SetSessionPrivilegeLevel,
    ) -> Result<SetSessionPrivilegeLevel, CompletionCode> {
        if self.settings.needs(Quirk::I82571Spt) {
            return Err(CompletionCode::INVALID_COMMAND);
        }
        let active = call.session.and_then(|id| self.sessions.active(id));
        let active = active.ok_or(CompletionCode::INSUFFICIENT_PRIVILEGE)?;
        match command.0 {
            Privilege::HIGHEST => {}
            Privilege::CALLBACK => return Err(SetSessionPrivilegeLevel::UNAVAILABLE_FOR_USER),
            wanted if wanted > active.limit => return Err(SetSessionPrivilegeLevel::ABOVE_LIMIT),
            wanted => active.privilege = wanted,
        }
        Ok(SetSessionPrivilegeLevel(active.privilege))
    }

    pub(in crate::sim) fn close_session(
        &mut self,
        call: Call,
        command: CloseSession,
    ) -> Result<(), CompletionCode> {
        let own = call.session == Some(command.session_id);
        if !own && call.privilege < Privilege::ADMINISTRATOR {
            return Err(CompletionCode::INSUFFICIENT_PRIVILEGE);
        }
        if self.sessions.close(command.session_id) {
            Ok(())
        } else {
            Err(CloseSession::INVALID_SESSION_ID)
        }
    }

    pub(in crate::sim) fn session_info(
        &mut self,
        call: Call,
        command: GetSessionInfo,
    ) -> Result<SessionInfo, CompletionCode> {
        // Handles are places in the table.
        let numbered = || (1..=u8::MAX).zip(self.sessions.all_active());
        let found = match command {
            GetSessionInfo::Own => numbered().find(|(_, (id, _))| Some(*id) == call.session),
            GetSessionInfo::Nth(nth) => numbered().find(|(handle, _)| *handle == nth),
            GetSessionInfo::Handle(wanted) => numbered().find(|(handle, _)| *handle == wanted),
            GetSessionInfo::Id(wanted) => numbered().find(|(_, (id, _))| *id == wanted),
        };
        let count = |number: usize| u8::try_from(number).unwrap_or(0x3f).min(0x3f);
        Ok(SessionInfo {
            handle: found.map_or(0, |(handle, _)| handle),
            slots: count(self.sessions.maximum()),
            active: count(self.sessions.all_active().count()),
            session: found.map(|(_, (_, active))| ActiveSession {
                user: UserId::from_bits(count(active.user + 1)),
                privilege: active.privilege,
                channel: LAN_CHANNEL,
                protocol: 1,
                console: active.peer.map(console_address),
            }),
        })
    }
}

fn console_address(peer: SocketAddr) -> ConsoleAddress {
    let ip = match peer.ip() {
        IpAddr::V4(ip) => ip,
        IpAddr::V6(_) => Ipv4Addr::UNSPECIFIED,
    };
    ConsoleAddress {
        ip,
        mac: MacAddress([0; 6]),
        port: peer.port(),
    }
}
