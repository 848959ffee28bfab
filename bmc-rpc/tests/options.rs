//! Every combination of the client's settings: what it sends, a verifier with the same settings accepts and understands.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/calls.rs"]
mod calls;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use bmc_core::http::{HttpClient, HttpOptions};
use bmc_rpc::fuzzing::http_request;
use bmc_rpc::server::Verifier;
use bmc_rpc::{Algorithm, Keys, Layout, Request, RpcProvider, Scheme};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

use calls::call;

/// Never used.
static CLIENT: LazyLock<HttpClient> = LazyLock::new(|| HttpOptions::new().build().unwrap());

/// A payload, a path into it, and the JSON pointer of the same place.
const PAYLOADS: [(&str, &str, &str); 4] = [
    ("", "", ""),
    ("{}", "body", "/body"),
    (
        "data:\n  zone: lab\n  list: [1, 2]\n",
        "data.list.1",
        "/data/list/1",
    ),
    (r#"{"a":{"b":null}}"#, "a.c~1d.e", "/a/c.d/e"),
];

const STATIC: [(&str, &str); 3] = [("X-One", "1"), ("Authorization", "Bearer t"), ("X-Two", "")];

#[derive(Clone, Debug)]
struct Settings {
    method: &'static str,
    content_type: &'static str,
    headers: Vec<(&'static str, &'static str)>,
    timestamp: (&'static str, &'static str),
    signature: &'static str,
    in_header: bool,
    in_signature: bool,
    signed: Option<Vec<&'static str>>,
    keys: Vec<(Algorithm, String)>,
    payload: (&'static str, &'static str, &'static str),
}

impl Settings {
    fn scheme(&self) -> Scheme {
        let scheme = Scheme::rufio()
            .timestamp_header(self.timestamp.0)
            .timestamp_format(self.timestamp.1)
            .signature_header(self.signature)
            .algorithm_in_header(self.in_header)
            .algorithm_in_signature(self.in_signature);
        match &self.signed {
            None => scheme,
            // Only what a request has can be signed.
            Some(names) => {
                let has = |name: &&str| self.headers.iter().any(|(header, _)| header == name);
                let names = names.iter().copied().filter(has);
                scheme.signed_headers(names.chain([self.timestamp.0]))
            }
        }
    }

    fn keys(&self) -> Keys {
        self.keys
            .iter()
            .fold(Keys::new(), |keys, (algorithm, secret)| {
                keys.secret(*algorithm, secret.as_str())
            })
    }

    fn provider(&self, host: &str) -> RpcProvider {
        let headers = self.headers.iter();
        let headers = headers.map(|(name, value)| ((*name).to_owned(), vec![(*value).to_owned()]));
        RpcProvider::builder("https://consumer.example/hook?a=b", host)
            .http_method(self.method)
            .http_content_type(self.content_type)
            .static_headers(headers.collect::<BTreeMap<_, _>>())
            .scheme(self.scheme())
            .keys(self.keys())
            .custom_payload(self.payload.0, self.payload.1)
            .client(&CLIENT)
            .build()
            .unwrap()
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    let wire = (
        select(vec!["POST", "PUT", "PATCH", "REPORT"]),
        select(vec!["application/json", "application/vnd.rack+json", ""]),
        subsequence(STATIC.to_vec(), 0..=STATIC.len()),
        select(PAYLOADS.to_vec()),
    );
    let scheme = (
        (
            select(vec!["X-Rufio-Timestamp", "x-when"]),
            select(vec![
                Layout::RFC3339,
                "Mon, 02 Jan 2006 15:04:05 MST",
                "20060102150405",
            ]),
        ),
        select(vec!["X-Rufio-Signature", "sig"]),
        any::<bool>(),
        any::<bool>(),
        prop::option::of(
            subsequence(vec!["X-Two", "X-One", "Authorization"], 0..=3).prop_shuffle(),
        ),
        vec((select(Algorithm::ALL.to_vec()), "\\PC{1,80}"), 1..4),
    );
    (wire, scheme).prop_map(
        |(
            (method, content_type, headers, payload),
            (timestamp, signature, in_header, in_signature, signed, keys),
        )| Settings {
            method,
            content_type,
            headers,
            timestamp,
            signature,
            in_header,
            in_signature,
            signed,
            keys,
            payload,
        },
    )
}

proptest! {
    #[test]
    fn what_is_sent_is_accepted_and_understood(
        settings in settings(), call in call(), id in 1_i64..1 << 53, host in "\\PC{1,20}", seconds in 1_000_000_000_u64..4_000_000_000,
    ) {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let asked = Request { id, host, call };
        let sent = http_request(&settings.provider(&asked.host), &asked, now);

        let verifier = Verifier::builder(settings.keys()).scheme(settings.scheme()).build().unwrap();
        prop_assert_eq!(verifier.verify(sent.headers(), sent.body(), now), Ok(()));

        prop_assert_eq!(sent.method().as_str(), settings.method);
        let content_type = sent.headers().get("content-type").map(|value| value.to_str().unwrap());
        prop_assert_eq!(content_type.unwrap_or(""), settings.content_type);
        for (name, value) in &settings.headers {
            prop_assert_eq!(&sent.headers()[*name], value);
            prop_assert!(sent.headers()[*name].is_sensitive());
        }
        let body: Value = serde_json::from_slice(sent.body()).unwrap();
        let place = body.pointer(settings.payload.2).unwrap();
        prop_assert_eq!(Request::from_json(place.to_string().as_bytes()).unwrap(), asked);

        // One signature for each secret, in the header of its algorithm.
        for algorithm in Algorithm::ALL {
            let secrets = settings.keys.iter().filter(|(of, _)| *of == algorithm).count();
            let size = if algorithm == Algorithm::Sha256 { 64 } else { 128 };
            let digits = |text: &str| text.rsplit('=').next().unwrap().len();
            let names = match (settings.in_header, algorithm) {
                (false, _) => settings.signature.to_owned(),
                (true, Algorithm::Sha256) => format!("{}-256", settings.signature),
                (true, Algorithm::Sha512) => format!("{}-512", settings.signature),
            };
            let signatures = sent.headers().get_all(&names).iter();
            let signatures = signatures.flat_map(|value| value.to_str().unwrap().split(','));
            prop_assert_eq!(signatures.filter(|one| digits(one) == size).count(), secrets);
        }
    }
}
