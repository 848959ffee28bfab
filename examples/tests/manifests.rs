//! The example manifest is right as it stands, and does what it says on a virtual BMC.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use std::time::Duration;

use bmc_ipmi::Transport;
use rufio_operator::connect::{ConnectConfig, Connector};
use rufio_operator::run::local::manifest::{Manifests, Source};
use rufio_operator::run::local::{self, LocalOptions, ProgressMode};

use program::{VirtualBmc, bmc};

const NETBOOT: &str = include_str!("../manifests/netboot.yaml");

fn parse(text: &str) -> Manifests {
    let source = Source {
        name: "netboot.yaml".into(),
        text: text.into(),
    };
    Manifests::parse(&[source]).unwrap()
}

#[tokio::test]
async fn netboot_switches_the_machine() {
    assert_eq!(parse(NETBOOT).notices, Vec::<String>::new());
    let machine = VirtualBmc::start(&["--power-delay", "50ms"]);
    let port = format!("port: {}", machine.address().1);
    assert!(
        NETBOOT.contains("port: 6230"),
        "the port that virtual-bmc has by default"
    );

    let options = LocalOptions {
        timeout: Some(Duration::from_secs(60)),
        progress: ProgressMode::Silent,
        ..LocalOptions::default()
    };
    let transport = Transport::new();
    let summary = local::run(
        options,
        parse(&NETBOOT.replace("port: 6230", &port)),
        |store| Connector::new(store.clone(), transport, ConnectConfig::default()),
        std::future::pending(),
    );
    let summary = summary.await.unwrap();
    assert!(summary.is_success(), "{summary}");
    let status = bmc(["power", "status", &machine.urls[0]]);
    assert_eq!(status.success(), format!("{}: on\n", machine.urls[0]));
}
