//! Whether a request comes from somebody who knows a secret, and is fresh.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use subtle::{Choice, ConstantTimeEq};

use super::layer::VerifyLayer;
use crate::algorithm::{Algorithm, Keys};
use crate::config::ConfigError;
use crate::scheme::{Resolved, Scheme};
use crate::sign::signed_parts;

/// Most signatures that are looked at in one request.
const MAX_SIGNATURES: usize = 32;

/// Verifies requests. Holds no state: see [`Repeats`](super::Repeats) for requests that come twice.
#[derive(Clone, Debug)]
pub struct Verifier {
    scheme: Resolved,
    keys: Keys,
    window: Option<Duration>,
    max_body: usize,
}

/// Sets up a [`Verifier`].
#[derive(Debug)]
#[must_use]
pub struct VerifierBuilder {
    scheme: Scheme,
    keys: Keys,
    window: Option<Duration>,
    max_body: usize,
}

/// Why a request is refused. Only [`WrongSignature`](Self::WrongSignature) means that somebody may be playing tricks.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The body is too long.
    #[error("body is longer than {limit} bytes")]
    BodyTooLarge {
        /// Most bytes.
        limit: usize,
    },
    /// The body could not be read.
    #[error("body broke off")]
    Body,
    /// There is no signature in the form that is expected.
    #[error("no signature")]
    NoSignature,
    /// No secret gives any of the signatures.
    #[error("no signature is right")]
    WrongSignature,
    /// A signed header is there more than once: which one was signed?
    #[error("signed header {header} is there more than once")]
    Ambiguous {
        /// The header.
        header: HeaderName,
    },
    /// There is no timestamp.
    #[error("no timestamp in header {header}")]
    NoTimestamp {
        /// The header.
        header: HeaderName,
    },
    /// The timestamp cannot be read.
    #[error("timestamp is not of the form {layout}")]
    Timestamp {
        /// The Go layout.
        layout: String,
    },
    /// The request is old, or this clock is ahead.
    #[error("request is {age:?} old, {window:?} is allowed")]
    Stale {
        /// Its age.
        age: Duration,
        /// The most.
        window: Duration,
    },
    /// The request is from the future, or this clock is behind.
    #[error("request is from {ahead:?} ahead, {window:?} is allowed")]
    Future {
        /// How far ahead.
        ahead: Duration,
        /// The most.
        window: Duration,
    },
}

impl Verifier {
    /// Starts with bmclib's scheme, a window of 5 minutes and bodies of at most 128 KiB.
    pub fn builder(keys: Keys) -> VerifierBuilder {
        VerifierBuilder {
            scheme: Scheme::bmclib(),
            keys,
            window: Some(Duration::from_secs(300)),
            max_body: 128 * 1024,
        }
    }

    /// Verifies one request: one signature that one of the secrets gives is enough, so that secrets can be changed one side
    /// after the other. Takes the same time for every wrong signature.
    ///
    /// `body` are the bytes as they came. Do not parse and print them again.
    ///
    /// # Errors
    /// The request is to be refused.
    pub fn verify(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: SystemTime,
    ) -> Result<(), VerifyError> {
        if body.len() > self.max_body {
            return Err(self.too_large());
        }
        for header in &self.scheme.signed {
            if headers.get_all(header).iter().count() > 1 {
                return Err(VerifyError::Ambiguous {
                    header: header.clone(),
                });
            }
        }
        self.check_signatures(headers, body)?;
        self.check_age(headers, now)
    }

    /// Verifies every request to a tower service before it sees it.
    pub fn layer(&self) -> VerifyLayer {
        VerifyLayer::new(self.clone())
    }

    /// Most bytes of a body.
    pub fn max_body(&self) -> usize {
        self.max_body
    }

    pub(super) fn too_large(&self) -> VerifyError {
        VerifyError::BodyTooLarge {
            limit: self.max_body,
        }
    }

    fn check_signatures(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), VerifyError> {
        let parts = signed_parts(&self.scheme, headers, body);
        let (mut seen, mut right) = (false, Choice::from(0));
        for (algorithm, header) in &self.scheme.signatures {
            let given: Vec<Vec<u8>> = headers
                .get_all(header)
                .iter()
                .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
                .take(MAX_SIGNATURES)
                .filter_map(|signature| self.decode(*algorithm, signature.trim_ascii()))
                .collect();
            seen |= !given.is_empty();
            for secret in self.keys.of(*algorithm).filter(|_| !given.is_empty()) {
                let expected = algorithm.mac(secret, &parts);
                for signature in &given {
                    right |= expected.ct_eq(signature);
                }
            }
        }
        match (bool::from(right), seen) {
            (true, _) => Ok(()),
            (false, true) => Err(VerifyError::WrongSignature),
            (false, false) => Err(VerifyError::NoSignature),
        }
    }

    /// The bytes of a signature of this algorithm, if it has its form.
    fn decode(&self, algorithm: Algorithm, signature: &[u8]) -> Option<Vec<u8>> {
        let hexadecimal = match self.scheme.prefixed {
            false => signature,
            true => signature
                .strip_prefix(algorithm.as_str().as_bytes())?
                .strip_prefix(b"=")?,
        };
        let length = match algorithm {
            Algorithm::Sha256 => 32,
            Algorithm::Sha512 => 64,
        };
        if hexadecimal.len() != 2 * length {
            return None;
        }
        let (digits, _) = hexadecimal.as_chunks::<2>();
        digits
            .iter()
            .map(|[high, low]| Some(nibble(*high)? << 4 | nibble(*low)?))
            .collect()
    }

    fn check_age(&self, headers: &HeaderMap, now: SystemTime) -> Result<(), VerifyError> {
        let (Some(window), Some((header, layout))) = (self.window, &self.scheme.timestamp) else {
            return Ok(());
        };
        let value = headers.get(header).map(HeaderValue::to_str);
        let text = value.ok_or_else(|| VerifyError::NoTimestamp {
            header: header.clone(),
        })?;
        let at = text
            .ok()
            .and_then(|text| layout.read(text))
            .ok_or_else(|| VerifyError::Timestamp {
                layout: layout.to_string(),
            })?;
        match now.duration_since(at) {
            Ok(age) if age > window => Err(VerifyError::Stale { age, window }),
            Err(ahead) if ahead.duration() > window => Err(VerifyError::Future {
                ahead: ahead.duration(),
                window,
            }),
            _ => Ok(()),
        }
    }
}

impl VerifyError {
    /// What to answer. 401 is left to signatures: a sender does not try again until its secret changes, while a clock may
    /// be set right any time.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Body => StatusCode::BAD_REQUEST,
            Self::NoSignature | Self::WrongSignature => StatusCode::UNAUTHORIZED,
            Self::Ambiguous { .. }
            | Self::NoTimestamp { .. }
            | Self::Timestamp { .. }
            | Self::Stale { .. }
            | Self::Future { .. } => StatusCode::FORBIDDEN,
        }
    }
}

impl VerifierBuilder {
    /// How requests are stamped and signed.
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = scheme;
        self
    }

    /// How far the timestamp may be from this clock, in both directions.
    pub fn window(mut self, window: Duration) -> Self {
        self.window = Some(window);
        self
    }

    /// Accepts requests of any age: whoever has seen one can send it again for ever. For senders that do not sign a
    /// timestamp, such as bmclib without settings.
    pub fn dangerous_accept_any_age(mut self) -> Self {
        self.window = None;
        self
    }

    /// Most bytes of a body.
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// There is no key or an empty one, the scheme cannot be used, or the age of requests is to be judged by a timestamp
    /// that is not signed or tells no moment.
    pub fn build(self) -> Result<Verifier, ConfigError> {
        self.keys.check()?;
        if self.keys.is_empty() {
            return Err(ConfigError::NoKeys);
        }
        let scheme = self.scheme.resolve()?;
        if self.window.is_some() {
            match &scheme.timestamp {
                Some((name, _)) if !scheme.signed.contains(name) => {
                    return Err(ConfigError::UnsignedTimestamp);
                }
                None => return Err(ConfigError::UnsignedTimestamp),
                Some((_, layout)) if !layout.is_readable() => {
                    let given = layout.to_string();
                    return Err(ConfigError::UnreadableTimestamp { given });
                }
                Some(_) => {}
            }
        }
        Ok(Verifier {
            scheme,
            keys: self.keys,
            window: self.window,
            max_body: self.max_body,
        })
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}
