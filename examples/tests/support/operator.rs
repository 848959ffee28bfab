//! The operator without a cluster, in the test's own process.

use std::time::Duration;

use bmc_ipmi::Transport;
use rufio_operator::connect::{ConnectConfig, Connector};
use rufio_operator::run::local::manifest::{Manifests, Source};
use rufio_operator::run::local::{self, LocalOptions, ProgressMode};

pub(crate) fn parse(text: &str) -> Manifests {
    let source = Source {
        name: "machine.yaml".into(),
        text: text.into(),
    };
    Manifests::parse(&[source]).unwrap()
}

/// Works on the manifests until all has ended well.
pub(crate) async fn carry_out(manifests: Manifests) {
    let options = LocalOptions {
        timeout: Some(Duration::from_secs(60)),
        progress: ProgressMode::Silent,
        ..LocalOptions::default()
    };
    let transport = Transport::new();
    let summary = local::run(
        options,
        manifests,
        |store| Connector::new(store.clone(), transport, ConnectConfig::default()),
        std::future::pending(),
    );
    let summary = summary.await.unwrap();
    assert!(summary.is_success(), "{summary}");
}
