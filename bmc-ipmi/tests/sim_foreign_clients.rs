//! The simulated BMC against clients that are no part of this project: ipmitool, FreeIPMI's ipmipower and go-ipmi's
//! goipmi, which `.ci/peers/install` puts into `$RUFIO_PEERS/bin`.
//!
//! A program that is not installed is a visible skip, and a failure where `CI` is set.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use bmc_core::Credentials;
use bmc_ipmi::command::{BootFlagDevice, BootFlags};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::{Quirks, RefusalForm, Sim, SimBuilder, SimHandle};
use bmc_ipmi::wire::{CompletionCode, NetFn, Privilege};

const SUITES: [CipherSuite; 2] = CipherSuite::ALL;

#[tokio::test]
async fn ipmitool_switches_power() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        assert_eq!(
            tool.ipmitool(&bmc, suite, "chassis power status").await,
            "Chassis Power is off"
        );
        tool.ipmitool(&bmc, suite, "chassis power on").await;
        assert!(bmc.power());
        assert_eq!(
            tool.ipmitool(&bmc, suite, "chassis power status").await,
            "Chassis Power is on"
        );
        tool.ipmitool(&bmc, suite, "chassis power cycle").await;
        assert_eq!(bmc.cycles(), 1);
        tool.ipmitool(&bmc, suite, "chassis power reset").await;
        tool.ipmitool(&bmc, suite, "chassis power diag").await;
        let counts = bmc.machine(|machine| (machine.resets(), machine.nmis()));
        assert_eq!(counts, (1, 1));
        tool.ipmitool(&bmc, suite, "chassis power off").await;
        assert_eq!(changes(&bmc), [true, false, true, false]);
        let error = tool
            .ipmitool_fails(&bmc, suite, "chassis power cycle")
            .await;
        assert!(
            error.contains("Command not supported in present state"),
            "{error}"
        );
        assert_eq!(bmc.sessions(), 0, "every session was closed");
    }
}

#[tokio::test]
async fn ipmitool_sets_the_boot_device() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().spawn().await.unwrap();
        tool.ipmitool(
            &bmc,
            suite,
            "chassis bootdev pxe options=efiboot,persistent",
        )
        .await;
        let expected = BootFlags {
            valid: true,
            persistent: true,
            efi: true,
            device: BootFlagDevice::PXE,
            ..BootFlags::default()
        };
        assert_eq!(bmc.boot_flags(), expected);
        let shown = tool.ipmitool(&bmc, suite, "chassis bootparam get 5").await;
        for line in [
            "Boot parameter data: e004000000",
            "Boot Flag Valid",
            "Options apply to all future boots",
            "BIOS EFI boot",
            "Boot Device Selector : Force PXE",
        ] {
            assert!(shown.contains(line), "{line:?} in {shown}");
        }
        tool.ipmitool(&bmc, suite, "chassis power on").await;
        assert_eq!(bmc.boots().first().unwrap().flags, Some(expected));
        assert!(bmc.boot_flags().valid, "persistent flags outlive a boot");

        tool.ipmitool(&bmc, suite, "chassis bootdev cdrom").await;
        tool.ipmitool(&bmc, suite, "chassis power reset").await;
        let flags = bmc.boots().last().unwrap().flags.unwrap();
        assert_eq!(
            (flags.device, flags.persistent, flags.efi),
            (BootFlagDevice::CDROM, false, false)
        );
        assert!(!bmc.boot_flags().valid, "one boot uses them up");
    }
}

#[tokio::test]
async fn ipmitool_reads_what_the_bmc_is_and_offers() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let info = tool.ipmitool(&bmc, CipherSuite::SUITE_17, "mc info").await;
    assert!(info.contains("IPMI Version              : 2.0"), "{info}");
    let ciphers = tool
        .ipmitool(&bmc, CipherSuite::SUITE_3, "channel getciphers ipmi")
        .await;
    for row in [
        "3    N/A     hmac_sha1       hmac_sha1_96    aes_cbc_128",
        "17   N/A     hmac_sha256     sha256_128      aes_cbc_128",
    ] {
        assert!(ciphers.contains(row), "{row:?} in {ciphers}");
    }
}

#[tokio::test]
async fn ipmitool_chooses_the_strongest_suite_by_itself() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        let output = tool
            .run(&bmc, &["-I", "lanplus", "chassis", "power", "status"])
            .await;
        assert_eq!(output.unwrap(), "Chassis Power is off");
    }
}

#[tokio::test]
async fn ipmitool_is_refused_in_each_form_of_refusal() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    for refusals in [
        RefusalForm::Standard,
        RefusalForm::Short,
        RefusalForm::ZeroFilled,
    ] {
        let quirks = Quirks {
            refusals,
            ..Quirks::default()
        };
        let only_17 = bmc()
            .suites([CipherSuite::SUITE_17])
            .quirks(quirks)
            .spawn()
            .await
            .unwrap();
        tool.ipmitool_fails(&only_17, CipherSuite::SUITE_3, "chassis power on")
            .await;
        assert!(!only_17.power());
        only_17.set_password("admin", "other");
        let error = tool
            .ipmitool_fails(&only_17, CipherSuite::SUITE_17, "chassis power on")
            .await;
        assert!(
            error.contains("HMAC is invalid") || error.contains("Unable to establish"),
            "{error}"
        );
        assert!(!only_17.power());
    }
}

#[tokio::test]
async fn ipmitool_may_do_what_its_privilege_allows() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    let bmc = Sim::builder()
        .user(credentials(), Privilege::USER)
        .spawn()
        .await
        .unwrap();
    let user = [
        "-I", "lanplus", "-C", "17", "-L", "USER", "chassis", "power",
    ];
    assert_eq!(
        tool.run(&bmc, &[&user[..], &["status"]].concat())
            .await
            .unwrap(),
        "Chassis Power is off"
    );
    let error = tool
        .run(&bmc, &[&user[..], &["on"]].concat())
        .await
        .unwrap_err();
    assert!(error.contains("Insufficient privilege level"), "{error}");
    assert!(!bmc.power());
    let refused = bmc
        .log()
        .into_iter()
        .find(|entry| (entry.netfn, entry.command) == (NetFn::CHASSIS, 2));
    assert_eq!(
        refused.unwrap().completion,
        CompletionCode::INSUFFICIENT_PRIVILEGE
    );
}

#[tokio::test]
async fn ipmitool_works_through_duplicates_and_delay() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    bmc.faults(|faults| {
        faults.duplicate = true;
        faults.delay = Duration::from_millis(5);
    });
    tool.ipmitool(&bmc, CipherSuite::SUITE_17, "chassis power on")
        .await;
    assert_eq!(changes(&bmc), [true]);
}

#[tokio::test]
async fn ipmitool_over_ipv6() {
    let Some(tool) = Tool::find("ipmitool").await else {
        return;
    };
    let spawned = bmc()
        .address((std::net::Ipv6Addr::LOCALHOST, 0))
        .spawn()
        .await;
    let Ok(bmc) = spawned else {
        eprintln!("SKIPPED: no IPv6 on this machine");
        return;
    };
    assert_eq!(
        tool.ipmitool(&bmc, CipherSuite::SUITE_17, "chassis power status")
            .await,
        "Chassis Power is off"
    );
}

#[tokio::test]
async fn ipmipower_switches_power() {
    let Some(tool) = Tool::find("ipmipower").await else {
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
async fn ipmipower_names_the_reason_of_a_refusal() {
    let Some(tool) = Tool::find("ipmipower").await else {
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
async fn ipmipower_with_a_bmc_key() {
    let Some(tool) = Tool::find("ipmipower").await else {
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
async fn ipmipower_switches_many_at_once() {
    let Some(tool) = Tool::find("ipmipower").await else {
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

#[tokio::test]
async fn goipmi_switches_power_and_sets_the_boot_device() {
    let Some(tool) = Tool::find("goipmi").await else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        for (command, expected) in [
            ("power on", &[true][..]),
            ("power cycle", &[true, false, true]),
            ("power off", &[true, false, true, false]),
        ] {
            tool.goipmi(&bmc, command).await;
            assert_eq!(changes(&bmc), expected, "{command}");
        }
        assert_eq!(bmc.cycles(), 1);
        assert_eq!(
            tool.goipmi(&bmc, "power status").await,
            "Chassis Power is off"
        );
        tool.goipmi(&bmc, "bootdev pxe").await;
        assert_eq!(bmc.boot_flags().device, BootFlagDevice::PXE);
    }
}

/// An installed program.
struct Tool(&'static str);

impl Tool {
    async fn find(name: &'static str) -> Option<Self> {
        let found = command(name)
            .arg("-V")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .await;
        match found {
            Ok(_) => Some(Self(name)),
            Err(error) if std::env::var_os("CI").is_some() => {
                panic!("{name} must be installed: {error}")
            }
            Err(error) => {
                eprintln!("SKIPPED: {name}: {error}");
                None
            }
        }
    }

    async fn ipmitool(&self, bmc: &SimHandle, suite: CipherSuite, command: &str) -> String {
        self.ipmitool_result(bmc, suite, command).await.unwrap()
    }

    async fn ipmitool_fails(&self, bmc: &SimHandle, suite: CipherSuite, command: &str) -> String {
        self.ipmitool_result(bmc, suite, command).await.unwrap_err()
    }

    async fn ipmitool_result(
        &self,
        bmc: &SimHandle,
        suite: CipherSuite,
        command: &str,
    ) -> Result<String, String> {
        let id = suite.id().to_string();
        let mut args = vec!["-I", "lanplus", "-C", &id, "-N", "1", "-R", "2"];
        args.extend(command.split_whitespace());
        self.run(bmc, &args).await
    }

    /// Runs ipmitool with the credentials and the address.
    async fn run(&self, bmc: &SimHandle, args: &[&str]) -> Result<String, String> {
        let (host, port) = (bmc.addr().ip().to_string(), bmc.addr().port().to_string());
        self.run_with_credentials(
            &["-U", "admin", "-P", "password", "-H", &host, "-p", &port],
            args,
        )
        .await
    }

    /// The result of one host, without its name.
    async fn ipmipower(&self, bmc: &SimHandle, suite: CipherSuite, command: &[&str]) -> String {
        let (host, id) = (bmc.addr().to_string(), suite.id().to_string());
        let args = [
            "-D", "LAN_2_0", "-I", &id, "-h", &host, "-u", "admin", "-p", "password",
        ];
        let output = match self.run_with_credentials(&args, command).await {
            Ok(output) | Err(output) => output,
        };
        output.rsplit(": ").next().unwrap().trim().to_owned()
    }

    async fn goipmi(&self, bmc: &SimHandle, chassis: &str) -> String {
        let mut args = vec!["-I", "lanplus", "chassis"];
        args.extend(chassis.split_whitespace());
        self.run(bmc, &args).await.unwrap()
    }

    async fn run_with_credentials(&self, first: &[&str], then: &[&str]) -> Result<String, String> {
        let mut command = command(self.0);
        command
            .args(first)
            .args(then)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = timeout(Duration::from_secs(60), command.output()).await;
        let output = output.expect("program hangs").unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        if output.status.success() {
            Ok(stdout)
        } else {
            Err(format!("{stdout}\n{stderr}"))
        }
    }
}

/// A program of `$RUFIO_PEERS/bin`, or else of the path.
fn command(name: &str) -> Command {
    let peers =
        std::env::var_os("RUFIO_PEERS").map(|peers| Path::new(&peers).join("bin").join(name));
    match peers.filter(|program| program.exists()) {
        Some(program) => Command::new(program),
        None => Command::new(name),
    }
}

fn bmc() -> SimBuilder {
    Sim::builder().credentials(credentials())
}

fn credentials() -> Credentials {
    Credentials::new("admin", "password")
}

fn changes(bmc: &SimHandle) -> Vec<bool> {
    bmc.power_changes().iter().map(|change| change.on).collect()
}
