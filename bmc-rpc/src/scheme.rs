//! How requests are stamped and signed: the same on both sides.

use http::HeaderName;

use crate::algorithm::Algorithm;
use crate::config::{ConfigError, given};
use crate::timestamp::Layout;

/// How requests are stamped and signed. Sender and receiver must agree on it.
///
/// A signature is the lower-case hexadecimal HMAC of the body and, without anything in between, of the values of the
/// signed headers in their order. Because nothing separates them, sign more than one header only where their lengths are
/// fixed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[must_use]
pub struct Scheme {
    timestamp_header: String,
    timestamp_format: String,
    signature_header: String,
    algorithm_in_header: bool,
    algorithm_in_signature: bool,
    signed_headers: Option<Vec<String>>,
}

impl Default for Scheme {
    fn default() -> Self {
        Self::bmclib()
    }
}

impl Scheme {
    /// bmclib's headers, `X-BMCLIB-Timestamp` and `X-BMCLIB-Signature`, with the timestamp in RFC 3339 and signed.
    pub fn bmclib() -> Self {
        Self {
            timestamp_header: "X-BMCLIB-Timestamp".to_owned(),
            timestamp_format: Layout::RFC3339.to_owned(),
            signature_header: "X-BMCLIB-Signature".to_owned(),
            algorithm_in_header: true,
            algorithm_in_signature: true,
            signed_headers: None,
        }
    }

    /// Rufio's headers, `X-Rufio-Timestamp` and `X-Rufio-Signature`; else as [`bmclib`](Self::bmclib).
    pub fn rufio() -> Self {
        Self::bmclib()
            .timestamp_header("X-Rufio-Timestamp")
            .signature_header("X-Rufio-Signature")
    }

    /// The header of the timestamp. Empty: there is no timestamp.
    pub fn timestamp_header(mut self, name: impl Into<String>) -> Self {
        self.timestamp_header = name.into();
        self
    }

    /// The format of the timestamp, a Go layout; see [`Layout`].
    pub fn timestamp_format(mut self, layout: impl Into<String>) -> Self {
        self.timestamp_format = layout.into();
        self
    }

    /// The header of the signatures.
    pub fn signature_header(mut self, name: impl Into<String>) -> Self {
        self.signature_header = name.into();
        self
    }

    /// Whether the header of the signatures ends with `-256` or `-512`; unless set, it does. Without, it comes once for
    /// each algorithm.
    pub fn algorithm_in_header(mut self, appended: bool) -> Self {
        self.algorithm_in_header = appended;
        self
    }

    /// Whether a signature begins with `sha256=` or `sha512=`; unless set, it does.
    pub fn algorithm_in_signature(mut self, prefixed: bool) -> Self {
        self.algorithm_in_signature = prefixed;
        self
    }

    /// The headers that are signed behind the body, in this order; a name that comes again is left out. Unless set, the
    /// timestamp alone.
    pub fn signed_headers(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.signed_headers = Some(names.into_iter().map(Into::into).collect());
        self
    }

    pub(crate) fn resolve(&self) -> Result<Resolved, ConfigError> {
        let timestamp = self.timestamp()?;
        let base = header("signature header", &self.signature_header)?;
        let mut signatures = Vec::new();
        for algorithm in Algorithm::ALL {
            let name = match self.algorithm_in_header {
                true => header("signature header", &format!("{base}{}", algorithm.suffix()))?,
                false => base.clone(),
            };
            signatures.push((algorithm, name));
        }
        let mut signed: Vec<HeaderName> = Vec::new();
        match &self.signed_headers {
            None => signed.extend(timestamp.iter().map(|(name, _)| name.clone())),
            Some(names) => {
                for name in names {
                    let name = header("signed header", name)?;
                    if !signed.contains(&name) {
                        signed.push(name);
                    }
                }
            }
        }
        let resolved = Resolved {
            timestamp,
            signatures,
            prefixed: self.algorithm_in_signature,
            signed,
        };
        match &resolved.timestamp {
            Some((name, _)) if resolved.is_signature(name) => Err(ConfigError::SameHeader {
                header: name.to_string(),
            }),
            _ => Ok(resolved),
        }
    }

    fn timestamp(&self) -> Result<Option<(HeaderName, Layout)>, ConfigError> {
        if self.timestamp_header.is_empty() {
            return Ok(None);
        }
        let name = header("timestamp header", &self.timestamp_header)?;
        // HTTP does not carry blanks at the ends.
        let layout = Layout::new(self.timestamp_format.trim_matches(' '));
        let printable = self
            .timestamp_format
            .bytes()
            .all(|byte| (b' '..=b'~').contains(&byte));
        if layout.is_constant() || !printable {
            return Err(ConfigError::TimestampFormat {
                given: given(&self.timestamp_format),
            });
        }
        Ok(Some((name, layout)))
    }
}

/// A [`Scheme`] whose texts were checked.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) timestamp: Option<(HeaderName, Layout)>,
    /// The header for the signatures of each algorithm.
    pub(crate) signatures: Vec<(Algorithm, HeaderName)>,
    pub(crate) prefixed: bool,
    pub(crate) signed: Vec<HeaderName>,
}

impl Resolved {
    pub(crate) fn is_signature(&self, name: &HeaderName) -> bool {
        self.signatures
            .iter()
            .any(|(_, signature)| signature == name)
    }

    pub(crate) fn is_timestamp(&self, name: &HeaderName) -> bool {
        self.timestamp
            .as_ref()
            .is_some_and(|(timestamp, _)| timestamp == name)
    }
}

pub(crate) fn header(setting: &'static str, name: &str) -> Result<HeaderName, ConfigError> {
    name.parse().map_err(|_| ConfigError::HeaderName {
        setting,
        given: given(name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_schemes_are_named() {
        let refused = |scheme: Scheme| scheme.resolve().unwrap_err().to_string();
        assert_eq!(
            refused(Scheme::rufio().timestamp_header("a b")),
            "timestamp header: \"a b\" is not the name of a header"
        );
        assert_eq!(
            refused(Scheme::rufio().signature_header("")),
            "signature header: \"\" is not the name of a header"
        );
        assert_eq!(
            refused(Scheme::rufio().signed_headers(["X-A", "\u{e9}"])),
            "signed header: \"\u{e9}\" is not the name of a header"
        );
        let same = Scheme::rufio().timestamp_header("x-rufio-signature-256");
        assert_eq!(
            refused(same),
            "timestamp and signature have the same header x-rufio-signature-256"
        );
        for format in ["", "UTC", "2006\n", "\u{e9}2006"] {
            let scheme = Scheme::rufio().timestamp_format(format);
            assert!(
                matches!(scheme.resolve(), Err(ConfigError::TimestampFormat { .. })),
                "{format:?}"
            );
        }
    }

    #[test]
    fn signed_headers_keep_their_order_and_come_once() {
        let scheme = Scheme::rufio().signed_headers(["X-B", "x-a", "X-A", "x-b"]);
        assert_eq!(scheme.resolve().unwrap().signed, ["x-b", "x-a"]);
        assert_eq!(
            Scheme::rufio().resolve().unwrap().signed,
            ["x-rufio-timestamp"]
        );
    }
}
