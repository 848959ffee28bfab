//! The commands of `bmc` that only IPMI knows, against simulated BMCs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::AuthType;
use serde_json::Value;

use program::{bmc, demonstrate};

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_is_told_once() {
    let sim = Sim::builder().spawn().await.unwrap();
    let url = format!("ipmi://{}", sim.addr());
    tokio::task::spawn_blocking(move || {
        for (line, words) in [
            (
                "raw;0x2e 1",
                "unsupported: BMC does not support it: raw request: invalid command (C1h)",
            ),
            ("user;enable;9", "not-found: BMC has no user 9"),
        ] {
            let ran = bmc(line.split(';').chain([url.as_str()]));
            assert_eq!(ran.failure(1), format!("{url}: {words}\n"));
        }
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sensor_data_records_are_listed() {
    let [text, json] = demonstrate(["sdr", "-o json sdr"]).await;
    assert!(text.starts_with("record | type"), "{text}");
    let json: Value = serde_json::from_str(&json).unwrap();
    let records = json["records"].as_array().unwrap();
    assert_eq!(text.lines().count(), records.len() + 1);
    let full = records
        .iter()
        .find(|record| record["type"] == "full sensor")
        .unwrap();
    assert!(
        full["name"].is_string() && full["number"].is_u64(),
        "{full}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn power_is_measured_and_limited_by_dcmi() {
    let [power, set, on, limit, tag, temperatures] = demonstrate([
        "-o json dcmi power",
        "dcmi limit set 400 --beyond power-off",
        "dcmi limit on",
        "-o json dcmi limit get",
        "dcmi asset-tag --set RACK-7",
        "dcmi temperatures",
    ])
    .await;
    let power: Value = serde_json::from_str(&power).unwrap();
    assert!(power["watts"]["current"].as_u64().unwrap() > 0, "{power}");
    assert!(set.ends_with(": accepted\n") && on.ends_with(": accepted\n"));
    let limit: Value = serde_json::from_str(&limit).unwrap();
    let limit = &limit["powerLimit"];
    assert_eq!(
        (&limit["watts"], &limit["active"]),
        (&400.into(), &true.into())
    );
    assert_eq!(limit["beyond"], "power-off");
    assert!(tag.ends_with(": RACK-7\n"), "{tag}");
    assert!(temperatures.contains("air inlet"), "{temperatures}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_login_is_as_the_options_say() {
    let plain = Sim::builder()
        .suites([])
        .auth_types([AuthType::MD5])
        .spawn()
        .await
        .unwrap();
    let keyed = Sim::builder().kg("two-key").spawn().await.unwrap();
    let [plain, keyed] = [plain, keyed].map(|sim| (format!("ipmi://{}", sim.addr()), sim));
    tokio::task::spawn_blocking(move || {
        let (url, _) = &plain;
        bmc(["--v15", "md5", "power", "status", url]).success();
        let (url, _) = &keyed;
        bmc(["power", "status", url]).failure(1);
        let key = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(key.path(), "0x74776f2d6b6579\n").unwrap();
        let file = key.path().to_str().unwrap();
        bmc([
            "--kg-file",
            file,
            "--privilege",
            "operator",
            "power",
            "status",
            url,
        ])
        .success();
        let wrong = bmc(["--quirk", "opensesspriv,nosuch", "power", "status", url]);
        assert!(
            wrong.failure(2).contains("\"nosuch\" is no quirk"),
            "{}",
            wrong.err
        );
        bmc([
            "--kg-file",
            file,
            "--quirk",
            "opensesspriv,intelplus",
            "power",
            "status",
            url,
        ])
        .failure(1);
        bmc([
            "--kg-file",
            file,
            "--quirk",
            "opensesspriv",
            "power",
            "status",
            url,
        ])
        .success();
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watchdog_is_started_and_stopped() {
    let [unset, start, running, reset, stop, stopped] = demonstrate([
        "-o json watchdog status",
        "watchdog start power-cycle --after 90s",
        "-o json watchdog status",
        "watchdog reset",
        "watchdog stop",
        "watchdog status",
    ])
    .await;
    let unset: Value = serde_json::from_str(&unset).unwrap();
    assert_eq!(unset["watchdog"]["running"], false);
    assert!(
        [start, reset, stop]
            .iter()
            .all(|line| line.ends_with(": accepted\n"))
    );
    let running: Value = serde_json::from_str(&running).unwrap();
    let running = &running["watchdog"];
    assert_eq!(
        (&running["running"], &running["seconds"]),
        (&true.into(), &90.0.into())
    );
    assert_eq!(running["action"], "power cycle");
    assert!(stopped.starts_with("running   : no\n"), "{stopped}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_is_tested_and_identified() {
    let [test, guid] = demonstrate(["-o json mc selftest", "mc guid"]).await;
    let test: Value = serde_json::from_str(&test).unwrap();
    assert_eq!(test["selfTest"]["passed"], true, "{test}");
    assert!(
        guid.contains("host       : ") && guid.lines().count() == 2,
        "{guid}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lan_channel_is_shown_and_changed() {
    let [ip, vlan, text, json, dhcp] = demonstrate([
        "lan ip 192.0.2.17/24 --gateway 192.0.2.1",
        "lan vlan 7",
        "lan show",
        "-o json lan show",
        "lan ip dhcp",
    ])
    .await;
    assert!(
        [ip, vlan, dhcp]
            .iter()
            .all(|line| line.ends_with(": accepted\n"))
    );
    assert!(text.contains("address       : 192.0.2.17\n"), "{text}");
    assert!(text.contains("VLAN          : 7\n"), "{text}");
    let json: Value = serde_json::from_str(&json).unwrap();
    let lan = &json["lan"];
    assert_eq!(
        (&lan["mask"], &lan["gateway"]),
        (&"255.255.255.0".into(), &"192.0.2.1".into())
    );
    assert!(
        lan["cipherSuites"]
            .as_array()
            .unwrap()
            .iter()
            .any(|suite| suite["id"] == 17),
        "{json}"
    );
}
