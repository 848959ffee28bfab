//! The programs against programs that nobody here wrote.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use std::process::Command;

use peers::{Bmc, GoIpmi, IpmiSim};

use program::{Ran, VARIABLE, VirtualBmc, example};

fn url(bmc: &impl Bmc) -> String {
    format!("ipmi://{}", bmc.address())
}

/// Runs `bmc` on a peer's BMC.
fn bmc(user: &str, password: &str, line: &str, target: &str) -> Ran {
    let mut command = example("bmc");
    command
        .env(VARIABLE, password)
        .args(["--user", user, "--password-env", VARIABLE])
        .args(line.split(' '))
        .arg(target);
    Ran::of(&mut command)
}

#[test]
fn bmc_switches_ipmi_sim() {
    let Some(sim) = IpmiSim::start() else {
        return;
    };
    let target = &url(&sim);
    let run = |line| bmc("ipmiusr", "test", line, target);

    assert_eq!(run("power status").success(), format!("{target}: off\n"));
    for line in [
        "--cipher-suite 3 power on --wait",
        "boot set pxe",
        "power cycle",
        "info",
    ] {
        run(line).success();
    }
    assert_eq!(sim.boot(), "pxe");
    let before = sim.power_losses();
    run("power off --wait").success();
    assert_eq!(sim.power(), "0");
    assert_eq!(sim.power_losses(), before + 1);
    run("boot clear").success();

    let wrong = bmc("ipmiusr", "wrong", "power on", target);
    assert!(
        wrong.failure(1).contains(": authentication: "),
        "{}",
        wrong.err
    );
    let stranger = bmc("nobody", "test", "power on", target);
    assert!(
        stranger.failure(1).contains(": authentication: "),
        "{}",
        stranger.err
    );
    assert_eq!(sim.power(), "0");
}

#[test]
fn bmc_switches_go_ipmi() {
    let Some(server) = GoIpmi::start("admin", "password") else {
        return;
    };
    let target = &url(&server);
    for suite in ["3", "17"] {
        let run = |line: &str| {
            let line = format!("--cipher-suite {suite} {line}");
            bmc("admin", "password", &line, target)
        };
        run("power on --wait").success();
        assert_eq!(run("power status").success(), format!("{target}: on\n"));
        run("boot set pxe --efi --persistent").success();
        let boot = run("boot get");
        assert_eq!(boot.success(), format!("{target}: pxe persistent efi\n"));
        run("power cycle").success();
        run("power off --wait").success();
        assert_eq!(run("power status").success(), format!("{target}: off\n"));
        run("info").success();
        let wrong = bmc("admin", "wrong", "power on", target);
        assert!(
            wrong.failure(1).contains(": authentication: "),
            "{}",
            wrong.err
        );
    }
    // Without a suite: the strongest one that the BMC offers.
    bmc("admin", "password", "power status", target).success();
}

#[test]
fn ipmitool_switches_virtual_bmc() {
    let Some(ipmitool) = peers::program("ipmitool") else {
        return;
    };
    let bmcs = VirtualBmc::start(&[]);
    let (host, port) = bmcs.address();
    for suite in ["3", "17"] {
        let run = |line: &str| {
            let mut command = Command::new(&ipmitool);
            command
                .args(["-I", "lanplus", "-C", suite, "-H", host, "-p", port])
                .args(["-U", "admin", "-P", "password"])
                .args(line.split(' '));
            let ran = Ran::of(&mut command);
            assert_eq!(ran.code, 0, "{line}: {}", ran.err);
            ran.out
        };
        run("chassis power on");
        assert!(run("chassis power status").contains("is on"));
        run("chassis bootdev pxe options=efiboot,persistent");
        assert!(run("chassis bootparam get 5").contains("Force PXE"));
        run("chassis power off");
        assert!(run("chassis power status").contains("is off"));
    }
}

#[test]
fn ipmipower_switches_virtual_bmc() {
    let Some(ipmipower) = peers::program("ipmipower") else {
        return;
    };
    let bmcs = VirtualBmc::start(&[]);
    let (host, port) = bmcs.address();
    let run = |suite: &str, line: &str| {
        let mut command = Command::new(&ipmipower);
        command
            .args([
                "-D",
                "LAN_2_0",
                "-I",
                suite,
                "-h",
                &format!("{host}:{port}"),
            ])
            .args(["-u", "admin", "-p", "password", line]);
        Ran::of(&mut command).out
    };
    for suite in ["3", "17"] {
        assert!(run(suite, "--on").contains("ok"));
        assert!(run(suite, "--stat").contains("on"));
        assert!(run(suite, "--off").contains("ok"));
        assert!(run(suite, "--stat").contains("off"));
    }
}
