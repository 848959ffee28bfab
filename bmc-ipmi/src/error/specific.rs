//! Completion codes 80h to BEh, which each command defines for itself.

use bmc_core::ErrorKind;

use crate::codec::Wire;
use crate::command::{
    ActivateSession, AddSelEntry, DeleteSelEntry, GetChannelAccess, GetChannelPayloadSupport,
    GetChannelPayloadVersion, GetLanConfiguration, GetPefConfiguration, GetSelEntry,
    GetSessionChallenge, GetSolConfiguration, GetSystemBootOptions, GetSystemInfo, ReadFruData,
    ResetWatchdogTimer, SetChannelAccess, SetChannelSecurityKeys, SetLanConfiguration,
    SetPowerLimit, SetSessionPrivilegeLevel, SetSolConfiguration, SetSystemBootOptions,
    SetSystemInfo, SetUserPassword, WriteFruData,
};
use crate::wire::CompletionCode;

/// The class of a code of this command, and what it says. `None`: the command defines no such code.
pub(super) fn meaning(command: &str, code: CompletionCode) -> Option<(ErrorKind, &'static str)> {
    session(command, code)
        .or_else(|| parameter(command, code))
        .or_else(|| stored(command, code))
        .or_else(|| other(command, code))
}

/// Commands on the way into a session, §22.
fn session(command: &str, code: CompletionCode) -> Option<(ErrorKind, &'static str)> {
    use ErrorKind::{Authentication, Busy, PermissionDenied};
    Some(match (command, code) {
        (GetSessionChallenge::NAME, GetSessionChallenge::INVALID_USER) => {
            (Authentication, "no user of this name")
        }
        (GetSessionChallenge::NAME, GetSessionChallenge::NULL_USER_DISABLED) => {
            (Authentication, "no user without a name")
        }
        (ActivateSession::NAME, ActivateSession::NO_SLOT) => (Busy, "no room for another session"),
        (ActivateSession::NAME, ActivateSession::NO_SLOT_FOR_USER) => {
            (Busy, "no room for another session of this user")
        }
        (ActivateSession::NAME, ActivateSession::NO_SLOT_FOR_PRIVILEGE) => {
            (Busy, "no room for another session of this privilege")
        }
        (ActivateSession::NAME, ActivateSession::ABOVE_LIMIT)
        | (SetSessionPrivilegeLevel::NAME, SetSessionPrivilegeLevel::ABOVE_LIMIT) => (
            PermissionDenied,
            "privilege above the limit of user or channel",
        ),
        (SetSessionPrivilegeLevel::NAME, SetSessionPrivilegeLevel::UNAVAILABLE_FOR_USER) => {
            (PermissionDenied, "privilege not available for this user")
        }
        _ => return None,
    })
}

/// Commands for parameters: of the network, SOL, PEF, boot and the system, §23, §26, §30, §28 and §22.14.
fn parameter(command: &str, code: CompletionCode) -> Option<(ErrorKind, &'static str)> {
    Some(match (command, code) {
        (GetLanConfiguration::NAME, GetLanConfiguration::UNSUPPORTED)
        | (SetLanConfiguration::NAME, SetLanConfiguration::UNSUPPORTED)
        | (GetSolConfiguration::NAME, GetSolConfiguration::UNSUPPORTED)
        | (SetSolConfiguration::NAME, SetSolConfiguration::UNSUPPORTED)
        | (GetPefConfiguration::NAME, GetPefConfiguration::UNSUPPORTED)
        | (GetSystemBootOptions::NAME, GetSystemBootOptions::UNSUPPORTED)
        | (SetSystemBootOptions::NAME, SetSystemBootOptions::UNSUPPORTED)
        | (GetSystemInfo::NAME, GetSystemInfo::UNSUPPORTED)
        | (SetSystemInfo::NAME, SetSystemInfo::UNSUPPORTED) => {
            (ErrorKind::Unsupported, "parameter not supported")
        }
        (SetLanConfiguration::NAME, SetLanConfiguration::SET_IN_PROGRESS)
        | (SetSolConfiguration::NAME, SetSolConfiguration::SET_IN_PROGRESS)
        | (SetSystemBootOptions::NAME, SetSystemBootOptions::SET_IN_PROGRESS)
        | (SetSystemInfo::NAME, SetSystemInfo::SET_IN_PROGRESS) => {
            (ErrorKind::Busy, "somebody else is setting parameters")
        }
        (SetLanConfiguration::NAME, SetLanConfiguration::READ_ONLY)
        | (SetSolConfiguration::NAME, SetSolConfiguration::READ_ONLY)
        | (SetSystemBootOptions::NAME, SetSystemBootOptions::READ_ONLY)
        | (SetSystemInfo::NAME, SetSystemInfo::READ_ONLY) => {
            (ErrorKind::Rejected, "parameter is read-only")
        }
        _ => return None,
    })
}

/// Commands for what the BMC stores: event log and FRU inventory, §31 and §34.
fn stored(command: &str, code: CompletionCode) -> Option<(ErrorKind, &'static str)> {
    Some(match (command, code) {
        (GetSelEntry::NAME, GetSelEntry::ERASE_IN_PROGRESS)
        | (AddSelEntry::NAME, AddSelEntry::ERASE_IN_PROGRESS)
        | (DeleteSelEntry::NAME, DeleteSelEntry::ERASE_IN_PROGRESS) => {
            (ErrorKind::Busy, "event log is being erased")
        }
        (AddSelEntry::NAME, AddSelEntry::UNSUPPORTED_TYPE)
        | (DeleteSelEntry::NAME, DeleteSelEntry::UNSUPPORTED_TYPE) => {
            (ErrorKind::Unsupported, "not with records of this type")
        }
        (ReadFruData::NAME, ReadFruData::BUSY) | (WriteFruData::NAME, WriteFruData::BUSY) => {
            (ErrorKind::Busy, "FRU device is busy")
        }
        (WriteFruData::NAME, WriteFruData::PROTECTED) => {
            (ErrorKind::Rejected, "offset is write-protected")
        }
        _ => return None,
    })
}

fn other(command: &str, code: CompletionCode) -> Option<(ErrorKind, &'static str)> {
    use ErrorKind::{Rejected, Unsupported};
    Some(match (command, code) {
        (SetUserPassword::NAME, SetUserPassword::WRONG) => (Rejected, "it is another password"),
        (SetUserPassword::NAME, SetUserPassword::OTHER_FORM) => {
            (Rejected, "the password is kept in the other form")
        }
        (GetChannelAccess::NAME, GetChannelAccess::SESSIONLESS)
        | (SetChannelAccess::NAME, SetChannelAccess::SESSIONLESS) => {
            (Unsupported, "channel has no sessions")
        }
        (SetChannelAccess::NAME, SetChannelAccess::MODE_UNSUPPORTED) => {
            (Unsupported, "access mode not supported")
        }
        (
            GetChannelPayloadSupport::NAME | GetChannelPayloadVersion::NAME,
            GetChannelPayloadVersion::UNAVAILABLE,
        ) => (Unsupported, "channel does not carry the payload"),
        (SetChannelSecurityKeys::NAME, code) => (Rejected, key(code)?),
        (ResetWatchdogTimer::NAME, ResetWatchdogTimer::UNINITIALIZED) => {
            (Rejected, "timer has never been set")
        }
        (SetPowerLimit::NAME, SetPowerLimit::LIMIT_OUT_OF_RANGE) => {
            (Rejected, "power limit out of range")
        }
        (SetPowerLimit::NAME, SetPowerLimit::CORRECTION_OUT_OF_RANGE) => {
            (Rejected, "correction time out of range")
        }
        (SetPowerLimit::NAME, SetPowerLimit::SAMPLING_OUT_OF_RANGE) => {
            (Rejected, "sampling period out of range")
        }
        _ => return None,
    })
}

fn key(code: CompletionCode) -> Option<&'static str> {
    Some(match code {
        SetChannelSecurityKeys::LOCKED => "key is locked",
        SetChannelSecurityKeys::TOO_SHORT => "key is too short",
        SetChannelSecurityKeys::TOO_LONG => "key is too long",
        SetChannelSecurityKeys::CRITERIA => "key does not meet the BMC's criteria",
        SetChannelSecurityKeys::NO_KR => "BMC has no K_R",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn error(command: &'static str, code: u8) -> Error {
        let code = CompletionCode(code);
        Error::Completion { command, code }
    }

    #[test]
    fn a_parameter_that_the_bmc_does_not_have_is_unsupported() {
        for command in [
            GetLanConfiguration::NAME,
            SetLanConfiguration::NAME,
            GetSolConfiguration::NAME,
            SetSolConfiguration::NAME,
            GetPefConfiguration::NAME,
            GetSystemBootOptions::NAME,
            SetSystemBootOptions::NAME,
            GetSystemInfo::NAME,
            SetSystemInfo::NAME,
        ] {
            let error = error(command, 0x80);
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{command}");
            let text = format!("{command}: parameter not supported (80h)");
            assert_eq!(error.to_string(), text);
        }
    }

    #[test]
    fn one_code_means_something_else_for_each_command() {
        for (command, code, kind) in [
            (SetSystemBootOptions::NAME, 0x81, ErrorKind::Busy),
            (SetSystemBootOptions::NAME, 0x82, ErrorKind::Rejected),
            (
                SetSessionPrivilegeLevel::NAME,
                0x80,
                ErrorKind::PermissionDenied,
            ),
            (
                SetSessionPrivilegeLevel::NAME,
                0x81,
                ErrorKind::PermissionDenied,
            ),
            (ActivateSession::NAME, 0x81, ErrorKind::Busy),
            (SetUserPassword::NAME, 0x80, ErrorKind::Rejected),
            (GetSelEntry::NAME, 0x81, ErrorKind::Busy),
            (WriteFruData::NAME, 0x80, ErrorKind::Rejected),
            (WriteFruData::NAME, 0x81, ErrorKind::Busy),
            ("Get Device ID", 0x80, ErrorKind::Rejected),
            (SetSystemBootOptions::NAME, 0xcc, ErrorKind::Unsupported),
        ] {
            assert_eq!(error(command, code).kind(), kind, "{command} {code:02X}h");
        }
        assert_eq!(
            error("Get Device ID", 0x80).to_string(),
            "Get Device ID: command-specific completion code (80h)"
        );
    }
}
