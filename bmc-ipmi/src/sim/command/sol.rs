//! SOL commands, and those of payloads as far as they are about SOL.

use super::lan::lan;
use crate::command::{
    ActivatePayload, ActivatedPayload, ConfigurationData, DeactivatePayload,
    GetPayloadActivationStatus, GetPayloadInstanceInfo, GetSolConfiguration,
    PayloadActivationStatus, PayloadInstanceInfo, SetSolConfiguration, SolActivation, SolParameter,
    SolSetting,
};
use crate::sim::dispatch::Call;
use crate::sim::serial::Holder;
use crate::sim::{LAN_CHANNEL, Sim};
use crate::wire::{CompletionCode, PayloadType};

/// Longest SOL payload in either direction.
const MAX_PAYLOAD: u16 = 259;

impl Sim {
    pub(in crate::sim) fn sol_configuration(
        &mut self,
        _: Call,
        command: GetSolConfiguration,
    ) -> Result<ConfigurationData, CompletionCode> {
        lan(command.channel)?;
        let mut data = Vec::new();
        if !command.revision_only {
            let configuration = &self.serial.configuration;
            let setting = configuration.get(&command.parameter);
            match setting.ok_or(GetSolConfiguration::UNSUPPORTED)? {
                SolSetting::Port(0) => SolSetting::Port(self.serial.port).encode(&mut data),
                setting => setting.encode(&mut data),
            }
        }
        Ok(ConfigurationData {
            revision: ConfigurationData::REVISION,
            data,
        })
    }

    pub(in crate::sim) fn set_sol_configuration(
        &mut self,
        call: Call,
        command: SetSolConfiguration,
    ) -> Result<(), CompletionCode> {
        lan(command.channel)?;
        let parameter = command.setting.parameter();
        if parameter == SolParameter::CHANNEL {
            return Err(SetSolConfiguration::READ_ONLY);
        }
        let place = self.serial.configuration.get_mut(&parameter);
        let place = place.ok_or(SetSolConfiguration::UNSUPPORTED)?;
        if command.setting == SolSetting::SET_BEGUN && *place == SolSetting::SET_BEGUN {
            return Err(SetSolConfiguration::SET_IN_PROGRESS);
        }
        if call.ignore {
            return Ok(());
        }
        *place = command.setting;
        if !self.serial.is_enabled() {
            self.serial.take_away();
        }
        Ok(())
    }

    pub(in crate::sim) fn activate_payload(
        &mut self,
        call: Call,
        command: ActivatePayload,
    ) -> Result<ActivatedPayload, CompletionCode> {
        let session = call.session.ok_or(CompletionCode::WRONG_STATE)?;
        only_sol(command.payload_type, command.instance)?;
        let [first, ..] = command.auxiliary;
        let wanted = SolActivation::from_byte(first);
        let required = self.serial.authentication();
        if !self.serial.is_enabled() {
            return Err(ActivatePayload::DISABLED);
        }
        if required.is_some_and(|required| required.privilege > call.privilege) {
            return Err(CompletionCode::INSUFFICIENT_PRIVILEGE);
        }
        if required.is_some_and(|required| required.force_encryption) && !wanted.encrypted {
            return Err(ActivatePayload::NEEDS_ENCRYPTION);
        }
        if self.serial.is_active() {
            return Err(ActivatePayload::ALREADY_ACTIVE);
        }
        self.serial.activate(session);
        let port = self.serial.port;
        let faults = self.serial.faults();
        Ok(ActivatedPayload {
            auxiliary: [0; 4],
            inbound_size: faults.inbound_size.unwrap_or(MAX_PAYLOAD),
            outbound_size: MAX_PAYLOAD,
            port: faults.port.unwrap_or(port),
            vlan: ActivatedPayload::NO_VLAN,
        })
    }

    pub(in crate::sim) fn deactivate_payload(
        &mut self,
        call: Call,
        command: DeactivatePayload,
    ) -> Result<(), CompletionCode> {
        only_sol(command.payload_type, command.instance)?;
        let is_ignored = self.serial.faults().ignores_deactivation;
        match self.serial.holder {
            None => return Err(DeactivatePayload::ALREADY_INACTIVE),
            Some(_) if is_ignored => {}
            // Whoever ends it needs no farewell.
            Some(Holder::Session(id)) if Some(id) == call.session => self.serial.release(),
            Some(_) => self.serial.take_away(),
        }
        Ok(())
    }

    pub(in crate::sim) fn payload_activation_status(
        &mut self,
        _: Call,
        command: GetPayloadActivationStatus,
    ) -> Result<PayloadActivationStatus, CompletionCode> {
        only_sol(command.0, 1)?;
        Ok(PayloadActivationStatus {
            capacity: 1,
            active: self.serial.is_active().into(),
        })
    }

    pub(in crate::sim) fn payload_instance_info(
        &mut self,
        _: Call,
        command: GetPayloadInstanceInfo,
    ) -> Result<PayloadInstanceInfo, CompletionCode> {
        only_sol(command.payload_type, command.instance)?;
        let session_id = match self.serial.holder {
            None => 0,
            Some(Holder::Session(id)) => id,
            Some(Holder::Stranger) => u32::MAX,
        };
        Ok(PayloadInstanceInfo {
            session_id,
            information: [LAN_CHANNEL, 0, 0, 0, 0, 0, 0, 0],
        })
    }
}

fn only_sol(payload_type: PayloadType, instance: u8) -> Result<(), CompletionCode> {
    match (payload_type, instance) {
        (PayloadType::SOL, 1) => Ok(()),
        _ => Err(CompletionCode::INVALID_DATA_FIELD),
    }
}
