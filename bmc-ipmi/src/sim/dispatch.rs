//! Executing commands.

use std::net::SocketAddr;

use tokio::time::Instant;

use crate::codec::Wire;
use crate::command::{
    ActivatePowerLimit, ChassisControl, ChassisIdentify, CloseSession, ColdReset, Command,
    GetAssetTag, GetChannelAccess, GetChannelAuthCapabilities, GetChannelCipherSuites,
    GetChannelInfo, GetChassisStatus, GetDcmiCapabilities, GetDcmiConfiguration, GetDcmiSensorInfo,
    GetDcmiTemperatures, GetDeviceId, GetDeviceSdr, GetDeviceSdrInfo, GetMcIdString, GetPowerLimit,
    GetPowerReading, GetSdr, GetSdrRepositoryAllocationInfo, GetSdrRepositoryInfo,
    GetSdrRepositoryTime, GetSensorEventEnable, GetSensorEventStatus, GetSensorHysteresis,
    GetSensorReading, GetSensorReadingFactors, GetSensorThresholds, GetSensorType, GetSessionInfo,
    GetSystemBootOptions, GetSystemRestartCause, GetThermalLimit, GetUserAccess, GetUserName,
    GetUserPayloadAccess, GetWatchdogTimer, ReserveDeviceSdrRepository, ReserveSdrRepository,
    ResetWatchdogTimer, SendMessage, SetAssetTag, SetChannelAccess, SetChannelSecurityKeys,
    SetDcmiConfiguration, SetMcIdString, SetPowerLimit, SetSensorHysteresis, SetSensorThresholds,
    SetSessionPrivilegeLevel, SetSystemBootOptions, SetThermalLimit, SetUserAccess, SetUserName,
    SetUserPassword, SetUserPayloadAccess, SetWatchdogTimer, WarmReset,
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

/// Another completion code than 00h, and the data that some commands send with it.
pub(super) struct Failure {
    pub(super) code: CompletionCode,
    pub(super) data: Vec<u8>,
}

impl From<CompletionCode> for Failure {
    fn from(code: CompletionCode) -> Self {
        let data = Vec::new();
        Self { code, data }
    }
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
            GetSdrRepositoryInfo => sdr_repository_info,
            GetSdrRepositoryAllocationInfo => sdr_repository_allocation,
            GetSdrRepositoryTime => sdr_repository_time,
            ReserveSdrRepository => reserve_sdr_repository,
            GetSdr => sdr,
            GetDeviceSdrInfo => device_sdr_info,
            ReserveDeviceSdrRepository => reserve_device_sdr_repository,
            GetDeviceSdr => device_sdr,
            GetSensorReading => sensor_reading,
            GetSensorType => sensor_type,
            GetSensorReadingFactors => sensor_reading_factors,
            GetSensorHysteresis => sensor_hysteresis,
            SetSensorHysteresis => set_sensor_hysteresis,
            GetSensorThresholds => sensor_thresholds,
            SetSensorThresholds => set_sensor_thresholds,
            GetSensorEventEnable => sensor_event_enable,
            GetSensorEventStatus => sensor_event_status,
            GetDcmiCapabilities => dcmi_capabilities,
            GetPowerReading => power_reading,
            GetPowerLimit => power_limit,
            SetPowerLimit => set_power_limit,
            ActivatePowerLimit => activate_power_limit,
            GetAssetTag => asset_tag,
            SetAssetTag => set_asset_tag,
            GetDcmiSensorInfo => dcmi_sensor_info,
            GetMcIdString => mc_id_string,
            SetMcIdString => set_mc_id_string,
            GetThermalLimit => thermal_limit,
            SetThermalLimit => set_thermal_limit,
            GetDcmiTemperatures => dcmi_temperatures,
            GetDcmiConfiguration => dcmi_configuration,
            SetDcmiConfiguration => set_dcmi_configuration,
        }
    }
}

/// Checks privilege and form of a request, executes it and encodes the response.
fn run<C: Command, E: Into<Failure>>(
    call: Call,
    request: &LanRequest<'_>,
    execute: impl FnOnce(C) -> Result<C::Response, E>,
) -> Answer {
    if C::PRIVILEGE > call.privilege {
        return (CompletionCode::INSUFFICIENT_PRIVILEGE, Vec::new());
    }
    let Ok(command) = C::from_bytes(request.data) else {
        return (CompletionCode::INVALID_LENGTH, Vec::new());
    };
    match execute(command).map_err(Into::into) {
        Ok(response) => (CompletionCode::OK, response.to_bytes()),
        Err(Failure { code, data }) => (code, data),
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
