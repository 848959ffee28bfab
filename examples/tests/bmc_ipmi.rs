//! The commands of `bmc` that only IPMI knows, against simulated BMCs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use bmc_ipmi::sim::Sim;
use serde_json::Value;

use program::bmc;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_are_sent_and_answered() {
    let sim = Sim::builder().spawn().await.unwrap();
    let url = format!("ipmi://{}", sim.addr());
    tokio::task::spawn_blocking(move || {
        let status = bmc(["raw", "0x00 0x01", &url]);
        assert!(
            status.success().starts_with(&format!("{url}: 6")),
            "{}",
            status.out
        );
        let unknown = bmc(["raw", "0x30 0x01", &url]);
        assert!(unknown.failure(1).contains("C1h"), "{}", unknown.err);
        let wrong = bmc(["raw", "0x31 0x01", &url]);
        assert!(wrong.failure(2).contains("even number"), "{}", wrong.err);
        let logins = sim
            .log()
            .iter()
            .filter(|done| done.session.is_none())
            .count();
        assert_eq!(logins, 2, "nothing was sent for the last");
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_tells_what_it_is() {
    let sim = Sim::builder().spawn().await.unwrap();
    let url = format!("ipmi://{}", sim.addr());
    tokio::task::spawn_blocking(move || {
        let info = bmc(["mc", "info", &url]);
        assert!(
            info.success().contains("IPMI version      : 2.0\n"),
            "{}",
            info.out
        );
        let info = bmc(["-o", "json", "mc", "info", &url]);
        let info: Value = serde_json::from_str(info.success()).unwrap();
        assert_eq!(info["device"]["ipmi"], "2.0", "{info}");
        assert_eq!(info["provider"], "ipmi");
        assert_eq!(info["command"], "mc info");
    })
    .await
    .unwrap();
}

#[test]
fn other_protocols_are_told_apart() {
    let failed = bmc(["mc", "info", "rpc+http://127.0.0.1:1/"]);
    let text = failed.failure(1);
    assert!(
        text.contains("unsupported: only IPMI knows this command"),
        "{text}"
    );
}
