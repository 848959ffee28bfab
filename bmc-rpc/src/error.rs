//! Why a request to a consumer, or to Home Assistant, failed.

use std::time::Duration;

use bmc_core::http::HttpError;
use bmc_core::{Effect, ErrorKind, PowerState};
use http::StatusCode;

use crate::payload::{Failure, InvalidResponse};

/// Why a request failed.
///
/// Becomes a [`bmc_core::Error`] by [`kind`](Self::kind) and [`effect`](Self::effect), with this as its source.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no complete answer.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The answer points elsewhere. It is not followed: a signature is meant for one peer, and POST would become GET.
    #[error("answers {status}, a redirect, which is not followed: configure the final URL")]
    Redirect {
        /// The status.
        status: StatusCode,
    },
    /// The status is none of success.
    #[error("answers {status}{}", told(.failure.as_ref()))]
    Status {
        /// The status.
        status: StatusCode,
        /// What the body says.
        failure: Option<Failure>,
    },
    /// The consumer says that it failed.
    #[error("reports error {}: {}", .0.code, shown(&.0.message))]
    Failed(Failure),
    /// The answer is something else, such as a page for people.
    #[error("answers with {} instead of JSON", shown(.content_type))]
    ContentType {
        /// What it says to be.
        content_type: String,
    },
    /// The answer cannot be understood.
    #[error("the answer is {0}")]
    Malformed(InvalidResponse),
    /// The answer belongs to another request.
    #[error("the answer has id {got} instead of {asked}")]
    WrongId {
        /// The id of the request.
        asked: i64,
        /// The id of the answer.
        got: i64,
    },
    /// The answer is about another machine.
    #[error("the answer is for host {:?} instead of {asked:?}", shown(.got))]
    WrongHost {
        /// The host of the request.
        asked: String,
        /// The host of the answer.
        got: String,
    },
    /// The answer is about another entity.
    #[error("the answer is for entity {:?} instead of {asked:?}", shown(.got))]
    WrongEntity {
        /// The entity that was asked for.
        asked: String,
        /// The entity of the answer.
        got: String,
    },
    /// The answer lacks what was asked for.
    #[error("{method}: the result is {found} instead of a string")]
    Result {
        /// The method.
        method: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// Home Assistant knows the entity, but it is not what a switch looks like.
    #[error("entity {entity} has no friendly_name")]
    NoFriendlyName {
        /// The entity.
        entity: String,
    },
    /// The machine is on its way to another state, for longer than one waits for it. Nothing was sent.
    #[error("the machine is still {state}, for another {}", human(.left))]
    Settling {
        /// The state that it is in meanwhile.
        state: PowerState,
        /// How long.
        left: Duration,
    },
    /// It cannot be done this way.
    #[error("{what} is not possible with a switch")]
    Unsupported {
        /// What.
        what: &'static str,
    },
    /// The session was closed.
    #[error("the session is closed")]
    Closed,
}

impl Error {
    /// The class of the failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Http(error) => error.kind(),
            Self::Status { status, .. } => match status.as_u16() {
                401 => ErrorKind::Authentication,
                403 => ErrorKind::PermissionDenied,
                404 => ErrorKind::NotFound,
                408 | 504 => ErrorKind::Timeout,
                429 | 503 => ErrorKind::Busy,
                501 => ErrorKind::Unsupported,
                500..=599 => ErrorKind::Protocol,
                _ => ErrorKind::Rejected,
            },
            Self::Redirect { .. } | Self::Failed(_) | Self::NoFriendlyName { .. } => {
                ErrorKind::Rejected
            }
            Self::ContentType { .. }
            | Self::Malformed(_)
            | Self::WrongId { .. }
            | Self::WrongHost { .. }
            | Self::WrongEntity { .. }
            | Self::Result { .. } => ErrorKind::Protocol,
            Self::Settling { .. } => ErrorKind::Busy,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::Closed => ErrorKind::Closed,
        }
    }

    /// Whether a request that changes something may have done so in spite of the failure.
    ///
    /// An error that the consumer reports, a status of 400 to 499, 501 (no such method) and most redirects mean that nothing
    /// was done. Another status of 500 or more comes as well from a consumer that broke down afterwards, or from a proxy that
    /// saw no answer; and 303 says where to look at what was done.
    pub fn effect(&self) -> Effect {
        match self {
            Self::Http(error) => error.effect(),
            Self::Status { status, .. } if status.is_client_error() && status.as_u16() != 408 => {
                Effect::None
            }
            Self::Status {
                status: StatusCode::NOT_IMPLEMENTED,
                ..
            } => Effect::None,
            Self::Redirect {
                status: StatusCode::SEE_OTHER,
            }
            | Self::Status { .. }
            | Self::ContentType { .. }
            | Self::Malformed(_)
            | Self::WrongId { .. }
            | Self::WrongHost { .. }
            | Self::WrongEntity { .. }
            | Self::Result { .. } => Effect::Unknown,
            Self::Redirect { .. }
            | Self::Failed(_)
            | Self::NoFriendlyName { .. }
            | Self::Settling { .. }
            | Self::Unsupported { .. }
            | Self::Closed => Effect::None,
        }
    }
}

// Its text is part of this one's: no source, so that a printed chain does not repeat itself.
impl From<InvalidResponse> for Error {
    fn from(error: InvalidResponse) -> Self {
        Self::Malformed(error)
    }
}

impl From<Error> for bmc_core::Error {
    fn from(error: Error) -> Self {
        let text = match error.kind() {
            ErrorKind::Unreachable => "peer is unreachable",
            ErrorKind::Timeout => "peer is silent",
            ErrorKind::Tls => "peer is not trusted",
            ErrorKind::Authentication => "login refused",
            ErrorKind::Busy => "peer is busy",
            ErrorKind::Protocol => "peer broke the protocol",
            ErrorKind::Unsupported => "not supported",
            ErrorKind::Closed => "session is gone",
            _ => "peer refuses",
        };
        Self::new(error.kind(), text)
            .with_effect(error.effect())
            .with_source(error)
    }
}

fn told(failure: Option<&Failure>) -> String {
    match failure {
        Some(failure) => format!(
            " and reports error {}: {}",
            failure.code,
            shown(&failure.message)
        ),
        None => String::new(),
    }
}

/// In whole seconds, so that the text does not differ each time by itself.
fn human(left: &Duration) -> String {
    format!("{} s", left.as_secs() + 1)
}

/// A peer's text, made fit for one line.
fn shown(text: &str) -> String {
    text.chars()
        .take(200)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
