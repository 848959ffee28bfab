//! What is logged, and what is not.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_core::{PowerAction, Provider};
use bmc_rpc::sim::{ConsumerSim, Fault};
use bmc_rpc::{Algorithm, Keys, RpcProvider, RpcProviderBuilder};
use tokio::time::Instant;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Everything that is logged, down to the finest level, while a machine is switched and a switching fails.
async fn log_of(set: impl FnOnce(RpcProviderBuilder) -> RpcProviderBuilder) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let consumer = ConsumerSim::builder().spawn().await.unwrap();
    let url =
        consumer.url().replace("http://", "http://admin:hunter1@") + "hook/hunter2?token=hunter3";
    let headers = BTreeMap::from([("Authorization-Token".into(), vec!["hunter4".into()])]);
    let builder = RpcProvider::builder(url, "10.0.0.5")
        .static_headers(headers)
        .custom_payload("", "")
        .keys(Keys::new().secret(Algorithm::Sha256, "hunter5"));
    let builder = set(builder);
    let mut shown = format!("{builder:?}");
    let provider = builder.build().unwrap();
    shown += &format!("{provider:?}");
    let session = provider
        .open(Instant::now() + Duration::from_secs(20))
        .await
        .unwrap();
    let power = session.power().unwrap();
    power.set_power(PowerAction::On).await.unwrap();
    consumer.fault(Fault::HangupAfter);
    shown += &format!("{:?}", power.set_power(PowerAction::Off).await.unwrap_err());
    let signature = consumer.requests().first().unwrap().1["x-bmclib-signature-256"]
        .to_str()
        .unwrap()
        .to_owned();
    let told = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for secret in [
        "hunter",
        signature.strip_prefix("sha256=").unwrap(),
        "ADMIN",
    ] {
        assert!(
            !told.contains(secret) && !shown.contains(secret),
            "{secret}: {told}{shown}"
        );
    }
    told
}

#[tokio::test]
async fn exchanges_are_logged_without_secrets() {
    let told = log_of(|builder| builder).await;
    let line = |words: &[&str]| {
        told.lines()
            .any(|line| words.iter().all(|word| line.contains(word)))
    };
    assert!(
        line(&["DEBUG", "webhook called", "ping", "status=200"]),
        "{told}"
    );
    assert!(
        line(&[
            "INFO",
            "webhook called",
            "setPowerState",
            "10.0.0.5",
            "status=200"
        ]),
        "{told}"
    );
    assert!(
        line(&["INFO", "webhook called", "setPowerState", "broke off"]),
        "{told}"
    );
}

#[tokio::test]
async fn logging_can_be_turned_off() {
    let told = log_of(|builder| builder.log_notifications(false)).await;
    assert!(!told.contains("webhook called"), "{told}");
}
