//! FreeIPMI's ipmipower against the simulated BMC.

use bmc_core::Credentials;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::sim::SimHandle;

use crate::tool::{SUITES, Tool, bmc, changes};

#[tokio::test]
async fn switches_power() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().spawn().await.unwrap();
        assert_eq!(tool.ipmipower(&bmc, suite, &["--stat"]).await, "off");
        assert_eq!(
            tool.ipmipower(&bmc, suite, &["--on", "--wait-until-on"])
                .await,
            "ok"
        );
        assert_eq!(tool.ipmipower(&bmc, suite, &["--stat"]).await, "on");
        assert_eq!(tool.ipmipower(&bmc, suite, &["--cycle"]).await, "ok");
        assert_eq!(tool.ipmipower(&bmc, suite, &["--reset"]).await, "ok");
        assert_eq!(tool.ipmipower(&bmc, suite, &["--pulse"]).await, "ok");
        assert_eq!(tool.ipmipower(&bmc, suite, &["--soft"]).await, "ok");
        assert_eq!(changes(&bmc), [true, false, true, false]);
        let counts = bmc.machine(|m| (m.cycles(), m.resets(), m.nmis(), m.soft_shutdowns()));
        assert_eq!(counts, (1, 1, 1, 1));
    }
}

#[tokio::test]
async fn names_the_reason_of_a_refusal() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    let bmc = bmc().suites([CipherSuite::SUITE_17]).spawn().await.unwrap();
    let refused = tool
        .ipmipower(&bmc, CipherSuite::SUITE_3, &["--stat"])
        .await;
    assert_eq!(
        refused, "BMC error",
        "its word for an authentication algorithm that the BMC lacks"
    );
    bmc.set_password("admin", "other");
    assert_eq!(
        tool.ipmipower(&bmc, CipherSuite::SUITE_17, &["--stat"])
            .await,
        "password invalid"
    );
    let nobody = Sim::builder()
        .credentials(Credentials::new("root", "password"))
        .spawn()
        .await
        .unwrap();
    assert_eq!(
        tool.ipmipower(&nobody, CipherSuite::SUITE_17, &["--stat"])
            .await,
        "username invalid"
    );
}

#[tokio::test]
async fn with_a_bmc_key() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    let key = "twenty characters ok";
    let bmc = bmc().kg(key).spawn().await.unwrap();
    assert_eq!(
        tool.ipmipower(&bmc, CipherSuite::SUITE_17, &["--stat", "-k", key])
            .await,
        "off"
    );
    let wrong = tool
        .ipmipower(&bmc, CipherSuite::SUITE_17, &["--stat", "-k", "another"])
        .await;
    assert_eq!(wrong, "k_g invalid");
}

#[tokio::test]
async fn switches_many_at_once() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    let bmcs = bmc().spawn_many(50).await.unwrap();
    let hosts: Vec<_> = bmcs.iter().map(|bmc| bmc.addr().to_string()).collect();
    let args = ["-D", "LAN_2_0", "-I", "17", "-h", &hosts.join(","), "--on"];
    let output = tool
        .run_with_credentials(&args, &["-u", "admin", "-p", "password"])
        .await
        .unwrap();
    assert_eq!(
        output.lines().filter(|line| line.ends_with(": ok")).count(),
        50,
        "{output}"
    );
    assert!(bmcs.iter().all(SimHandle::power));
}
