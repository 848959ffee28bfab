//! Properties that hold for all bytes: called by the fuzz targets, and by `tests/corpus.rs` with their corpora.
//!
//! Each function panics where its property is broken.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::algorithm::{Algorithm, Keys};
use crate::dot_path::Template;
use crate::exchange;
use crate::payload::{Call, Request, Response};
use crate::provider::RpcProvider;
use crate::scheme::Scheme;
use crate::server::{Verifier, VerifyError};
use crate::sign::Signer;

/// `name: value` lines and, behind an empty line, a body. What is not signed is refused; the same body and headers, signed,
/// are accepted; a request that is read is printed and read again as the same.
pub fn rpc_verify(data: &[u8]) {
    let (headers, body) = request(data);
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let keys = Keys::new()
        .secret(Algorithm::Sha256, "s1")
        .secret(Algorithm::Sha512, "s2");
    let scheme = Scheme::rufio().signed_headers(["X-Rufio-Timestamp", "X-Other"]);
    let verifier = Verifier::builder(keys.clone())
        .scheme(scheme.clone())
        .build()
        .unwrap();
    // Guessed bytes are never signed with keys that they do not know.
    assert!(verifier.verify(&headers, body, now).is_err());

    let mut signed = http::Request::new(body);
    *signed.headers_mut() = headers;
    for name in ["x-rufio-signature-256", "x-rufio-signature-512"] {
        signed.headers_mut().remove(name);
    }
    Signer::new(&scheme, keys).unwrap().sign(&mut signed, now);
    match verifier.verify(signed.headers(), body, now) {
        Ok(()) => {}
        Err(VerifyError::BodyTooLarge { .. } | VerifyError::Ambiguous { .. }) => {}
        Err(other) => assert_eq!(other.to_string(), "", "a signed request is refused"),
    }
    if let Ok(request) = Request::from_json(body) {
        let again = serde_json::to_vec(&request).unwrap();
        assert_eq!(Request::from_json(&again).unwrap(), request);
    }
}

/// The first byte chooses status and content type, the rest is the body. A response is read or refused; what was read is
/// printed and read again as the same.
pub fn rpc_response(data: &[u8]) {
    let Some((selector, body)) = data.split_first() else {
        return;
    };
    let asked = Request {
        id: 7,
        host: "bmc".into(),
        call: Call::GetPowerState,
    };
    let mut answer = http::Response::new(Bytes::copy_from_slice(body));
    let statuses = [200, 204, 302, 400, 401, 500, 503, 600];
    let status = statuses
        .get(usize::from(selector & 7))
        .copied()
        .unwrap_or(200);
    *answer.status_mut() = http::StatusCode::from_u16(status).unwrap();
    if selector & 8 != 0 {
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        answer.headers_mut().insert(CONTENT_TYPE, html);
    }
    match exchange::read(&answer, &asked) {
        Ok(response) => {
            assert!(answer.status().is_success());
            assert!(response.failed().is_none());
            assert!(matches!(response.id, None | Some(0 | 7)));
            if response != Response::default() {
                assert_eq!(
                    Response::from_json(&response.to_json()).as_ref(),
                    Ok(&response)
                );
            }
        }
        Err(error) => assert!(error.to_string().len() < 2000),
    }
}

/// A dot path and, behind a line feed, a payload. The path is refused, or the request stands in exactly one place.
pub fn rpc_dot_path(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (path, payload) = text.split_once('\n').unwrap_or((text, "{}"));
    let Ok(template) = Template::new(payload, path) else {
        return;
    };
    let filled = |request: u8| serde_json::to_value(template.with(&request)).unwrap();
    let printed = serde_json::to_vec(&template.with(&1)).unwrap();
    serde_json::from_slice::<Value>(&printed).unwrap();
    assert_eq!(differences(&filled(1), &filled(2)), 1);
}

/// The HTTP request that `provider` would send for `request`, for tests of every combination of settings.
pub fn http_request(
    provider: &RpcProvider,
    request: &Request,
    now: SystemTime,
) -> http::Request<Bytes> {
    provider.http_request(request, now)
}

/// In how many places two values of one shape differ.
fn differences(one: &Value, other: &Value) -> usize {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len());
            one.iter()
                .zip(other)
                .map(|(one, other)| differences(one, other))
                .sum()
        }
        (Value::Object(one), Value::Object(other)) => {
            assert!(one.keys().eq(other.keys()));
            one.values()
                .zip(other.values())
                .map(|(one, other)| differences(one, other))
                .sum()
        }
        _ => usize::from(one != other),
    }
}

fn request(data: &[u8]) -> (HeaderMap, &[u8]) {
    let mut headers = HeaderMap::new();
    let mut rest = data;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (line, behind) = rest.split_at(end);
        rest = behind.get(1..).unwrap_or_default();
        if line.is_empty() || headers.len() > 64 {
            break;
        }
        let mut halves = line.splitn(2, |byte| *byte == b':');
        let name = halves
            .next()
            .and_then(|name| HeaderName::from_bytes(name).ok());
        let value = halves
            .next()
            .map(<[u8]>::trim_ascii)
            .and_then(|value| HeaderValue::from_bytes(value).ok());
        if let (Some(name), Some(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    (headers, rest)
}
