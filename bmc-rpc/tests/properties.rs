//! What holds for every request, scheme and set of keys: the verifier accepts what the client signs, and nothing else.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/calls.rs"]
mod calls;

use std::time::{Duration, SystemTime};

use bmc_rpc::server::{Verifier, VerifierBuilder, VerifyError};
use bmc_rpc::{Algorithm, Keys, Layout, Request, Scheme, Signer};
use http::HeaderValue;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use calls::call;

const LAYOUTS: [&str; 5] = [
    Layout::RFC3339,
    "Mon, 02 Jan 2006 15:04:05 MST",
    "2006-01-02T15:04:05.000000000Z07:00",
    "20060102150405",
    "2006-002 3:04:05pm -0700",
];

/// Every setting of a scheme, each with the secrets of both sides.
#[derive(Clone, Debug)]
struct Case {
    scheme: Scheme,
    signed: Vec<(Algorithm, String)>,
    also_accepted: Vec<(Algorithm, String)>,
    headers: Vec<String>,
    request: Request,
    at: SystemTime,
}

fn keys() -> impl Strategy<Value = Vec<(Algorithm, String)>> {
    vec((select(Algorithm::ALL.to_vec()), "\\PC{1,80}"), 1..4)
}

fn scheme() -> impl Strategy<Value = Scheme> {
    let base = select(vec![
        Scheme::bmclib(),
        Scheme::rufio(),
        Scheme::rufio()
            .timestamp_header("X-When")
            .signature_header("Sig"),
    ]);
    // None: the default. The timestamp is always among them, else its age could not be judged.
    let signed = select(vec![
        None,
        Some(vec!["X-One"]),
        Some(vec!["x-two", "X-One", "X-TWO"]),
    ]);
    (
        base,
        select(LAYOUTS.to_vec()),
        any::<bool>(),
        any::<bool>(),
        signed,
        any::<bool>(),
    )
        .prop_map(
            |(base, layout, in_header, in_signature, signed, timestamp_first)| {
                let scheme = base
                    .timestamp_format(layout)
                    .algorithm_in_header(in_header)
                    .algorithm_in_signature(in_signature);
                let Some(mut signed) = signed else {
                    return scheme;
                };
                let header = timestamp_header(&scheme);
                if timestamp_first {
                    signed.insert(0, header);
                } else {
                    signed.push(header);
                }
                scheme.signed_headers(signed)
            },
        )
}

fn timestamp_header(scheme: &Scheme) -> &'static str {
    let names = ["X-BMCLIB-Timestamp", "X-Rufio-Timestamp", "X-When"];
    let debug = format!("{scheme:?}");
    names.into_iter().find(|name| debug.contains(name)).unwrap()
}

fn case() -> impl Strategy<Value = Case> {
    (
        scheme(),
        keys(),
        vec((select(Algorithm::ALL.to_vec()), "\\PC{1,80}"), 0..3),
        vec("[ -~&&[^ ]]{0,12}", 2),
        (1i64..1 << 53, "\\PC{0,20}", call()),
        1_000_000_000u64..4_000_000_000,
    )
        .prop_map(
            |(scheme, signed, also_accepted, headers, (id, host, call), seconds)| Case {
                scheme,
                signed,
                also_accepted,
                headers,
                request: Request { id, host, call },
                at: SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
            },
        )
}

fn keyring<'a>(keys: impl IntoIterator<Item = &'a (Algorithm, String)>) -> Keys {
    keys.into_iter()
        .fold(Keys::new(), |ring, (algorithm, secret)| {
            ring.secret(*algorithm, secret.as_str())
        })
}

impl Case {
    fn signed_request(&self) -> http::Request<Vec<u8>> {
        let mut request = http::Request::new(serde_json::to_vec(&self.request).unwrap());
        for (name, value) in ["x-one", "x-two"].into_iter().zip(&self.headers) {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let signer = Signer::new(&self.scheme, keyring(&self.signed)).unwrap();
        signer.sign(&mut request, self.at);
        request
    }

    fn verifier(&self) -> VerifierBuilder {
        Verifier::builder(keyring(self.also_accepted.iter().chain(&self.signed)))
            .scheme(self.scheme.clone())
    }
}

proptest! {
    #[test]
    fn what_is_signed_is_accepted(case in case()) {
        let request = case.signed_request();
        let verifier = case.verifier().build().unwrap();
        prop_assert_eq!(verifier.verify(request.headers(), request.body(), case.at), Ok(()));
        prop_assert_eq!(Request::from_json(request.body()).unwrap(), case.request);
    }

    /// During a change of secrets each side knows one that the other does not.
    #[test]
    fn one_common_secret_is_enough(case in case(), kept in any::<Index>()) {
        let request = case.signed_request();
        let common = kept.get(&case.signed);
        let keys = keyring(case.also_accepted.iter().chain([common]));
        let verifier = Verifier::builder(keys).scheme(case.scheme.clone()).build().unwrap();
        prop_assert_eq!(verifier.verify(request.headers(), request.body(), case.at), Ok(()));
    }

    #[test]
    fn another_secret_is_refused(case in case()) {
        let request = case.signed_request();
        let others = case.signed.iter().map(|(algorithm, secret)| (*algorithm, format!("{secret}x")));
        let others: Vec<_> = others.filter(|other| !case.signed.contains(other)).collect();
        prop_assume!(!others.is_empty());
        let verifier = Verifier::builder(keyring(&others)).scheme(case.scheme.clone()).build().unwrap();
        let refused = verifier.verify(request.headers(), request.body(), case.at);
        prop_assert_eq!(refused, Err(VerifyError::WrongSignature));
    }

    #[test]
    fn another_body_is_refused(case in case(), at in any::<Index>(), bit in 0u8..8) {
        let mut request = case.signed_request();
        let length = request.body().len();
        request.body_mut()[at.index(length)] ^= 1u8 << bit;
        let verifier = case.verifier().build().unwrap();
        let refused = verifier.verify(request.headers(), request.body(), case.at);
        prop_assert_eq!(refused, Err(VerifyError::WrongSignature));
    }

    /// Every digit counts.
    #[test]
    fn another_signature_is_refused(case in case(), which in any::<Index>()) {
        let mut case = case;
        case.signed.truncate(1);
        let mut request = case.signed_request();
        let (algorithm, _) = case.signed[0];
        let size = if algorithm == Algorithm::Sha256 { 64 } else { 128 };
        let is_signature = |text: &str| text.rsplit('=').next().is_some_and(|hex| {
            hex.len() == size && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        let name = request.headers().iter().find(|(_, value)| is_signature(value.to_str().unwrap()));
        let name = name.unwrap().0.clone();
        let mut text = request.headers()[&name].to_str().unwrap().to_owned();
        let at = text.len() - size + which.index(size);
        let other = if &text[at..=at] == "0" { "1" } else { "0" };
        text.replace_range(at..=at, other);
        request.headers_mut().insert(name, text.parse().unwrap());
        let verifier = case.verifier().build().unwrap();
        let refused = verifier.verify(request.headers(), request.body(), case.at);
        prop_assert_eq!(refused, Err(VerifyError::WrongSignature));
    }

    #[test]
    fn another_timestamp_is_refused(case in case(), later in 1u64..200) {
        let mut request = case.signed_request();
        let other = Case { at: case.at + Duration::from_secs(later), ..case.clone() }.signed_request();
        let name = timestamp_header(&case.scheme);
        request.headers_mut().insert(name, other.headers()[name].clone());
        let verifier = case.verifier().build().unwrap();
        let refused = verifier.verify(request.headers(), request.body(), case.at);
        prop_assert_eq!(refused, Err(VerifyError::WrongSignature));
    }

    #[test]
    fn the_window_is_kept(case in case(), window in 0u64..100_000, off in 0u64..200_000, ahead in any::<bool>()) {
        let request = case.signed_request();
        let window = Duration::from_secs(window);
        let verifier = case.verifier().window(window).build().unwrap();
        let off = Duration::from_secs(off);
        let now = if ahead { case.at - off } else { case.at + off };
        let expected = match (off <= window, ahead) {
            (true, _) => Ok(()),
            (false, true) => Err(VerifyError::Future { ahead: off, window }),
            (false, false) => Err(VerifyError::Stale { age: off, window }),
        };
        prop_assert_eq!(verifier.verify(request.headers(), request.body(), now), expected);
    }

    #[test]
    fn a_signature_that_is_cut_is_refused(case in case(), at in any::<Index>()) {
        let mut request = case.signed_request();
        let timestamp = timestamp_header(&case.scheme);
        for (name, value) in request.headers_mut() {
            let text = value.to_str().unwrap();
            if name.as_str().starts_with("x-one") || name.as_str().starts_with("x-two")
                || name.as_str().eq_ignore_ascii_case(timestamp)
            {
                continue;
            }
            // A cut between two whole signatures leaves a right one.
            let cut: Vec<_> = text.split(',').map(|one| &one[..at.index(one.len())]).collect();
            *value = HeaderValue::from_str(&cut.join(",")).unwrap();
        }
        let verifier = case.verifier().build().unwrap();
        prop_assert!(verifier.verify(request.headers(), request.body(), case.at).is_err());
    }
}

/// What a stranger sends costs little.
#[test]
fn only_so_much_is_looked_at() {
    let keys = Keys::new().secret(Algorithm::Sha256, "s");
    let verifier = Verifier::builder(keys.clone()).max_body(2).build().unwrap();
    let now = SystemTime::now();
    assert_eq!(
        verifier.verify(&http::HeaderMap::new(), b"{ }", now),
        Err(VerifyError::BodyTooLarge { limit: 2 })
    );
    let mut request = http::Request::new(b"{}".to_vec());
    Signer::new(&Scheme::bmclib(), keys)
        .unwrap()
        .sign(&mut request, SystemTime::now());
    let name = "x-bmclib-signature-256";
    let right = request.headers()[name].to_str().unwrap().to_owned();
    let wrong = format!("sha256={},", "0".repeat(64));
    for (before, expected) in [(31, Ok(())), (32, Err(VerifyError::WrongSignature))] {
        let value = wrong.repeat(before) + &right;
        request.headers_mut().insert(name, value.parse().unwrap());
        let verified = verifier.verify(request.headers(), request.body(), SystemTime::now());
        assert_eq!(verified, expected);
    }
}

/// As in bmclib, where a header is there more than once.
#[test]
fn the_first_value_of_a_header_is_signed() {
    let keys = Keys::new().secret(Algorithm::Sha256, "s");
    let scheme = Scheme::rufio().signed_headers(["X-Room", "X-Rufio-Timestamp"]);
    let mut request = http::Request::new(b"{}".to_vec());
    request.headers_mut().append("x-room", "7".parse().unwrap());
    request.headers_mut().append("x-room", "8".parse().unwrap());
    Signer::new(&scheme, keys.clone())
        .unwrap()
        .sign(&mut request, SystemTime::now());
    request.headers_mut().insert("x-room", "7".parse().unwrap());
    let verifier = Verifier::builder(keys).scheme(scheme).build().unwrap();
    let accepted = verifier.verify(request.headers(), request.body(), SystemTime::now());
    assert_eq!(accepted, Ok(()));
}

#[test]
fn a_doubled_signed_header_is_refused() {
    let keys = Keys::new().secret(Algorithm::Sha256, "s");
    let scheme = Scheme::rufio();
    let mut request = http::Request::new(b"{}".to_vec());
    Signer::new(&scheme, keys.clone())
        .unwrap()
        .sign(&mut request, SystemTime::now());
    let second = "2099-01-01T00:00:00Z".parse().unwrap();
    request.headers_mut().append("x-rufio-timestamp", second);
    let verifier = Verifier::builder(keys).scheme(scheme).build().unwrap();
    let refused = verifier.verify(request.headers(), request.body(), SystemTime::now());
    assert!(
        matches!(refused, Err(VerifyError::Ambiguous { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_verifier_that_cannot_judge_is_not_built() {
    let keys = || Keys::new().secret(Algorithm::Sha256, "s");
    let why = |builder: VerifierBuilder| builder.build().map(drop).unwrap_err().to_string();
    assert_eq!(
        why(Verifier::builder(Keys::new())),
        "there is no secret to verify signatures with"
    );
    let unsigned =
        "the timestamp is not among the signed headers, so the age of a request cannot be judged";
    let none = Scheme::rufio().timestamp_header("");
    assert_eq!(why(Verifier::builder(keys()).scheme(none)), unsigned);
    let body_only = Scheme::rufio().signed_headers(Vec::<String>::new());
    assert_eq!(why(Verifier::builder(keys()).scheme(body_only)), unsigned);
    let no_date = Scheme::rufio().timestamp_format("15:04:05");
    assert!(
        why(Verifier::builder(keys()).scheme(no_date))
            .starts_with("timestamp format \"15:04:05\": lacks year")
    );
    let empty = Keys::new()
        .secret(Algorithm::Sha256, "s")
        .secret(Algorithm::Sha512, "");
    assert_eq!(
        why(Verifier::builder(empty)),
        "algorithm sha512: secret 0 (counted from 0) is empty"
    );
}
