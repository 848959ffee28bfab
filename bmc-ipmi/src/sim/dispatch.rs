//! Executing commands.

use std::net::SocketAddr;

use tokio::time::Instant;

use crate::codec::Wire;
use crate::command::{
    ChassisControl, CloseSession, Command, GetChannelAuthCapabilities, GetChannelCipherSuites,
    GetChassisStatus, GetDeviceId, GetSystemBootOptions, SetSessionPrivilegeLevel,
    SetSystemBootOptions,
};
use crate::sim::{Executed, LOG_CAPACITY, Sim};
use crate::wire::{CompletionCode, LanRequest, Privilege};

/// Circumstances of a command.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) now: Instant,
    pub(super) session: Option<u32>,
    pub(super) privilege: Privilege,
    pub(super) ignore: bool,
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
