//! Settings that cannot be used.

use bmc_core::http::HttpConfigError;

use crate::algorithm::Algorithm;
use crate::dot_path::EmbedError;

/// Settings that cannot be used. The text names the setting and what is allowed; nothing was sent.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A URL is not one.
    #[error("{setting}: not an absolute http or https URL")]
    Url {
        /// The setting.
        setting: &'static str,
    },
    /// A text that must not be empty is.
    #[error("{setting}: must not be empty")]
    Empty {
        /// The setting.
        setting: &'static str,
    },
    /// The HTTP method is not one.
    #[error("HTTP method: {given:?} is not a method such as POST")]
    Method {
        /// What was given.
        given: String,
    },
    /// The name of a header is not one.
    #[error("{setting}: {given:?} is not the name of a header")]
    HeaderName {
        /// The setting.
        setting: &'static str,
        /// What was given.
        given: String,
    },
    /// The value of a header cannot be sent.
    #[error("{setting}: the value of {header} holds control characters")]
    HeaderValue {
        /// The setting.
        setting: &'static str,
        /// The header.
        header: String,
    },
    /// A static header would collide with one that is made for each request.
    #[error("static header {header}: is set by the protocol, choose another name")]
    ReservedHeader {
        /// The header.
        header: String,
    },
    /// A static header is there twice, in upper and lower case.
    #[error("static header {header}: is there twice; give all its values in one")]
    DoubledHeader {
        /// The header.
        header: String,
    },
    /// There are too many static headers.
    #[error("static headers: more than {most}")]
    TooManyHeaders {
        /// Most headers.
        most: usize,
    },
    /// One name for two headers.
    #[error("timestamp and signature have the same header {header}")]
    SameHeader {
        /// The header.
        header: String,
    },
    /// A header is to be signed that no request has.
    #[error("signed header {header}: no request has it; add it as a static header")]
    SignedHeaderAbsent {
        /// The header.
        header: String,
    },
    /// The timestamp format has no date and no time in it.
    #[error(
        "timestamp format {given:?}: holds nothing of Go's reference time Mon Jan 2 15:04:05 MST 2006, or characters that no header may have"
    )]
    TimestampFormat {
        /// What was given.
        given: String,
    },
    /// There is no such algorithm.
    #[error("algorithm {name:?}: use sha256 or sha512")]
    Algorithm {
        /// What was given.
        name: String,
    },
    /// An algorithm has no secret.
    #[error("algorithm {algorithm}: has no secret")]
    NoSecret {
        /// The algorithm.
        algorithm: Algorithm,
    },
    /// A secret is empty: everybody could sign.
    #[error("algorithm {algorithm}: secret {index} (counted from 0) is empty")]
    EmptySecret {
        /// The algorithm.
        algorithm: Algorithm,
        /// Which secret.
        index: usize,
    },
    /// A verifier without secrets accepts nothing.
    #[error("there is no secret to verify signatures with")]
    NoKeys,
    /// A verifier cannot judge the age of a request by a timestamp that is not signed.
    #[error(
        "the timestamp is not among the signed headers, so the age of a request cannot be judged"
    )]
    UnsignedTimestamp,
    /// A verifier cannot judge the age of a request by this timestamp.
    #[error(
        "timestamp format {given:?}: lacks year, day, hour or minute, so the age of a request cannot be judged"
    )]
    UnreadableTimestamp {
        /// The layout.
        given: String,
    },
    /// The payload of the user's cannot take the request.
    #[error("custom payload: {0}")]
    Embed(EmbedError),
    /// The entity is not one.
    #[error("entity {given:?}: must be like switch.socket_1")]
    Entity {
        /// What was given.
        given: String,
    },
    /// The HTTP client cannot be built.
    #[error(transparent)]
    Http(#[from] HttpConfigError),
}

impl From<EmbedError> for ConfigError {
    fn from(error: EmbedError) -> Self {
        Self::Embed(error)
    }
}

/// What a user gave, short enough to print.
pub(crate) fn given(text: &str) -> String {
    text.chars().take(80).collect()
}
