//! pyghmi's client against the simulated BMC.

use bmc_core::Secret;
use bmc_ipmi::command::BootFlagDevice;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::SimHandle;

use crate::spoken::PYGHMI;
use crate::tool::{Tool, bmc, changes};

#[tokio::test]
async fn switches_power_and_sets_the_boot_device() {
    let Some(tool) = Tool::find("pyghmi-python") else {
        return;
    };
    // It asks for suite 17 and takes 3 where that is refused.
    for suite in PYGHMI
        .suites
        .iter()
        .filter_map(|id| CipherSuite::from_id(*id))
    {
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        let answer = ask(&tool, &bmc, "-", "get_power", &[]).await;
        assert_eq!(answer, r#"{"powerstate": "off"}"#);
        ask(&tool, &bmc, "-", "set_power", &["\"on\"", "10"]).await;
        assert_eq!(changes(&bmc), [true]);
        ask(&tool, &bmc, "-", "set_bootdev", &["\"network\""]).await;
        assert_eq!(bmc.boot_flags().device, BootFlagDevice::PXE);
        let answer = ask(&tool, &bmc, "-", "get_bootdev", &[]).await;
        assert!(answer.contains(r#""bootdev": "network""#), "{answer}");
        ask(&tool, &bmc, "-", "set_power", &["\"off\"", "10"]).await;
        assert_eq!(changes(&bmc), [true, false]);
    }
}

#[tokio::test]
async fn with_a_bmc_key() {
    let Some(tool) = Tool::find("pyghmi-python") else {
        return;
    };
    let kg = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ];
    let bmc = bmc().kg(Secret::new(kg)).spawn().await.unwrap();
    let hex = "000102030405060708090a0b0c0d0e0f10111213";
    let answer = ask(&tool, &bmc, hex, "get_power", &[]).await;
    assert_eq!(answer, r#"{"powerstate": "off"}"#);
}

async fn ask(tool: &Tool, bmc: &SimHandle, kg: &str, method: &str, arguments: &[&str]) -> String {
    let (host, port) = (bmc.addr().ip().to_string(), bmc.addr().port().to_string());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/peers/pyghmi/client.py");
    let first = [script, &host, &port, "admin", "password", kg, method];
    tool.run_with_credentials(&first, arguments).await.unwrap()
}
