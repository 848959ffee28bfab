//! Why an exchange over HTTP failed, or its settings are refused.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use crate::error::{Effect, Error, ErrorKind};

/// Why an exchange over HTTP failed. An answer of any status is not a failure.
///
/// `origin` is scheme, host and port of the peer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// No connection came about.
    #[error("cannot connect to {origin}")]
    Connect {
        /// The peer.
        origin: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// No connection came about in time.
    #[error("cannot connect to {origin} in time")]
    ConnectTimeout {
        /// The peer.
        origin: String,
    },
    /// The peer's certificate or its TLS is not acceptable.
    #[error("TLS with {origin} failed")]
    Tls {
        /// The peer.
        origin: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// The deadline passed before anything was sent.
    #[error("no time left to ask {origin}")]
    NotSent {
        /// The peer.
        origin: String,
    },
    /// No complete answer came in time.
    #[error("no answer from {origin} in time")]
    Timeout {
        /// The peer.
        origin: String,
    },
    /// The exchange broke off, or the answer is not HTTP.
    #[error("the exchange with {origin} broke off")]
    Broken {
        /// The peer.
        origin: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// The answer is too long.
    #[error("the answer of {origin} is longer than {limit} bytes")]
    TooLarge {
        /// The peer.
        origin: String,
        /// Most bytes that are read.
        limit: usize,
    },
    /// The URL is not one of a host reached by `http` or `https`.
    #[error("the URL is not an absolute http or https URL")]
    Url,
}

/// Settings that cannot be used. The text names the field and what is allowed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HttpConfigError {
    /// The roots to verify against are not certificates.
    #[error(
        "root certificates: certificate {index} (counted from 0) cannot be used; PEM is expected"
    )]
    Roots {
        /// Which one.
        index: usize,
    },
    /// There is no root to verify against.
    #[error("root certificates: there is none in the PEM text")]
    NoRoots,
    /// The proxy is not a URL.
    #[error("proxy: not an http or https URL")]
    Proxy,
    /// Nothing could be read.
    #[error("maximum size of a body is 0 bytes")]
    MaxBody,
    /// The system lacks something, such as random numbers.
    #[error("the system cannot give what HTTP needs")]
    System,
}

/// The innermost reason, in the words of the operating system, the TLS library or the HTTP library.
#[derive(Clone)]
pub struct Cause(Arc<dyn StdError + Send + Sync>);

impl HttpError {
    /// The class of the failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Connect { .. } => ErrorKind::Unreachable,
            Self::ConnectTimeout { .. } | Self::NotSent { .. } | Self::Timeout { .. } => {
                ErrorKind::Timeout
            }
            Self::Tls { .. } => ErrorKind::Tls,
            Self::Broken { .. } | Self::TooLarge { .. } => ErrorKind::Protocol,
            Self::Url => ErrorKind::InvalidInput,
        }
    }

    /// Whether the peer may have acted.
    pub fn effect(&self) -> Effect {
        match self {
            Self::Timeout { .. } | Self::Broken { .. } | Self::TooLarge { .. } => Effect::Unknown,
            Self::Connect { .. }
            | Self::ConnectTimeout { .. }
            | Self::Tls { .. }
            | Self::NotSent { .. }
            | Self::Url => Effect::None,
        }
    }

    pub(super) fn from_reqwest(error: reqwest::Error, origin: String) -> Self {
        let error = error.without_url();
        if error.is_builder() {
            return Self::Url;
        }
        if !error.is_connect() {
            let cause = Cause(Arc::new(error));
            return Self::Broken { origin, cause };
        }
        if error.is_timeout() {
            return Self::ConnectTimeout { origin };
        }
        let cause = Cause(Arc::new(error));
        match innermost(cause.0.as_ref()).downcast_ref::<rustls::Error>() {
            Some(_) => Self::Tls { origin, cause },
            None => Self::Connect { origin, cause },
        }
    }
}

impl From<HttpError> for Error {
    fn from(error: HttpError) -> Self {
        Self::new(error.kind(), "HTTP")
            .with_effect(error.effect())
            .with_source(error)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(innermost(self.0.as_ref()), f)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(innermost(self.0.as_ref()), f)
    }
}

// Its display says it all: no source, so that a printed chain does not repeat itself.
impl StdError for Cause {}

fn innermost<'a>(error: &'a (dyn StdError + 'static)) -> &'a (dyn StdError + 'static) {
    let mut error = error;
    loop {
        // An I/O error hides what it wraps: its source is that of the wrapped one.
        let wrapped = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref)
            .map(|wrapped| wrapped as &(dyn StdError + 'static));
        match wrapped.or_else(|| error.source()) {
            Some(inner) => error = inner,
            None => return error,
        }
    }
}
