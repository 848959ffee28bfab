//! Executing commands.

use std::net::SocketAddr;

use tokio::time::Instant;

use crate::codec::Wire;
use crate::command::{
    ChassisControl, ChassisIdentify, CloseSession, ColdReset, Command, GetChannelAccess,
    GetChannelAuthCapabilities, GetChannelCipherSuites, GetChannelInfo, GetChassisStatus,
    GetDeviceId, GetSessionInfo, GetSystemBootOptions, GetSystemRestartCause, GetUserAccess,
    GetUserName, GetUserPayloadAccess, GetWatchdogTimer, ResetWatchdogTimer, SendMessage,
    SetChannelAccess, SetChannelSecurityKeys, SetSessionPrivilegeLevel, SetSystemBootOptions,
    SetUserAccess, SetUserName, SetUserPassword, SetUserPayloadAccess, SetWatchdogTimer, WarmReset,
};
use crate::sim::{Executed, LOG_CAPACITY, Sim};
use crate::wire::{CompletionCode, LanRequest, Privilege};

/// Circumstances of a command.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) now: Instant,
    pub(super) peer: SocketAddr,
    pub(super) session: Option<u32>,
    pub(super) privilege: Privilege,
    pub(super) lun: u8,
    pub(super) ignore: bool,
}

type Answer = (CompletionCode, Vec<u8>);

impl Sim {
    /// Executes a request of a console, or refuses it, and writes it to the log.
    pub(crate) fn execute(
        &mut self,
        now: Instant,
        peer: SocketAddr,
        session: Option<u32>,
        request: &LanRequest<'_>,
    ) -> Answer {
        let active = session.and_then(|id| self.sessions.active(id));
        let call = Call {
            now,
            peer,
            session,
            privilege: active.map_or(Privilege::HIGHEST, |active| active.privilege),
            lun: request.responder_lun,
            ignore: false,
        };
        self.perform(call, request)
    }

    /// Executes a request of whomever, or refuses it, and writes it to the log.
    pub(super) fn perform(&mut self, call: Call, request: &LanRequest<'_>) -> Answer {
        let call = Call {
            lun: request.responder_lun,
            ignore: self.faults.ignore,
            ..call
        };
        let fault = self
            .faults
            .completion_codes
            .get(&(request.netfn, request.command));
        let answer = match fault {
            Some(code) => (*code, Vec::new()),
            None => self.dispatch(call, request),
        };
        let executed = Executed {
            at: call.now,
            peer: call.peer,
            session: call.session,
            lun: call.lun,
            netfn: request.netfn,
            command: request.command,
            data: loggable(request),
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

    fn dispatch(&mut self, call: Call, request: &LanRequest<'_>) -> Answer {
        if !self.settings.luns.contains(&call.lun) {
            return (CompletionCode::INVALID_FOR_LUN, Vec::new());
        }
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
            ColdReset => cold_reset,
            WarmReset => warm_reset,
            SendMessage => send_message,
            GetSessionInfo => session_info,
            GetUserAccess => user_access,
            SetUserAccess => set_user_access,
            GetUserName => user_name,
            SetUserName => set_user_name,
            SetUserPassword => set_user_password,
            GetUserPayloadAccess => user_payload_access,
            SetUserPayloadAccess => set_user_payload_access,
            GetChannelInfo => channel_info,
            GetChannelAccess => channel_access,
            SetChannelAccess => set_channel_access,
            SetChannelSecurityKeys => channel_security_keys,
            ResetWatchdogTimer => reset_watchdog,
            SetWatchdogTimer => set_watchdog,
            GetWatchdogTimer => watchdog,
            GetChassisStatus => chassis_status,
            ChassisControl => chassis_control,
            ChassisIdentify => chassis_identify,
            GetSystemRestartCause => restart_cause,
            SetSystemBootOptions => set_boot_options,
            GetSystemBootOptions => boot_options,
        }
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

/// Secrets stay out of the log.
fn loggable(request: &LanRequest<'_>) -> Vec<u8> {
    let visible = match (request.netfn, request.command) {
        (SetUserPassword::NETFN, SetUserPassword::CMD) => 2,
        (SetChannelSecurityKeys::NETFN, SetChannelSecurityKeys::CMD) => 3,
        _ => request.data.len(),
    };
    request.data.iter().take(visible).copied().collect()
}
