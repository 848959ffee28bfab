//! User commands, and what users may use.

use crate::command::{
    GetUserAccess, GetUserName, GetUserPayloadAccess, PasswordOperation, PayloadAccess,
    SetUserAccess, SetUserName, SetUserPassword, SetUserPayloadAccess, UserAccess, UserName,
};
use crate::sim::Sim;
use crate::sim::channels::lan;
use crate::sim::dispatch::Call;
use crate::wire::CompletionCode;

impl Sim {
    pub(in crate::sim) fn user_access(
        &mut self,
        _: Call,
        command: GetUserAccess,
    ) -> Result<UserAccess, CompletionCode> {
        lan(command.channel, CompletionCode::INVALID_DATA_FIELD)?;
        self.users.access(command.user)
    }

    pub(in crate::sim) fn set_user_access(
        &mut self,
        call: Call,
        command: SetUserAccess,
    ) -> Result<(), CompletionCode> {
        lan(command.channel, CompletionCode::INVALID_DATA_FIELD)?;
        if call.ignore {
            return Ok(());
        }
        self.users.set_access(&command)
    }

    pub(in crate::sim) fn user_name(
        &mut self,
        _: Call,
        command: GetUserName,
    ) -> Result<UserName, CompletionCode> {
        let name = self.users.user(command.0)?.name;
        if name.is_empty() && self.settings.quirks.hides_unused_users {
            return Err(CompletionCode::INVALID_DATA_FIELD);
        }
        Ok(name)
    }

    pub(in crate::sim) fn set_user_name(
        &mut self,
        call: Call,
        command: SetUserName,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        self.users.set_name(command.user, command.name)
    }

    pub(in crate::sim) fn set_user_password(
        &mut self,
        call: Call,
        command: SetUserPassword,
    ) -> Result<(), CompletionCode> {
        if call.ignore {
            return Ok(());
        }
        if self.faults.forgets_passwords && matches!(command.operation, PasswordOperation::Set(_)) {
            return Ok(());
        }
        self.users.set_password(&command)
    }

    pub(in crate::sim) fn user_payload_access(
        &mut self,
        _: Call,
        command: GetUserPayloadAccess,
    ) -> Result<PayloadAccess, CompletionCode> {
        lan(command.channel, CompletionCode::INVALID_DATA_FIELD)?;
        Ok(self.users.user(command.user)?.payloads)
    }

    pub(in crate::sim) fn set_user_payload_access(
        &mut self,
        call: Call,
        command: SetUserPayloadAccess,
    ) -> Result<(), CompletionCode> {
        lan(command.channel, CompletionCode::INVALID_DATA_FIELD)?;
        let allowed = &mut self.users.user(command.user)?.payloads;
        if call.ignore {
            return Ok(());
        }
        let PayloadAccess { standard, oem } = command.payloads;
        *allowed = if command.enable {
            PayloadAccess {
                standard: allowed.standard | standard,
                oem: allowed.oem | oem,
            }
        } else {
            PayloadAccess {
                standard: allowed.standard & !standard,
                oem: allowed.oem & !oem,
            }
        };
        Ok(())
    }
}
