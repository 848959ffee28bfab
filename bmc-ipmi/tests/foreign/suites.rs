//! Every cipher suite and every IPMI v1.5 authentication type that the foreign clients speak.

use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::{SimBuilder, SimQuirks};
use bmc_ipmi::wire::AuthType;

use crate::spoken::{FREEIPMI, GOIPMI, IPMITOOL};
use crate::tool::{Tool, bmc, changes};

fn suite(id: u8) -> CipherSuite {
    CipherSuite::from_id(id).unwrap_or(CipherSuite::danger_suite_0())
}

fn v15(auth_type: AuthType) -> SimBuilder {
    bmc().suites([]).auth_types([auth_type])
}

/// The programs' word for an authentication type, and the type.
fn v15_type(name: &str) -> (&'static str, AuthType) {
    match name {
        "none" => ("none", AuthType::NONE),
        "MD2" => ("md2", AuthType::MD2),
        "MD5" => ("md5", AuthType::MD5),
        "password" => ("password", AuthType::STRAIGHT),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn ipmitool_with_every_suite() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for &id in IPMITOOL.suites {
        let suite = suite(id);
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        tool.ipmitool(&bmc, suite, "chassis power on").await;
        let status = tool.ipmitool(&bmc, suite, "chassis power status").await;
        assert_eq!(status, "Chassis Power is on", "suite {id}");
        assert_eq!(changes(&bmc), [true], "suite {id}");
        assert_eq!(
            bmc.active_sessions(),
            0,
            "suite {id}: every session was closed"
        );
    }
}

#[tokio::test]
async fn ipmipower_with_every_suite() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    for &id in FREEIPMI.suites {
        let suite = suite(id);
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        assert_eq!(
            tool.ipmipower(&bmc, suite, &["--on"]).await,
            "ok",
            "suite {id}"
        );
        assert_eq!(
            tool.ipmipower(&bmc, suite, &["--stat"]).await,
            "on",
            "suite {id}"
        );
        assert_eq!(changes(&bmc), [true], "suite {id}");
        if id != 0 {
            bmc.set_password("admin", "other");
            let wrong = tool.ipmipower(&bmc, suite, &["--stat"]).await;
            assert_eq!(wrong, "password invalid", "suite {id}");
        }
    }
}

/// FreeIPMI takes key and user name in the forms that other clients lack.
#[tokio::test]
async fn ipmipower_with_a_key_that_begins_with_zeroes() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    for id in FREEIPMI.suites.iter().copied().filter(|id| *id != 0) {
        let bmc = bmc()
            .suites([suite(id)])
            .kg("\0\0\x07")
            .spawn()
            .await
            .unwrap();
        let status = tool
            .ipmipower(&bmc, suite(id), &["--stat", "-k", "0x000007"])
            .await;
        assert_eq!(status, "off", "suite {id}");
        let wrong = tool
            .ipmipower(&bmc, suite(id), &["--stat", "-k", "0x07"])
            .await;
        assert_eq!(wrong, "k_g invalid", "suite {id}");
    }
}

#[tokio::test]
async fn goipmi_with_every_suite() {
    let Some(tool) = Tool::find("goipmi") else {
        return;
    };
    for &id in GOIPMI.suites {
        let bmc = bmc().suites([suite(id)]).spawn().await.unwrap();
        tool.goipmi(&bmc, "power on").await;
        assert_eq!(changes(&bmc), [true], "suite {id}");
    }
}

#[tokio::test]
async fn ipmitool_with_v15() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for name in IPMITOOL.v15 {
        let (option, auth_type) = v15_type(name);
        let name = option.to_uppercase();
        for per_message in [true, false] {
            let bmc = v15(auth_type).per_message_authentication(per_message);
            let bmc = bmc.spawn().await.unwrap();
            let args = ["-I", "lan", "-A", &name, "chassis", "power"];
            let on = tool.run(&bmc, &[&args[..], &["on"]].concat()).await;
            assert!(on.is_ok(), "{name}: {on:?}");
            let status = tool.run(&bmc, &[&args[..], &["status"]].concat()).await;
            assert_eq!(status.unwrap(), "Chassis Power is on", "{name}");
            assert_eq!(changes(&bmc), [true], "{name}");
        }
    }
}

#[tokio::test]
async fn ipmipower_with_v15() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    for name in FREEIPMI.v15 {
        let (name, auth_type) = v15_type(name);
        for per_message in [true, false] {
            let bmc = v15(auth_type).per_message_authentication(per_message);
            let bmc = bmc.spawn().await.unwrap();
            assert_eq!(
                tool.ipmipower_v15(&bmc, name, &["--on"]).await,
                "ok",
                "{name}"
            );
            assert_eq!(
                tool.ipmipower_v15(&bmc, name, &["--stat"]).await,
                "on",
                "{name}"
            );
            assert_eq!(changes(&bmc), [true], "{name}");
        }
    }
}

/// ipmitool says that the BMC supports IPMI when a presence pong has come.
#[tokio::test]
async fn ipmitool_gets_an_answer_to_its_presence_ping() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = v15(AuthType::MD5).spawn().await.unwrap();
    let args = [
        "-vvvv", "-I", "lan", "-A", "MD5", "chassis", "power", "status",
    ];
    let output = tool.run_all(&bmc, &args).await;
    assert!(output.contains("IPMI Supported"), "{output}");
}

/// What FreeIPMI calls a workaround, the simulator calls a need.
#[tokio::test]
async fn ipmipower_bears_with_the_same_quirks() {
    let Some(tool) = Tool::find("ipmipower") else {
        return;
    };
    for (name, id) in [
        ("opensesspriv", 3),
        ("intel20", 3),
        ("intel20", 8),
        ("supermicro20", 3),
        ("integritycheckvalue", 0),
        ("nochecksumcheck", 17),
    ] {
        let needs = SimQuirks {
            needs: name.parse().unwrap(),
            ..SimQuirks::default()
        };
        let bmc = bmc()
            .suites([suite(id)])
            .quirks(needs)
            .spawn()
            .await
            .unwrap();
        let status = tool
            .ipmipower(&bmc, suite(id), &["--stat", "-W", name])
            .await;
        assert_eq!(status, "off", "{name}");
        let refused = tool.ipmipower(&bmc, suite(id), &["--stat"]).await;
        assert_ne!(refused, "off", "{name} is needed");
    }
    for name in ["authcap", "forcepermsg", "idzero", "endianseq"] {
        let needs = SimQuirks {
            needs: name.parse().unwrap(),
            ..SimQuirks::default()
        };
        let bmc = v15(AuthType::MD5).quirks(needs).spawn().await.unwrap();
        let status = tool
            .ipmipower_v15(&bmc, "md5", &["--stat", "-W", name])
            .await;
        assert_eq!(status, "off", "{name}");
    }
}
