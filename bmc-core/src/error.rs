//! What went wrong, and whether the machine may have acted all the same.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

/// The failure of one step against one BMC.
///
/// Opaque: callers decide by [`kind`](Self::kind) and [`effect`](Self::effect); the protocol's own typed cause is in
/// [`source`](StdError::source). Cheap to clone, so that a refused login can be remembered and reported again.
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    effect: Effect,
    message: Cow<'static, str>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The class of a failure, the same in every protocol.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum ErrorKind {
    /// This provider or this BMC cannot do it.
    Unsupported,
    /// The caller's argument is wrong; nothing was sent.
    InvalidInput,
    /// The BMC refused the credential. Never retried with the same credential.
    Authentication,
    /// The credential is good, its privilege is not enough.
    PermissionDenied,
    /// Nothing listens there, or the name or route does not exist.
    Unreachable,
    /// No answer in time.
    Timeout,
    /// The TLS peer could not be verified.
    Tls,
    /// The BMC is busy or out of sessions; later is better.
    Busy,
    /// The BMC knows no such object.
    NotFound,
    /// The BMC understood and refused.
    Rejected,
    /// The peer broke the protocol.
    Protocol,
    /// The handle was closed before the operation began.
    Closed,
    /// Left out, because an earlier attempt may have taken effect and must not be repeated.
    NotTried,
}

/// Whether the BMC may have carried out the operation although it failed.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Effect {
    /// Certainly nothing happened.
    None,
    /// The request may have been carried out.
    Unknown,
}

impl Error {
    /// A failure without effect.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            effect: Effect::None,
            message: message.into(),
            source: None,
        }
    }

    /// Attaches the protocol's typed cause. Its text is part of [`Display`](fmt::Display): do not repeat it in the message.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Says whether the BMC may have acted.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// The class of the failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether the BMC may have acted.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether the same request may succeed later without anybody changing anything.
    pub fn is_retryable(&self) -> bool {
        self.kind.is_retryable()
    }
}

impl ErrorKind {
    /// Whether a failure of this kind may pass by itself.
    pub fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::Unreachable | Self::Timeout | Self::Busy | Self::Protocol
        )
    }

    /// A short stable name, for metrics, reasons and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unsupported => "unsupported",
            Self::InvalidInput => "invalid-input",
            Self::Authentication => "authentication",
            Self::PermissionDenied => "permission-denied",
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::Tls => "tls",
            Self::Busy => "busy",
            Self::NotFound => "not-found",
            Self::Rejected => "rejected",
            Self::Protocol => "protocol",
            Self::Closed => "closed",
            Self::NotTried => "not-tried",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut cause = self
            .source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static));
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind)
            .field("effect", &self.effect)
            .field("message", &self.message)
            .field("source", &self.source)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("handshake failed")]
    struct Handshake(#[source] io::Error);

    #[test]
    fn an_error_shows_its_whole_chain() {
        let error = Error::new(ErrorKind::Protocol, "cannot log in")
            .with_source(Handshake(io::Error::other("short message")));
        assert_eq!(
            error.to_string(),
            "cannot log in: handshake failed: short message"
        );
        assert!(
            error
                .source()
                .unwrap()
                .downcast_ref::<Handshake>()
                .is_some()
        );
        assert_eq!(Error::new(ErrorKind::Busy, "busy").to_string(), "busy");
    }

    #[test]
    fn an_error_has_no_effect_unless_it_says_so() {
        let error = Error::new(ErrorKind::Timeout, "no answer");
        assert_eq!(error.effect(), Effect::None);
        let clone = error.with_effect(Effect::Unknown).clone();
        assert_eq!(
            (clone.kind(), clone.effect()),
            (ErrorKind::Timeout, Effect::Unknown)
        );
        assert!(clone.is_retryable());
    }

    #[test]
    fn kinds_have_distinct_names() {
        let kinds = [
            ErrorKind::Unsupported,
            ErrorKind::InvalidInput,
            ErrorKind::Authentication,
            ErrorKind::PermissionDenied,
            ErrorKind::Unreachable,
            ErrorKind::Timeout,
            ErrorKind::Tls,
            ErrorKind::Busy,
            ErrorKind::NotFound,
            ErrorKind::Rejected,
            ErrorKind::Protocol,
            ErrorKind::Closed,
            ErrorKind::NotTried,
        ];
        let names: BTreeSet<_> = kinds.iter().map(ErrorKind::to_string).collect();
        assert_eq!(names.len(), kinds.len());
        let passing: Vec<_> = kinds
            .into_iter()
            .filter(|kind| kind.is_retryable())
            .collect();
        assert_eq!(
            passing,
            [
                ErrorKind::Unreachable,
                ErrorKind::Timeout,
                ErrorKind::Busy,
                ErrorKind::Protocol
            ]
        );
    }
}
