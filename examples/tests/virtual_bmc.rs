//! `virtual-bmc` as a BMC that others speak to, and its command line.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use std::fs;

use program::{Ran, VARIABLE, VirtualBmc, bmc, example};

#[test]
fn what_it_prints_is_a_file_of_targets() {
    let mut bmcs = VirtualBmc::start(&["--count", "3", "--on"]);
    assert_eq!(bmcs.urls.len(), 3);
    let mut words = vec!["power", "status"];
    words.extend(bmcs.urls.iter().map(String::as_str));
    assert_eq!(bmc(words).success().matches(": on\n").count(), 3);
    for part in [
        "power status",
        "ipmitool",
        "kind: Machine",
        "powerAction: \"on\"",
    ] {
        assert!(bmcs.advice.contains(part), "{part}: {}", bmcs.advice);
    }
    assert!(!bmcs.advice.contains("password: \"password\""));
    assert_eq!(bmcs.terminate(), Some(0));
}

#[test]
fn the_log_has_a_line_for_each_command() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut bmcs = VirtualBmc::start(&["--log", log.to_str().unwrap(), "--on"]);
    bmc(["power", "cycle", &bmcs.urls[0]]).success();
    assert_eq!(bmcs.terminate(), Some(0));
    let log = fs::read_to_string(log).unwrap();
    let cycles: Vec<_> = log
        .lines()
        .filter(|line| line.contains("Chassis Control 02:"))
        .collect();
    assert_eq!(cycles.len(), 1, "{log}");
    let (host, port) = bmcs.address();
    assert!(cycles[0].contains(&format!(" {host}:{port} ")), "{log}");
}

#[test]
fn faults_are_those_asked_for() {
    let lossy = VirtualBmc::start(&["--fault", "drop=0.2,duplicate,reorder=5ms", "--suites", "3"]);
    let ran = bmc(["power", "on", "--wait", "--timeout", "60s", &lossy.urls[0]]);
    assert_eq!(ran.success(), format!("{}: on\n", lossy.urls[0]));
    let ran = bmc([
        "power",
        "status",
        "--cipher-suite",
        "17",
        "--timeout",
        "20s",
        &lossy.urls[0],
    ]);
    assert!(ran.failure(1).contains("cipher suite 17"), "{}", ran.err);

    let closed = VirtualBmc::start(&["--fault", "refuse-auth"]);
    let ran = bmc(["power", "status", &closed.urls[0]]);
    assert!(ran.failure(1).contains(": authentication: "), "{}", ran.err);
}

#[test]
fn wrong_command_lines_end_with_2() {
    let whole = ["--user", "admin", "--password-env", VARIABLE];
    for (line, part) in [
        ("--ipmi nowhere", "expected an IP address"),
        ("--ipmi 203.0.113.1:0", "203.0.113.1"),
        ("--fault fire=1", "unknown fault"),
        ("--suites 99", "99"),
        ("--power-delay 3", "with a unit"),
        ("--log /does/not/exist", "/does/not/exist"),
        ("--ipmi 127.0.0.1:65530 --count 10", "--count"),
    ] {
        let mut command = example("virtual-bmc");
        let ran = Ran::of(command.args(whole).args(line.split(' ')));
        assert!(ran.failure(2).contains(part), "{line}: {}", ran.err);
    }
    let mut no_password = example("virtual-bmc");
    no_password.args(["--user", "admin", "--password-env", "BMC_NOT_SET"]);
    assert!(Ran::of(&mut no_password).failure(2).contains("BMC_NOT_SET"));
}
