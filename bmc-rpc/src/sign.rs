//! Stamps and signs requests. Pure: the time comes in.

use std::fmt::Write as _;
use std::time::SystemTime;

use http::header::Entry;
use http::{HeaderMap, HeaderValue, Request};

use crate::algorithm::Keys;
use crate::config::ConfigError;
use crate::scheme::{Resolved, Scheme};

/// Adds the timestamp and the signatures to requests.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use bmc_rpc::{Algorithm, Keys, Scheme, Signer};
///
/// let keys = Keys::new().secret(Algorithm::Sha256, "superSecret1");
/// let signer = Signer::new(&Scheme::rufio(), keys)?;
/// let mut request = http::Request::post("https://consumer.example/")
///     .body(r#"{"id":1700000000000000001,"host":"10.0.0.5","method":"ping"}"#)?;
/// signer.sign(&mut request, SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
///
/// assert_eq!(request.headers()["X-Rufio-Timestamp"], "2023-11-14T22:13:20Z");
/// assert_eq!(
///     request.headers()["X-Rufio-Signature-256"],
///     "sha256=999d2e13b0e1d8de013bf765951721228cc24698e017a9d3f9f5513bbdee746b"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Signer {
    scheme: Resolved,
    keys: Keys,
}

impl Signer {
    /// A signer with these keys; without keys it only adds the timestamp.
    ///
    /// # Errors
    /// The scheme cannot be used, or a secret is empty.
    pub fn new(scheme: &Scheme, keys: Keys) -> Result<Self, ConfigError> {
        keys.check()?;
        Ok(Self {
            scheme: scheme.resolve()?,
            keys,
        })
    }

    /// Adds the timestamp of `now`, then the signatures over the body and the signed headers that the request has.
    pub fn sign<B: AsRef<[u8]>>(&self, request: &mut Request<B>, now: SystemTime) {
        if let Some((name, layout)) = &self.scheme.timestamp
            // A day or hour in front may be padded, and HTTP does not carry blanks at the ends.
            && let Ok(value) = HeaderValue::from_str(layout.format(now).trim_matches(' '))
        {
            request.headers_mut().insert(name.clone(), value);
        }
        for (algorithm, name) in &self.scheme.signatures {
            let mut signatures = String::new();
            for secret in self.keys.of(*algorithm) {
                let parts = signed_parts(&self.scheme, request.headers(), request.body().as_ref());
                if !signatures.is_empty() {
                    signatures.push(',');
                }
                if self.scheme.prefixed {
                    let _ = write!(signatures, "{algorithm}=");
                }
                for byte in algorithm.mac(secret, &parts) {
                    let _ = write!(signatures, "{byte:02x}");
                }
            }
            let Ok(value) = HeaderValue::try_from(signatures) else {
                continue;
            };
            if value.is_empty() {
                continue;
            }
            // Without the algorithm in its name the header comes once for each.
            match request.headers_mut().entry(name) {
                Entry::Occupied(mut entry) => entry.append(value),
                Entry::Vacant(entry) => drop(entry.insert(value)),
            }
        }
    }

    pub(crate) fn scheme(&self) -> &Resolved {
        &self.scheme
    }
}

/// What is signed: the body, then the first value of each signed header.
pub(crate) fn signed_parts<'a>(
    scheme: &Resolved,
    headers: &'a HeaderMap,
    body: &'a [u8],
) -> Vec<&'a [u8]> {
    let values = scheme.signed.iter().filter_map(|name| headers.get(name));
    std::iter::once(body)
        .chain(values.map(HeaderValue::as_bytes))
        .collect()
}
