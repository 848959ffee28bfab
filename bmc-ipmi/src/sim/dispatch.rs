//! Executing commands.

use std::net::SocketAddr;

use tokio::time::Instant;

use crate::codec::Wire;
use crate::command::*;
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

pub(super) type Answer = (CompletionCode, Vec<u8>);

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
        self.faults.on_command(request.netfn, request.command);
        let answer = match self.faults.answer(request.netfn, request.command) {
            Some(answer) => answer,
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
        if let Some(answer) = self.settings.custom.answer(call, request) {
            return answer;
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
            ActivatePayload => activate_payload,
            ActivatePowerLimit => activate_power_limit,
            ActivateSession => activate_session,
            AddSelEntry => add_sel_entry,
            ChassisControl => chassis_control,
            ChassisIdentify => chassis_identify,
            ClearSel => clear_sel,
            CloseSession => close_session,
            ColdReset => cold_reset,
            DeactivatePayload => deactivate_payload,
            DeleteSelEntry => delete_sel_entry,
            GetAcpiPowerState => acpi_power_state,
            GetAssetTag => asset_tag,
            GetChannelAccess => channel_access,
            GetChannelAuthCapabilities => auth_capabilities,
            GetChannelCipherSuites => cipher_suites,
            GetChannelInfo => channel_info,
            GetChannelPayloadSupport => channel_payload_support,
            GetChannelPayloadVersion => channel_payload_version,
            GetChassisCapabilities => chassis_capabilities,
            GetChassisStatus => chassis_status,
            GetDcmiCapabilities => dcmi_capabilities,
            GetDcmiConfiguration => dcmi_configuration,
            GetDcmiSensorInfo => dcmi_sensor_info,
            GetDcmiTemperatures => dcmi_temperatures,
            GetDeviceGuid => device_guid,
            GetDeviceId => device_id,
            GetDeviceSdr => device_sdr,
            GetDeviceSdrInfo => device_sdr_info,
            GetEventReceiver => event_receiver,
            GetFruInventoryAreaInfo => fru_area_info,
            GetIpStatistics => ip_statistics,
            GetLanConfiguration => lan_configuration,
            GetLastProcessedEventId => last_processed_event,
            GetMcIdString => mc_id_string,
            GetPayloadActivationStatus => payload_activation_status,
            GetPayloadInstanceInfo => payload_instance_info,
            GetPefCapabilities => pef_capabilities,
            GetPefConfiguration => pef_configuration,
            GetPohCounter => poh_counter,
            GetPowerLimit => power_limit,
            GetPowerReading => power_reading,
            GetSdr => sdr,
            GetSdrRepositoryAllocationInfo => sdr_repository_allocation,
            GetSdrRepositoryInfo => sdr_repository_info,
            GetSdrRepositoryTime => sdr_repository_time,
            GetSelAllocationInfo => sel_allocation,
            GetSelEntry => sel_entry,
            GetSelInfo => sel_info,
            GetSelTime => sel_time,
            GetSelTimeUtcOffset => sel_utc_offset,
            GetSelfTestResults => self_test,
            GetSensorEventEnable => sensor_event_enable,
            GetSensorEventStatus => sensor_event_status,
            GetSensorHysteresis => sensor_hysteresis,
            GetSensorReading => sensor_reading,
            GetSensorReadingFactors => sensor_reading_factors,
            GetSensorThresholds => sensor_thresholds,
            GetSensorType => sensor_type,
            GetSessionChallenge => session_challenge,
            GetSessionInfo => session_info,
            GetSolConfiguration => sol_configuration,
            GetSystemBootOptions => boot_options,
            GetSystemGuid => system_guid,
            GetSystemInfo => system_info,
            GetSystemRestartCause => restart_cause,
            GetThermalLimit => thermal_limit,
            GetUserAccess => user_access,
            GetUserName => user_name,
            GetUserPayloadAccess => user_payload_access,
            GetWatchdogTimer => watchdog,
            PetAcknowledge => pet_acknowledge,
            PlatformEvent => platform_event,
            ReadFruData => read_fru,
            ReserveDeviceSdrRepository => reserve_device_sdr_repository,
            ReserveSdrRepository => reserve_sdr_repository,
            ReserveSel => reserve_sel,
            ResetWatchdogTimer => reset_watchdog,
            SendMessage => send_message,
            SetAcpiPowerState => set_acpi_power_state,
            SetAssetTag => set_asset_tag,
            SetChannelAccess => set_channel_access,
            SetChannelSecurityKeys => channel_security_keys,
            SetDcmiConfiguration => set_dcmi_configuration,
            SetEventReceiver => set_event_receiver,
            SetFrontPanelEnables => set_front_panel_enables,
            SetLanConfiguration => set_lan_configuration,
            SetMcIdString => set_mc_id_string,
            SetPowerCycleInterval => set_power_cycle_interval,
            SetPowerLimit => set_power_limit,
            SetPowerRestorePolicy => set_power_restore_policy,
            SetSelTime => set_sel_time,
            SetSelTimeUtcOffset => set_sel_utc_offset,
            SetSensorHysteresis => set_sensor_hysteresis,
            SetSensorThresholds => set_sensor_thresholds,
            SetSessionPrivilegeLevel => set_privilege,
            SetSolConfiguration => set_sol_configuration,
            SetSystemBootOptions => set_boot_options,
            SetSystemInfo => set_system_info,
            SetThermalLimit => set_thermal_limit,
            SetUserAccess => set_user_access,
            SetUserName => set_user_name,
            SetUserPassword => set_user_password,
            SetUserPayloadAccess => set_user_payload_access,
            SetWatchdogTimer => set_watchdog,
            SuspendArps => suspend_arps,
            WarmReset => warm_reset,
            WriteFruData => write_fru,
        }
    }
}

/// Checks privilege and form of a request, executes it and encodes the response.
pub(super) fn run<C: Command, E: Into<Failure>>(
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
        // All but the community string may be shown.
        (SetLanConfiguration::NETFN, SetLanConfiguration::CMD)
            if request.data.get(1) == Some(&LanParameter::COMMUNITY.0) =>
        {
            2
        }
        (SetUserPassword::NETFN, SetUserPassword::CMD) => 2,
        (SetChannelSecurityKeys::NETFN, SetChannelSecurityKeys::CMD) => 3,
        _ => request.data.len(),
    };
    request.data.iter().take(visible).copied().collect()
}
