//! Executing commands.

use std::net::SocketAddr;

use tokio::time::Instant;

use crate::codec::Wire;
use crate::command::cipher_suite_records::encode_records;
use crate::command::{
    ChannelAuthCapabilities, ChannelCipherSuites, ChassisControl, ChassisStatus, CloseSession,
    Command, DeviceId, GetChannelAuthCapabilities, GetChannelCipherSuites, GetChassisStatus,
    GetDeviceId, GetSystemBootOptions, SetSessionPrivilegeLevel, SetSystemBootOptions,
    SystemBootOptions,
};
use crate::sim::{Executed, LOG_CAPACITY, Sim};
use crate::wire::{CompletionCode, LanRequest, Privilege};

/// The LAN channel of the BMC.
const CHANNEL: u8 = 1;

/// Circumstances of a command.
#[derive(Clone, Copy)]
struct Call {
    now: Instant,
    session: Option<u32>,
    privilege: Privilege,
    ignore: bool,
}

type Answer = (CompletionCode, Vec<u8>);

impl Sim {
    /// Executes a request, or refuses it, and writes it to the log.
    pub(crate) fn execute(
        &mut self,
        now: Instant,
        peer: SocketAddr,
        session: Option<u32>,
        request: &LanRequest<'_>,
    ) -> Answer {
        let fault = self
            .faults
            .completion_codes
            .get(&(request.netfn, request.command));
        let answer = match fault {
            Some(code) => (*code, Vec::new()),
            None => self.dispatch(now, session, request),
        };
        let executed = Executed {
            at: now,
            peer,
            session,
            netfn: request.netfn,
            command: request.command,
            data: request.data.to_vec(),
            completion: answer.0,
        };
        if let Some(observer) = &self.observer {
            observer(&executed);
        }
        if self.log.len() >= LOG_CAPACITY {
            self.log.pop_front();
        }
        self.log.push_back(executed);
        answer
    }

    fn dispatch(&mut self, now: Instant, session: Option<u32>, request: &LanRequest<'_>) -> Answer {
        let active = session.and_then(|id| self.sessions.active(id));
        let call = Call {
            now,
            session,
            privilege: active.map_or(Privilege::HIGHEST, |active| active.privilege),
            ignore: self.faults.ignore,
        };
        macro_rules! commands {
            ($($command:ty => $method:ident,)*) => {
                match (request.netfn, request.command) {
                    $((<$command>::NETFN, <$command>::CMD) => run(call, request, |command| self.$method(call, command)),)*
                    _ => (CompletionCode::INVALID_COMMAND, Vec::new()),
                }
            };
        }
        commands! {
            GetChannelAuthCapabilities => auth_capabilities,
            GetChannelCipherSuites => cipher_suites,
            SetSessionPrivilegeLevel => set_privilege,
            CloseSession => close_session,
            GetDeviceId => device_id,
            GetChassisStatus => chassis_status,
            ChassisControl => chassis_control,
            SetSystemBootOptions => set_boot_options,
            GetSystemBootOptions => boot_options,
        }
    }

    fn auth_capabilities(
        &mut self,
        _: Call,
        command: GetChannelAuthCapabilities,
    ) -> Result<ChannelAuthCapabilities, CompletionCode> {
        let kg = if self.settings.kg.is_some() {
            ChannelAuthCapabilities::KG_SET
        } else {
            0
        };
        let (auth_types, versions) = if command.extended {
            (
                ChannelAuthCapabilities::EXTENDED,
                ChannelAuthCapabilities::V20,
            )
        } else {
            (0, 0)
        };
        Ok(ChannelAuthCapabilities {
            channel: CHANNEL,
            auth_types,
            login_status: ChannelAuthCapabilities::NAMED_USERS | kg,
            versions,
            oem: 0,
            oem_data: 0,
        })
    }

    fn cipher_suites(
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
            channel: CHANNEL,
            records: part.to_vec(),
        })
    }

    fn set_privilege(
        &mut self,
        call: Call,
        command: SetSessionPrivilegeLevel,
    ) -> Result<SetSessionPrivilegeLevel, CompletionCode> {
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

    fn close_session(&mut self, call: Call, command: CloseSession) -> Result<(), CompletionCode> {
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

    fn device_id(&mut self, _: Call, _: GetDeviceId) -> Result<DeviceId, CompletionCode> {
        Ok(DeviceId {
            device_id: 0x20,
            revision: 0x01,
            firmware_major: 1,
            firmware_minor: 0x00,
            ipmi_version: 0x02,
            support: 0x80,
            manufacturer: 0,
            product: 0,
            auxiliary: None,
        })
    }

    fn chassis_status(
        &mut self,
        call: Call,
        _: GetChassisStatus,
    ) -> Result<ChassisStatus, CompletionCode> {
        let on = self.machine(call.now).power();
        Ok(ChassisStatus {
            // Restore policy "unknown"; there is no mains to lose.
            power: 0x60 | u8::from(on),
            last_event: if on { 0x10 } else { 0 },
            misc: 0,
            front_panel: None,
        })
    }

    fn chassis_control(
        &mut self,
        call: Call,
        command: ChassisControl,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.machine.control(call.now, command)
    }

    fn set_boot_options(
        &mut self,
        call: Call,
        command: SetSystemBootOptions,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.machine.set_boot_option(call.now, &command.option)
    }

    fn boot_options(
        &mut self,
        call: Call,
        command: GetSystemBootOptions,
    ) -> Result<SystemBootOptions, CompletionCode> {
        Ok(SystemBootOptions {
            version: 1,
            locked: false,
            option: self.machine(call.now).boot_option(command.parameter)?,
        })
    }
}

/// Checks privilege and form of a request, executes it and encodes the response.
fn run<C: Command>(
    call: Call,
    request: &LanRequest<'_>,
    execute: impl FnOnce(C) -> Result<C::Response, CompletionCode>,
) -> Answer {
    if C::PRIVILEGE > call.privilege {
        return (CompletionCode::INSUFFICIENT_PRIVILEGE, Vec::new());
    }
    let response = C::from_bytes(request.data)
        .map_err(|_| CompletionCode::INVALID_LENGTH)
        .and_then(execute);
    match response {
        Ok(response) => (CompletionCode::OK, response.to_bytes()),
        Err(code) => (code, Vec::new()),
    }
}
