//! From a request to HTTP and back. Pure: the time comes in, nothing is sent.

use std::collections::BTreeMap;
use std::fmt;
use std::time::SystemTime;

use bmc_core::http::HttpClient;
use bytes::Bytes;
use http::header::{
    ACCEPT, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, Entry, HOST, TE, TRAILER, TRANSFER_ENCODING,
    UPGRADE, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};

use crate::config::{ConfigError, given};
use crate::dot_path::Template;
use crate::error::Error;
use crate::payload::{Request, Response};
use crate::scheme;
use crate::sign::Signer;

/// Most static headers. Many servers refuse more than 100 in all.
const MAX_STATIC_HEADERS: usize = 64;

/// What all requests to one consumer have in common.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) url: Uri,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) template: Option<Template>,
    pub(crate) signer: Signer,
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shape")
            .field("peer", &host_and_port(&self.url))
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

/// What may be told about a URL: neither user name and password nor path and query.
pub(crate) fn host_and_port(url: &Uri) -> &str {
    let text = url.authority().map_or("", http::uri::Authority::as_str);
    text.rsplit_once('@').map_or(text, |(_, host)| host)
}

impl Shape {
    /// The HTTP request for `request`, stamped with `now` and signed.
    pub(crate) fn http_request(&self, request: &Request, now: SystemTime) -> http::Request<Bytes> {
        let body = match &self.template {
            Some(template) => serde_json::to_vec(&template.with(request)),
            None => serde_json::to_vec(request),
        };
        // Strings, numbers and maps with string keys always serialise.
        let mut http = http::Request::new(Bytes::from(body.unwrap_or_default()));
        *http.method_mut() = self.method.clone();
        *http.uri_mut() = self.url.clone();
        *http.headers_mut() = self.headers.clone();
        self.signer.sign(&mut http, now);
        http
    }
}

/// The headers that all requests have: the static ones, the content type, and how the connection is used.
pub(crate) fn headers(
    static_headers: &BTreeMap<String, Vec<String>>,
    content_type: &str,
    signer: &Signer,
) -> Result<HeaderMap, ConfigError> {
    if static_headers.len() > MAX_STATIC_HEADERS {
        return Err(ConfigError::TooManyHeaders {
            most: MAX_STATIC_HEADERS,
        });
    }
    let mut headers = HeaderMap::new();
    for (name, values) in static_headers {
        let name = scheme::header("static header", name)?;
        if is_reserved(&name, signer) {
            return Err(ConfigError::ReservedHeader {
                header: name.to_string(),
            });
        }
        let mut value = value("static header", &name, &values.join(","))?;
        value.set_sensitive(true);
        match headers.entry(name) {
            Entry::Vacant(entry) => drop(entry.insert(value)),
            Entry::Occupied(entry) => {
                return Err(ConfigError::DoubledHeader {
                    header: entry.key().to_string(),
                });
            }
        }
    }
    if !content_type.is_empty() {
        headers.insert(
            CONTENT_TYPE,
            value("content type", &CONTENT_TYPE, content_type)?,
        );
    }
    let own = [
        (USER_AGENT, concat!("bmc-rpc/", env!("CARGO_PKG_VERSION"))),
        (ACCEPT, "application/json"),
    ];
    for (name, value) in own {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    // A request on a kept connection that the consumer closes meanwhile may or may not have been carried out.
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    for name in &signer.scheme().signed {
        if !headers.contains_key(name) && !signer.scheme().is_timestamp(name) {
            return Err(ConfigError::SignedHeaderAbsent {
                header: name.to_string(),
            });
        }
    }
    Ok(headers)
}

/// Headers that belong to HTTP itself, or that are made for each request.
fn is_reserved(name: &HeaderName, signer: &Signer) -> bool {
    let of_http = [
        CONNECTION,
        CONTENT_LENGTH,
        HOST,
        TE,
        TRAILER,
        TRANSFER_ENCODING,
        UPGRADE,
    ];
    of_http.contains(name)
        || signer.scheme().is_timestamp(name)
        || signer.scheme().is_signature(name)
}

fn value(
    setting: &'static str,
    name: &HeaderName,
    value: &str,
) -> Result<HeaderValue, ConfigError> {
    // What is signed is what arrives, and HTTP does not carry blanks at the ends.
    HeaderValue::from_str(value.trim_matches([' ', '\t'])).map_err(|_| ConfigError::HeaderValue {
        setting,
        header: name.to_string(),
    })
}

pub(crate) fn url(setting: &'static str, url: &str) -> Result<Uri, ConfigError> {
    let wrong = ConfigError::Url { setting };
    let uri: Uri = url.parse().map_err(|_| wrong.clone())?;
    match HttpClient::accepts(&uri) {
        true => Ok(uri),
        false => Err(wrong),
    }
}

pub(crate) fn method(name: &str) -> Result<Method, ConfigError> {
    match name.parse() {
        // CONNECT asks a proxy for a tunnel, which is no answer.
        Ok(method) if method != Method::CONNECT => Ok(method),
        _ => Err(ConfigError::Method { given: given(name) }),
    }
}

/// Reads the answer to `request`.
pub(crate) fn read(answer: &http::Response<Bytes>, request: &Request) -> Result<Response, Error> {
    let status = answer.status();
    if status.is_redirection() {
        return Err(Error::Redirect { status });
    }
    let body = answer.body();
    if !status.is_success() {
        let response = Response::from_json(body).ok();
        let failure = response.and_then(|response| response.failed().cloned());
        return Err(Error::Status { status, failure });
    }
    if body.trim_ascii().is_empty() {
        // Enough where nothing is asked for; a reader of a result complains itself.
        return Ok(Response::default());
    }
    let response = Response::from_json(body).map_err(|error| match foreign(answer.headers()) {
        Some(content_type) => Error::ContentType { content_type },
        None => Error::Malformed(error),
    })?;
    match response.id {
        Some(got) if got != 0 && got != request.id => {
            return Err(Error::WrongId {
                asked: request.id,
                got,
            });
        }
        _ => {}
    }
    if let Some(got) = response
        .host
        .as_ref()
        .filter(|got| !got.is_empty() && **got != request.host)
    {
        return Err(Error::WrongHost {
            asked: request.host.clone(),
            got: got.clone(),
        });
    }
    match response.failed() {
        Some(failure) => Err(Error::Failed(failure.clone())),
        None => Ok(response),
    }
}

/// The content type, if it says that the body is something else than JSON. Many consumers do not set it, and their
/// libraries guess `text/plain`: what reads as a response is one.
pub(crate) fn foreign(headers: &HeaderMap) -> Option<String> {
    let content_type = headers.get(CONTENT_TYPE)?.to_str().unwrap_or("something");
    let essence = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let is_json = essence.ends_with("/json") || essence.ends_with("+json");
    (!is_json).then_some(essence)
}
