//! Channel commands.

use bmc_core::Secret;

use crate::command::{
    ChannelAccess, ChannelInfo, ChannelKey, ChannelPayloadSupport, ChannelPayloadVersion,
    ChannelSecurityKeys, GetChannelAccess, GetChannelInfo, GetChannelPayloadSupport,
    GetChannelPayloadVersion, KeyLock, KeyOperation, SetChannelAccess, SetChannelSecurityKeys,
};
use crate::sim::Sim;
use crate::sim::channels::lan;
use crate::sim::dispatch::Call;
use crate::wire::{CompletionCode, PayloadType};

/// What the LAN channel carries.
const PAYLOADS: [PayloadType; 8] = [
    PayloadType::IPMI,
    PayloadType::SOL,
    PayloadType::OPEN_SESSION_REQUEST,
    PayloadType::OPEN_SESSION_RESPONSE,
    PayloadType::RAKP_1,
    PayloadType::RAKP_2,
    PayloadType::RAKP_3,
    PayloadType::RAKP_4,
];

impl Sim {
    pub(in crate::sim) fn channel_info(
        &mut self,
        _: Call,
        command: GetChannelInfo,
    ) -> Result<ChannelInfo, CompletionCode> {
        self.channels.info(command.0, self.sessions.len())
    }

    pub(in crate::sim) fn channel_access(
        &mut self,
        _: Call,
        command: GetChannelAccess,
    ) -> Result<ChannelAccess, CompletionCode> {
        self.channels.access(command)
    }

    pub(in crate::sim) fn set_channel_access(
        &mut self,
        call: Call,
        command: SetChannelAccess,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.channels.set_access(command)
    }

    pub(in crate::sim) fn channel_security_keys(
        &mut self,
        call: Call,
        command: SetChannelSecurityKeys,
    ) -> Result<ChannelSecurityKeys, CompletionCode> {
        lan(command.channel, CompletionCode::INVALID_DATA_FIELD)?;
        if command.key != ChannelKey::KG {
            return Err(SetChannelSecurityKeys::NO_KR);
        }
        if self.system.kg_is_locked && command.operation != KeyOperation::Lock {
            return Err(SetChannelSecurityKeys::LOCKED);
        }
        let mut key = None;
        match command.operation {
            KeyOperation::Read => {
                let none = || Secret::new([0; SetChannelSecurityKeys::KEY]);
                key = Some(self.settings.kg.clone().unwrap_or_else(none));
            }
            KeyOperation::Set(_) | KeyOperation::Lock if call.ignore => {}
            KeyOperation::Set(kg) => {
                let is_set = kg.expose().iter().any(|byte| *byte != 0);
                self.settings.kg = is_set.then_some(kg);
            }
            KeyOperation::Lock => self.system.kg_is_locked = true,
        }
        let lock = if self.system.kg_is_locked {
            KeyLock::LOCKED
        } else {
            KeyLock::UNLOCKED
        };
        Ok(ChannelSecurityKeys { lock, key })
    }

    pub(in crate::sim) fn channel_payload_support(
        &mut self,
        _: Call,
        command: GetChannelPayloadSupport,
    ) -> Result<ChannelPayloadSupport, CompletionCode> {
        lan(command.0, CompletionCode::INVALID_DATA_FIELD)?;
        Ok(ChannelPayloadSupport::of(PAYLOADS))
    }

    pub(in crate::sim) fn channel_payload_version(
        &mut self,
        _: Call,
        command: GetChannelPayloadVersion,
    ) -> Result<ChannelPayloadVersion, CompletionCode> {
        lan(command.channel, CompletionCode::INVALID_DATA_FIELD)?;
        if !PAYLOADS.contains(&command.payload_type) {
            return Err(GetChannelPayloadVersion::UNAVAILABLE);
        }
        Ok(ChannelPayloadVersion { major: 1, minor: 0 })
    }
}
