//! Why an exchange with a BMC failed, and what that means to callers of any provider.

mod specific;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use bmc_core::{Effect, ErrorKind};

use crate::codec::{DecodeError, Wire};
use crate::command::{
    ActivatePayload, ActivateSession, GetChannelAuthCapabilities, GetSessionChallenge, SendMessage,
};
use crate::crypto::CipherSuite;
use crate::device::DeviceError;
use crate::target::Hop;
use crate::wire::{
    AuthType, AuthenticationAlgorithm, CompletionCode, ConfidentialityAlgorithm,
    IntegrityAlgorithm, Status,
};

/// Why an exchange with a BMC failed.
///
/// Becomes a [`bmc_core::Error`] by [`kind`](Self::kind) and [`effect`](Self::effect), with this as its source.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The name of the BMC has no address.
    #[error("cannot resolve {name:?}")]
    Resolve {
        /// The name.
        name: String,
        /// What the resolver says.
        source: Arc<io::Error>,
    },
    /// The host refused the datagrams: no program listens on the port, or no host has the address.
    #[error("nothing listens on {peer} (UDP)")]
    Unreachable {
        /// The address that was tried.
        peer: SocketAddr,
    },
    /// The system cannot send to the BMC, for instance because there is no route.
    #[error("cannot send to {peer}: {source}")]
    Send {
        /// The address that was tried.
        peer: SocketAddr,
        /// What the system says.
        source: Arc<io::Error>,
    },
    /// The system has no socket.
    #[error("cannot open a UDP socket: {0}")]
    Socket(Arc<io::Error>),
    /// The login was not complete at the deadline.
    #[error("no answer to {step} in time ({sent} sent{})", because(*.step, .last))]
    LoginTimeout {
        /// The message that was not answered.
        step: Step,
        /// How often it was sent.
        sent: u32,
        /// What arrived instead, if anything did.
        last: Option<Box<Self>>,
    },
    /// A command had no answer in time.
    #[error("no answer to {command} in time")]
    NoReply {
        /// The command.
        command: &'static str,
    },
    /// Other commands took all the time; this one was not sent.
    #[error("no time left to send {command}")]
    NotSent {
        /// The command.
        command: &'static str,
    },
    /// The BMC refused a step of the login.
    #[error("BMC refuses {step}: {status}")]
    Refused {
        /// The message that was refused.
        step: Step,
        /// Why.
        status: Status,
    },
    /// The BMC holds another password for this user; it was not told ours.
    #[error("wrong password (the BMC's proof in RAKP Message 2 does not match)")]
    WrongPassword,
    /// The BMC derived other session keys: it holds another BMC key Kg.
    #[error("wrong BMC key Kg (the integrity check value of RAKP Message 4 does not match)")]
    WrongKg,
    /// The BMC answered with other algorithms than were asked for.
    #[error(
        "BMC answers with {authentication}, {integrity}, {confidentiality} instead of cipher suite {asked}"
    )]
    Downgrade {
        /// The suite that was asked for.
        asked: CipherSuite,
        /// Authentication algorithm of the answer.
        authentication: AuthenticationAlgorithm,
        /// Integrity algorithm of the answer.
        integrity: IntegrityAlgorithm,
        /// Confidentiality algorithm of the answer.
        confidentiality: ConfidentialityAlgorithm,
    },
    /// The BMC accepts none of the cipher suites that may be used.
    #[error("BMC refuses cipher suite {}{}", list(.tried), offers(.offered))]
    NoCipherSuite {
        /// Numbers of the suites that were tried.
        tried: Vec<u8>,
        /// Numbers of the suites that the BMC says it offers, if it says so.
        offered: Option<Vec<u8>>,
    },
    /// The BMC does not open IPMI v1.5 sessions of this authentication type.
    #[error("BMC refuses IPMI v1.5 authentication type {asked}{}", offers_types(.offered))]
    AuthTypeRefused {
        /// The type that was asked for.
        asked: AuthType,
        /// What the BMC says it offers.
        offered: Vec<AuthType>,
    },
    /// The BMC answered a command with another completion code than 00h.
    #[error("{command}: {} ({:02X}h)", description(command, *.code), .code.0)]
    Completion {
        /// The command.
        command: &'static str,
        /// The BMC's answer.
        code: CompletionCode,
    },
    /// The caller's argument is wrong; nothing was sent.
    #[error("{field} {reason}")]
    InvalidInput {
        /// The argument.
        field: &'static str,
        /// What is wrong with it, and what is allowed.
        reason: String,
    },
    /// A controller on the way to the command's target could not reach the next one.
    #[error("{command}: cannot reach {hop}: {} ({:02X}h)", SendMessage::describe(*.code), .code.0)]
    Bridge {
        /// The command.
        command: &'static str,
        /// The controller that cannot be reached.
        hop: Hop,
        /// The completion code of Send Message.
        code: CompletionCode,
    },
    /// The BMC does not activate SOL: another session has it (80h, 82h), it is disabled (81h), or it must not (83h) or
    /// must (84h) be encrypted.
    #[error("BMC refuses serial over LAN: {} ({:02X}h)", sol_refusal(*.code), .code.0)]
    SolRefused {
        /// The BMC's answer to Activate Payload.
        code: CompletionCode,
    },
    /// This session has a SOL stream already; nothing was sent.
    #[error("serial over LAN is open in this session already")]
    SolInUse,
    /// The BMC's answer is malformed.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The BMC answered each command, but a procedure of several did not succeed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The session was closed.
    #[error("the session is closed")]
    Closed,
}

/// The messages on the way to the first command that want an answer.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Step {
    /// Open Session Request.
    OpenSession,
    /// RAKP Message 1.
    Rakp1,
    /// RAKP Message 3.
    Rakp3,
    /// Get Channel Authentication Capabilities, before an IPMI v1.5 session.
    AuthCapabilities,
    /// Get Session Challenge of IPMI v1.5.
    SessionChallenge,
    /// Activate Session of IPMI v1.5.
    ActivateSession,
    /// Set Session Privilege Level, before a command that needs it.
    SetPrivilege,
}

impl Error {
    /// The class of the failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Resolve { .. } | Self::Unreachable { .. } | Self::Send { .. } => {
                ErrorKind::Unreachable
            }
            Self::Socket(_) | Self::SolInUse => ErrorKind::Busy,
            Self::LoginTimeout { .. } | Self::NoReply { .. } | Self::NotSent { .. } => {
                ErrorKind::Timeout
            }
            Self::Refused { status, .. } => kind_of_status(*status),
            Self::WrongPassword | Self::WrongKg => ErrorKind::Authentication,
            Self::NoCipherSuite { .. } | Self::AuthTypeRefused { .. } => ErrorKind::Unsupported,
            Self::Downgrade { .. } | Self::Decode(_) => ErrorKind::Protocol,
            Self::Completion { command, code } => specific::meaning(command, *code)
                .map_or_else(|| kind_of_completion(*code), |(kind, _)| kind),
            Self::SolRefused { code } => kind_of_sol_refusal(*code),
            Self::Bridge { code, .. } => kind_of_bridge(*code),
            Self::InvalidInput { .. } => ErrorKind::InvalidInput,
            Self::Device(error) => error.kind(),
            Self::Closed => ErrorKind::Closed,
        }
    }

    /// Whether a command that changes something may have done so in spite of the failure.
    pub fn effect(&self) -> Effect {
        match self {
            Self::NoReply { .. } | Self::Decode(_) => Effect::Unknown,
            Self::Device(error) => error.effect(),
            Self::Completion { code, .. } | Self::Bridge { code, .. }
                if matches!(
                    *code,
                    CompletionCode::TIMEOUT
                        | CompletionCode::NO_RESPONSE
                        | CompletionCode::UNSPECIFIED
                ) =>
            {
                Effect::Unknown
            }
            _ => Effect::None,
        }
    }

    /// The code, if the BMC, or the target of the command, answered it with one.
    pub fn completion(&self) -> Option<CompletionCode> {
        match self {
            Self::Completion { code, .. } | Self::SolRefused { code } => Some(*code),
            _ => None,
        }
    }

    /// Whether another address of the same BMC may do better.
    pub(crate) fn is_about_address(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::Send { .. }
                | Self::Socket(_)
                | Self::LoginTimeout { .. }
        )
    }

    pub(crate) fn resolve(name: &str, source: io::Error) -> Self {
        Self::Resolve {
            name: name.to_owned(),
            source: Arc::new(source),
        }
    }
}

impl From<Error> for bmc_core::Error {
    fn from(error: Error) -> Self {
        let text = match error.kind() {
            ErrorKind::Authentication => "login refused",
            ErrorKind::Unreachable => "BMC is unreachable",
            ErrorKind::Timeout => "BMC is silent",
            ErrorKind::Busy => "BMC is busy",
            ErrorKind::PermissionDenied => "privilege is not enough",
            ErrorKind::Unsupported => "BMC does not support it",
            ErrorKind::Protocol => "BMC broke the protocol",
            ErrorKind::InvalidInput => "wrong argument",
            ErrorKind::Closed => "session is gone",
            _ => "BMC refuses",
        };
        Self::new(error.kind(), text)
            .with_effect(error.effect())
            .with_source(error)
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OpenSession => "Open Session Request",
            Self::Rakp1 => "RAKP Message 1",
            Self::Rakp3 => "RAKP Message 3",
            Self::AuthCapabilities => GetChannelAuthCapabilities::NAME,
            Self::SessionChallenge => GetSessionChallenge::NAME,
            Self::ActivateSession => ActivateSession::NAME,
            Self::SetPrivilege => "Set Session Privilege Level",
        })
    }
}

fn kind_of_status(status: Status) -> ErrorKind {
    match status {
        Status::INSUFFICIENT_RESOURCES | Status::INSUFFICIENT_RESOURCES_FOR_ROLE => ErrorKind::Busy,
        Status::UNAUTHORIZED_NAME
        | Status::INVALID_NAME_LENGTH
        | Status::INVALID_INTEGRITY_CHECK_VALUE => ErrorKind::Authentication,
        Status::INVALID_ROLE | Status::UNAUTHORIZED_ROLE => ErrorKind::PermissionDenied,
        Status::INVALID_AUTHENTICATION_ALGORITHM
        | Status::INVALID_INTEGRITY_ALGORITHM
        | Status::NO_MATCHING_AUTHENTICATION
        | Status::NO_MATCHING_INTEGRITY
        | Status::INVALID_CONFIDENTIALITY_ALGORITHM
        | Status::NO_CIPHER_SUITE_MATCH => ErrorKind::Unsupported,
        _ => ErrorKind::Protocol,
    }
}

fn kind_of_completion(code: CompletionCode) -> ErrorKind {
    match code {
        CompletionCode::NODE_BUSY
        | CompletionCode::TIMEOUT
        | CompletionCode::OUT_OF_SPACE
        | CompletionCode::SDR_UPDATE
        | CompletionCode::FIRMWARE_UPDATE
        | CompletionCode::INITIALIZING => ErrorKind::Busy,
        CompletionCode::INVALID_COMMAND
        | CompletionCode::INVALID_FOR_LUN
        | CompletionCode::INVALID_DATA_FIELD
        | CompletionCode::DISABLED => ErrorKind::Unsupported,
        CompletionCode::INSUFFICIENT_PRIVILEGE => ErrorKind::PermissionDenied,
        CompletionCode::NOT_PRESENT => ErrorKind::NotFound,
        _ => ErrorKind::Rejected,
    }
}

fn description(command: &str, code: CompletionCode) -> &'static str {
    specific::meaning(command, code).map_or_else(|| code.description(), |(_, text)| text)
}

fn kind_of_bridge(code: CompletionCode) -> ErrorKind {
    match code {
        SendMessage::NAK_ON_WRITE => ErrorKind::NotFound,
        SendMessage::LOST_ARBITRATION | SendMessage::BUS_ERROR => ErrorKind::Busy,
        other => kind_of_completion(other),
    }
}

fn kind_of_sol_refusal(code: CompletionCode) -> ErrorKind {
    match code {
        ActivatePayload::ALREADY_ACTIVE | ActivatePayload::LIMIT => ErrorKind::Busy,
        ActivatePayload::DISABLED
        | ActivatePayload::NO_ENCRYPTION
        | ActivatePayload::NEEDS_ENCRYPTION => ErrorKind::Unsupported,
        _ => ErrorKind::Rejected,
    }
}

fn sol_refusal(code: CompletionCode) -> &'static str {
    match code {
        ActivatePayload::ALREADY_ACTIVE => "another session has it",
        ActivatePayload::DISABLED => "it is disabled",
        ActivatePayload::LIMIT => "as many sessions as can have it",
        ActivatePayload::NO_ENCRYPTION => "it cannot be encrypted",
        ActivatePayload::NEEDS_ENCRYPTION => "it must be encrypted",
        _ => code.description(),
    }
}

fn because(step: Step, last: &Option<Box<Error>>) -> String {
    match last {
        Some(error) => format!("; last seen: {error}"),
        None if step == Step::ActivateSession => "; the password may be wrong".into(),
        None => String::new(),
    }
}

fn offers(offered: &Option<Vec<u8>>) -> String {
    match offered {
        None => String::new(),
        Some(ids) if ids.is_empty() => "; it offers none".into(),
        Some(ids) => format!("; it offers {}", list(ids)),
    }
}

fn offers_types(offered: &[AuthType]) -> String {
    if offered.is_empty() {
        return "; it offers none at all".into();
    }
    let names: Vec<_> = offered.iter().map(AuthType::to_string).collect();
    format!("; it offers {}", names.join(", "))
}

fn list(ids: &[u8]) -> String {
    ids.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_suite_names_what_is_offered() {
        let error = Error::NoCipherSuite {
            tried: vec![17],
            offered: Some(vec![0, 3]),
        };
        assert_eq!(
            error.to_string(),
            "BMC refuses cipher suite 17; it offers 0, 3"
        );
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }

    #[test]
    fn the_typed_cause_is_the_source() {
        let error = bmc_core::Error::from(Error::WrongPassword);
        assert_eq!(error.kind(), ErrorKind::Authentication);
        let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref());
        assert!(matches!(source, Some(Error::WrongPassword)));
    }
}
