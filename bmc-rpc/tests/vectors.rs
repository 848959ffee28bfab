//! Golden bytes: requests and signatures as bmclib makes them, timestamps as Go's `time` package makes them.
//!
//! `rpc.json` was computed with Python's `hmac`; its last vector was captured from bmclib. `go_layouts.json` was written by
//! Go 1.26. They are frozen: where one fails, the code is wrong.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use bmc_rpc::server::Verifier;
use bmc_rpc::{Call, Keys, Layout, Request, Scheme, Signer};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    method: String,
    body: String,
    timestamp: String,
    timestamp_in_signature: bool,
    secrets: BTreeMap<String, Vec<String>>,
    headers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct LayoutVector {
    layout: String,
    seconds: u64,
    nanoseconds: u32,
    text: String,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("vectors/rpc.json")).unwrap()
}

fn keys(vector: &Vector) -> Keys {
    vector
        .secrets
        .iter()
        .fold(Keys::new(), |keys, (algorithm, secrets)| {
            let secrets = secrets
                .iter()
                .map(|secret| secret.as_str().into())
                .collect();
            keys.named(algorithm, secrets).unwrap()
        })
}

fn scheme(vector: &Vector) -> Scheme {
    if vector.timestamp_in_signature {
        Scheme::rufio()
    } else {
        Scheme::rufio().signed_headers(Vec::<String>::new())
    }
}

fn time(vector: &Vector) -> SystemTime {
    Layout::new(Layout::RFC3339)
        .read(&vector.timestamp)
        .unwrap()
}

#[test]
fn signatures_are_those_of_bmclib() {
    for vector in vectors() {
        let mut request = http::Request::new(vector.body.clone());
        Signer::new(&scheme(&vector), keys(&vector))
            .unwrap()
            .sign(&mut request, time(&vector));
        let mut headers = request.headers().clone();
        assert_eq!(
            headers.remove("x-rufio-timestamp").unwrap(),
            vector.timestamp
        );
        for (suffix, expected) in &vector.headers {
            let name = format!("x-rufio-signature{suffix}");
            assert_eq!(
                headers.remove(&name).unwrap(),
                expected,
                "{}",
                vector.method
            );
        }
        assert!(headers.is_empty(), "{headers:?}");
    }
}

#[test]
fn signatures_of_bmclib_are_accepted() {
    for vector in vectors() {
        let builder = Verifier::builder(keys(&vector)).scheme(scheme(&vector));
        let verifier = match vector.timestamp_in_signature {
            true => builder.build(),
            false => builder.dangerous_accept_any_age().build(),
        };
        let verifier = verifier.unwrap();
        let mut headers = http::HeaderMap::new();
        headers.insert("X-Rufio-Timestamp", vector.timestamp.parse().unwrap());
        for (suffix, value) in &vector.headers {
            let name: http::HeaderName = format!("X-Rufio-Signature{suffix}").parse().unwrap();
            headers.insert(name, value.parse().unwrap());
        }
        let now = time(&vector) + Duration::from_secs(300);
        verifier
            .verify(&headers, vector.body.as_bytes(), now)
            .unwrap();
        assert!(
            verifier
                .verify(&headers, &vector.body.as_bytes()[1..], now)
                .is_err()
        );
    }
}

#[test]
fn bodies_are_those_of_bmclib() {
    let calls = [
        Call::Ping,
        Call::GetPowerState,
        Call::SetPowerState { state: "on".into() },
        Call::SetBootDevice {
            device: "pxe".into(),
            persistent: false,
            efi_boot: true,
        },
        Call::SetVirtualMedia {
            media_url: "http://10.0.0.1/boot.iso".into(),
            kind: "CD".into(),
        },
    ];
    let mut checked = 0;
    for vector in vectors() {
        let read = Request::from_json(vector.body.as_bytes()).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), vector.body);
        if let Some(call) = calls.iter().find(|call| call.method() == vector.method) {
            assert_eq!((&read.call, read.host.as_str()), (call, "10.0.0.5"));
            checked += 1;
        }
    }
    assert_eq!(checked, 10);
}

#[test]
fn timestamps_are_those_of_go() {
    let vectors: Vec<LayoutVector> =
        serde_json::from_str(include_str!("vectors/go_layouts.json")).unwrap();
    assert!(vectors.len() > 250);
    for vector in vectors {
        let at = SystemTime::UNIX_EPOCH + Duration::new(vector.seconds, vector.nanoseconds);
        let layout = Layout::new(&vector.layout);
        assert_eq!(layout.format(at), vector.text, "{:?}", vector.layout);
        // Two digits of a year mean 1969 to 2068.
        if layout.is_readable()
            && (vector.layout.contains("2006") || vector.seconds < 3_124_000_000)
        {
            let read = layout.read(&vector.text).unwrap();
            // What the layout leaves out is lost: seconds, parts of them, or a century.
            assert_eq!(layout.format(read), vector.text, "{:?}", vector.layout);
        }
    }
}
