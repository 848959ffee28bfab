//! The webhook client over TCP: what goes out, byte for byte, and what becomes of every kind of answer.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod answers;
mod hostile;
mod repeats;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bmc_core::{
    BootDevice, BootMode, BootOverride, ErrorKind, MediaKind, Persistence, PowerAction, PowerState,
    Provider, Session,
};
use bmc_rpc::server::Verifier;
use bmc_rpc::sim::ConsumerSim;
use bmc_rpc::{Algorithm, Call, ConfigError, Keys, RpcProvider, RpcProviderBuilder, Scheme};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::Instant;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn keys() -> Keys {
    Keys::new().secret(Algorithm::Sha256, "superSecret1")
}

async fn consumer() -> (ConsumerSim, RpcProviderBuilder) {
    let consumer = ConsumerSim::builder().keys(keys()).spawn().await.unwrap();
    let builder = RpcProvider::builder(consumer.url(), "10.0.0.5").keys(keys());
    (consumer, builder)
}

async fn session() -> (ConsumerSim, Arc<dyn Session>) {
    let (consumer, builder) = consumer().await;
    let session = builder.build().unwrap().open(soon()).await.unwrap();
    (consumer, session)
}

/// Listens for one request and gives its bytes.
async fn capture(builder: impl FnOnce(String) -> RpcProviderBuilder) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let provider = builder(format!("http://{addr}/hook?room=7"))
        .build()
        .unwrap();
    let heard = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut heard = Vec::new();
        let body_of = |heard: &[u8]| {
            let text = String::from_utf8_lossy(heard).into_owned();
            let (head, body) = text.split_once("\r\n\r\n")?;
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("Content-Length: "))?;
            (body.len() >= length.parse().unwrap()).then_some(())
        };
        while body_of(&heard).is_none() {
            let mut buffer = [0; 4096];
            let read = socket.read(&mut buffer).await.unwrap();
            assert!(read > 0, "{}", String::from_utf8_lossy(&heard));
            heard.extend_from_slice(&buffer[..read]);
        }
        socket
            .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
            .await
            .unwrap();
        String::from_utf8(heard).unwrap()
    });
    provider.open(soon()).await.unwrap();
    heard.await.unwrap().replace(&addr.to_string(), "ADDR")
}

fn at(micros: u64) -> impl Fn() -> SystemTime + Send + Sync + 'static {
    move || SystemTime::UNIX_EPOCH + Duration::from_micros(micros)
}

#[tokio::test]
async fn the_request_is_the_golden_one() {
    let heard = capture(|url| {
        let keys = Keys::new()
            .secret(Algorithm::Sha256, "superSecret1")
            .secret(Algorithm::Sha256, "superSecret2");
        RpcProvider::builder(url, "10.0.0.5")
            .keys(keys)
            .scheme(Scheme::rufio())
            .static_headers(BTreeMap::from([(
                "X-Room".into(),
                vec!["7".into(), "8".into()],
            )]))
            .clock(at(1_700_000_000_000_001))
    })
    .await;
    let (head, body) = heard.split_once("\r\n\r\n").unwrap();
    assert_eq!(
        body,
        r#"{"id":1700000000000001,"host":"10.0.0.5","method":"ping"}"#
    );
    let mut lines = head.lines();
    assert_eq!(lines.next(), Some("POST /hook?room=7 HTTP/1.1"));
    let mut headers: Vec<_> = lines.collect();
    headers.sort_unstable();
    // Computed with Python: hmac.new(b"superSecret1", body + b"2023-11-14T22:13:20Z", "sha256").hexdigest(), and the other.
    assert_eq!(
        headers,
        [
            "Accept-Encoding: gzip",
            "Accept: application/json",
            "Connection: close",
            "Content-Length: 57",
            "Content-Type: application/json",
            "Host: ADDR",
            concat!("User-Agent: bmc-rpc/", env!("CARGO_PKG_VERSION")),
            "X-Room: 7,8",
            SIGNATURES,
            "X-Rufio-Timestamp: 2023-11-14T22:13:20Z",
        ]
    );
}

const SIGNATURES: &str = "X-Rufio-Signature-256: sha256=b531c65bb6bf98c6f98064c91141a66ced01b8f2e90d1d209df55b272e459d6e,\
    sha256=f4c903a80df03e5192fc5510301c86fb2e5f3839f44032875e97994a34f59f28";

#[tokio::test]
async fn the_request_goes_into_the_payload_of_the_user() {
    let heard = capture(|url| {
        RpcProvider::builder(url, "10.0.0.5")
            .custom_payload("data:\n  message: hello\n  arr: [1, 2]\n", "data.body")
            .http_method("PATCH")
            .http_content_type("application/vnd.room+json")
            .scheme(Scheme::bmclib().timestamp_header(""))
            .clock(at(5))
    })
    .await;
    let (head, body) = heard.split_once("\r\n\r\n").unwrap();
    let expected = r#"{"data":{"arr":[1,2],"body":{"id":5,"host":"10.0.0.5","method":"ping"},"message":"hello"}}"#;
    assert_eq!(body, expected);
    assert!(
        head.starts_with("PATCH /hook?room=7 HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(
        head.contains("Content-Type: application/vnd.room+json"),
        "{head}"
    );
    assert!(
        !head.contains("Timestamp") && !head.contains("Signature"),
        "{head}"
    );
}

/// HTTP drops blanks around a value: what is signed is what arrives.
#[tokio::test]
async fn blanks_at_the_ends_are_neither_sent_nor_signed() {
    let scheme = Scheme::rufio()
        .timestamp_format(" _2 Jan 2006 15:04:05 ")
        .signed_headers(["X-Rufio-Timestamp", "X-Room"]);
    let consumer = ConsumerSim::builder().keys(keys()).scheme(scheme.clone());
    let consumer = consumer.any_age().spawn().await.unwrap();
    let provider = RpcProvider::builder(consumer.url(), "10.0.0.5")
        .keys(keys())
        .static_headers(BTreeMap::from([("X-Room".into(), vec!["\t7 ".into()])]))
        .scheme(scheme.clone())
        .clock(at(1_701_600_000_000_000));
    provider.build().unwrap().open(soon()).await.unwrap();
    let (_, headers) = consumer.requests().pop().unwrap();
    assert_eq!(headers["x-rufio-timestamp"], "3 Dec 2023 10:40:00");
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_701_600_000);
    let verifier = Verifier::builder(keys()).scheme(scheme).build().unwrap();
    let body = format!(
        r#"{{"id":{},"host":"10.0.0.5","method":"ping"}}"#,
        1_701_600_000_000_000_u64
    );
    assert_eq!(verifier.verify(&headers, body.as_bytes(), now), Ok(()));
}

#[tokio::test]
async fn operations_are_the_calls_of_the_protocol() {
    let (consumer, session) = session().await;
    let (power, boot, media) = (
        session.power().unwrap(),
        session.boot().unwrap(),
        session.media().unwrap(),
    );
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
    for action in PowerAction::ALL {
        power.set_power(*action).await.unwrap();
    }
    let wanted = BootOverride {
        device: BootDevice::UefiHttp,
        persistence: Persistence::Persistent,
        mode: BootMode::Efi,
    };
    boot.set_boot_override(wanted).await.unwrap();
    let iso = "http://10.0.0.1/boot.iso".parse().unwrap();
    media.insert_media(MediaKind::Cd, &iso).await.unwrap();
    let machine = consumer.machine("10.0.0.5");
    assert_eq!(
        machine.power_actions,
        ["on", "off", "soft", "cycle", "reset"]
    );
    assert_eq!(machine.boot, Some(("uefi_http".into(), true, true)));
    assert_eq!(machine.media["CD"], iso.expose());
    media.eject_media(MediaKind::Cd).await.unwrap();
    assert!(consumer.machine("10.0.0.5").media.is_empty());
    for unreadable in [
        boot.boot_override().await.map(drop),
        media.media(MediaKind::Cd).await.map(drop),
    ] {
        assert_eq!(unreadable.unwrap_err().kind(), ErrorKind::Unsupported);
    }
    assert_eq!(consumer.requests()[0].0.call, Call::Ping);
}

#[tokio::test]
async fn a_wrong_secret_is_an_authentication_failure() {
    let (consumer, builder) = consumer().await;
    let wrong = Keys::new().secret(Algorithm::Sha256, "hunter2");
    let provider = builder.keys(wrong).build().unwrap();
    let error = provider.open(soon()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication);
    assert!(
        error
            .to_string()
            .contains("401 Unauthorized and reports error 401: no signature is right"),
        "{error}"
    );
    assert!(!format!("{provider:?} {error:?}").contains("hunter2"));
    assert_eq!(consumer.refused(), 1);
}

#[tokio::test]
async fn a_clock_that_is_off_is_told() {
    let (_consumer, builder) = consumer().await;
    let provider = builder.clock(at(1_700_000_000_000_000)).build().unwrap();
    let error = provider.open(soon()).await.unwrap_err();
    // Not an authentication failure: that would be final until the secret changes.
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(
        error.to_string().contains("request is") && error.to_string().contains("300s is allowed"),
        "{error}"
    );
}

#[test]
fn unusable_settings_are_named() {
    let builder = || RpcProvider::builder("https://consumer.example/", "10.0.0.5").keys(keys());
    let why = |builder: RpcProviderBuilder| builder.build().map(drop).unwrap_err().to_string();
    let header = |name: &str, value: &str| {
        builder().static_headers(BTreeMap::from([(name.into(), vec![value.into()])]))
    };
    for url in [
        "",
        "consumer.example",
        "ftp://consumer.example/",
        "/hook",
        "https://",
        "http://256.256.256.256/",
        "http://127.0.0.1:99999/",
        "http://[fe80::1%25eth0]/",
        "http://xn--a/",
        "http://b\u{fc}cher.example/",
        "http://a b/",
    ] {
        assert_eq!(
            why(RpcProvider::builder(url, "h")),
            "consumer URL: not an absolute http or https URL",
            "{url}"
        );
    }
    assert_eq!(
        why(RpcProvider::builder("https://a/", "")),
        "host: must not be empty"
    );
    assert_eq!(
        why(builder().http_method("P OST")),
        "HTTP method: \"P OST\" is not a method such as POST"
    );
    assert_eq!(
        why(builder().http_method("CONNECT")),
        "HTTP method: \"CONNECT\" is not a method such as POST"
    );
    let twice = ["X-A", "x-a"].map(|name| (name.to_owned(), vec!["1".to_owned()]));
    assert_eq!(
        why(builder().static_headers(twice.into())),
        "static header x-a: is there twice; give all its values in one"
    );
    let many = (0..40_000).map(|number| (format!("x-{number}"), Vec::new()));
    assert_eq!(
        why(builder().static_headers(many.collect())),
        "static headers: more than 64"
    );
    assert_eq!(
        why(builder().http_content_type("a\nb")),
        "content type: the value of content-type holds control characters"
    );
    assert_eq!(
        why(header("a b", "")),
        "static header: \"a b\" is not the name of a header"
    );
    assert_eq!(
        why(header("X-A", "a\r\nb")),
        "static header: the value of x-a holds control characters"
    );
    for reserved in [
        "Content-Length",
        "X-BMCLIB-Timestamp",
        "x-bmclib-signature-512",
        "Host",
    ] {
        assert!(
            why(header(reserved, "1")).ends_with("is set by the protocol, choose another name"),
            "{reserved}"
        );
    }
    let absent = Scheme::rufio().signed_headers(["X-Rufio-Timestamp", "X-Room"]);
    assert_eq!(
        why(builder().scheme(absent)),
        "signed header x-room: no request has it; add it as a static header"
    );
    assert_eq!(
        why(builder().custom_payload("{", "a")),
        "custom payload: neither JSON nor YAML"
    );
    assert_eq!(
        why(builder().custom_payload(r#"{"a":[1]}"#, "a.x")),
        "custom payload: path segment 1: \"x\" is no index of an array of 1"
    );
    let empty = Keys::new().secret(Algorithm::Sha256, "");
    assert_eq!(
        why(builder().keys(empty)),
        "algorithm sha256: secret 0 (counted from 0) is empty"
    );
    for payload in [("", "a"), ("{}", "")] {
        assert!(
            builder()
                .custom_payload(payload.0, payload.1)
                .build()
                .is_ok()
        );
    }
}

#[test]
fn unknown_algorithms_never_lead_to_unsigned_requests() {
    for (name, algorithm) in [
        ("sha256", Algorithm::Sha256),
        ("256", Algorithm::Sha256),
        ("512", Algorithm::Sha512),
        ("SHA512", Algorithm::Sha512),
    ] {
        assert_eq!(name.parse(), Ok(algorithm));
    }
    let refused = Keys::new().named("md5", vec!["s".into()]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "algorithm \"md5\": use sha256 or sha512"
    );
    let refused = Keys::new().named("sha512", vec![]).unwrap_err();
    assert_eq!(
        refused,
        ConfigError::NoSecret {
            algorithm: Algorithm::Sha512
        }
    );
}
