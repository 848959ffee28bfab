//! The example manifest is right as it stands, and does what it says on a virtual BMC.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/operator.rs"]
mod operator;
#[path = "support/program.rs"]
mod program;

use operator::{carry_out, parse};
use program::{VirtualBmc, bmc};

const NETBOOT: &str = include_str!("../manifests/netboot.yaml");

#[tokio::test]
async fn netboot_switches_the_machine() {
    assert_eq!(parse(NETBOOT).notices, Vec::<String>::new());
    let machine = VirtualBmc::start(&["--power-delay", "50ms"]);
    let port = format!("port: {}", machine.address().1);
    assert!(
        NETBOOT.contains("port: 6230"),
        "the port that virtual-bmc has by default"
    );

    carry_out(parse(&NETBOOT.replace("port: 6230", &port))).await;
    let status = bmc(["power", "status", &machine.urls[0]]);
    assert_eq!(status.success(), format!("{}: on\n", machine.urls[0]));
}
