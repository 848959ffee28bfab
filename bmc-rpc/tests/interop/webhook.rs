//! The webhook client against a consumer with Python's `hmac`.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use bmc_core::{
    BootDevice, BootMode, BootOverride, MediaKind, Persistence, PowerAction, PowerState, Provider,
};
use bmc_rpc::{Algorithm, Keys, RpcProvider, Scheme};
use peers::{Process, file};
use serde_json::{Value, json};
use tokio::time::Instant;

/// Everything that is done over the wire, with the peer's settings and ours. Gives what the peer heard.
async fn walk_through(
    name: &str,
    settings: Value,
    set: impl FnOnce(String) -> RpcProvider,
) -> Vec<Value> {
    let Some(python) = peers::program("python3") else {
        return Vec::new();
    };
    let config = std::env::temp_dir().join(format!("bmc-rpc-{}-{name}.json", std::process::id()));
    std::fs::write(&config, settings.to_string()).unwrap();
    let consumer = file(".ci/peers/rpc/consumer.py");
    let peer = Process::start(Command::new(python).arg(consumer).arg(&config));
    std::fs::remove_file(config).unwrap();
    let provider = set(format!("http://127.0.0.1:{}/hook", peer.first()));
    let mut heard = Vec::new();
    let mut next = || {
        let line: Value = serde_json::from_str(&peer.line()).unwrap();
        assert_eq!(line["accepted"], true, "{line:#}");
        heard.push(line);
    };

    let session = provider
        .open(Instant::now() + Duration::from_secs(20))
        .await;
    next();
    let session = session.unwrap();
    let power = session.power().unwrap();
    for (action, state) in [
        (PowerAction::On, PowerState::On),
        (PowerAction::Reset, PowerState::On),
        (PowerAction::Soft, PowerState::Off),
        (PowerAction::Cycle, PowerState::On),
        (PowerAction::Off, PowerState::Off),
    ] {
        power.set_power(action).await.unwrap();
        next();
        assert_eq!(power.power_state().await.unwrap(), state, "{action}");
        next();
    }
    let wanted = BootOverride {
        device: BootDevice::Pxe,
        persistence: Persistence::Persistent,
        mode: BootMode::Efi,
    };
    session
        .boot()
        .unwrap()
        .set_boot_override(wanted)
        .await
        .unwrap();
    next();
    let media = session.media().unwrap();
    let source = "http://10.0.0.1/b&o<o>t.iso?ü".parse().unwrap();
    media.insert_media(MediaKind::Cd, &source).await.unwrap();
    next();
    media.eject_media(MediaKind::Cd).await.unwrap();
    next();
    heard
}

fn rufio() -> Value {
    json!({
        "method": "POST", "content_type": "application/json", "static_headers": {}, "path": [],
        "secrets": {"sha256": ["superSecret1", "superSecret2"], "sha512": ["superSecret1", "superSecret2"]},
        "signature_header": "X-Rufio-Signature", "algorithm_in_header": true, "algorithm_in_signature": true,
        "timestamp_header": "X-Rufio-Timestamp", "timestamp_format": "%Y-%m-%dT%H:%M:%SZ",
        "signed_headers": ["X-Rufio-Timestamp"],
    })
}

fn keys() -> Keys {
    Keys::new()
        .secret(Algorithm::Sha256, "superSecret1")
        .secret(Algorithm::Sha256, "superSecret2")
        .secret(Algorithm::Sha512, "superSecret1")
        .secret(Algorithm::Sha512, "superSecret2")
}

#[tokio::test]
async fn python_accepts_what_rufio_would_send() {
    walk_through("rufio", rufio(), |url| {
        RpcProvider::builder(url, "10.0.0.5")
            .keys(keys())
            .scheme(Scheme::rufio())
            .build()
            .unwrap()
    })
    .await;
}

#[tokio::test]
async fn python_accepts_every_other_setting() {
    let mut settings = rufio();
    settings["method"] = "PUT".into();
    settings["content_type"] = "application/vnd.rack+json".into();
    settings["static_headers"] = json!({"X-Rack": "7,8", "Authorization": "Bearer token"});
    settings["signature_header"] = "X-Sig".into();
    settings["algorithm_in_header"] = false.into();
    settings["algorithm_in_signature"] = false.into();
    settings["timestamp_header"] = "X-When".into();
    settings["timestamp_format"] = "%a, %d %b %Y %H:%M:%S GMT".into();
    settings["signed_headers"] = json!(["X-Rack", "X-When", "Content-Type"]);
    settings["path"] = json!(["data", "list", 1, "body"]);
    let heard = walk_through("other", settings, |url| {
        let headers = BTreeMap::from([
            ("X-Rack".to_owned(), vec!["7".to_owned(), "8".to_owned()]),
            ("Authorization".to_owned(), vec!["Bearer token".to_owned()]),
        ]);
        let scheme = Scheme::bmclib()
            .signature_header("X-Sig")
            .algorithm_in_header(false)
            .algorithm_in_signature(false)
            .timestamp_header("X-When")
            .timestamp_format("Mon, 02 Jan 2006 15:04:05 GMT")
            .signed_headers(["X-Rack", "x-when", "X-RACK", "Content-Type"]);
        RpcProvider::builder(url, "räck 7/socket 3")
            .http_method("PUT")
            .http_content_type("application/vnd.rack+json")
            .static_headers(headers)
            .keys(keys())
            .scheme(scheme)
            .custom_payload("data:\n  zone: lab\n  list: [1, {}]\n", "data.list.1.body")
            .build()
            .unwrap()
    })
    .await;
    for line in heard {
        let body = line["body"].as_str().unwrap();
        assert!(
            body.starts_with(r#"{"data":{"list":[1,{"body":{"id":"#),
            "{body}"
        );
    }
}

#[tokio::test]
async fn python_accepts_a_request_that_is_not_signed() {
    let mut settings = rufio();
    settings["secrets"] = json!({});
    settings["timestamp_header"] = Value::Null;
    settings["signed_headers"] = json!([]);
    walk_through("unsigned", settings, |url| {
        let scheme = Scheme::bmclib().timestamp_header("");
        RpcProvider::builder(url, "10.0.0.5")
            .scheme(scheme)
            .build()
            .unwrap()
    })
    .await;
}
