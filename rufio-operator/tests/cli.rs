//! The program's command line: what it accepts, how it refuses, with which exit code.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program without anything of the user's environment.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rufio-operator"));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", "/nonexistent")
        .stdin(Stdio::null());
    command
}

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = program(arguments);
    command.envs(variables.iter().copied());
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        status.code().expect("no signal"),
        text(stdout),
        text(stderr),
    )
}

#[test]
fn crd_prints_what_is_shipped() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/crds");
    let shipped: String = ["machines", "jobs", "tasks"]
        .iter()
        .map(|kind| directory.join(format!("bmc.tinkerbell.org_{kind}.yaml")))
        .map(|file| fs::read_to_string(file).expect("shipped"))
        .collect();
    assert_eq!(run(&["crd"], &[]), (0, shipped, String::new()));
}

#[test]
fn help_and_version_are_answers() {
    let (code, help, _) = run(&["--help"], &[]);
    assert_eq!(code, 0);
    for word in ["run", "local", "crd", "RUFIO_TASK_TIMEOUT"] {
        assert!(help.contains(word), "{help}");
    }
    let (code, version, _) = run(&["--version"], &[]);
    assert_eq!(code, 0);
    assert!(version.contains(env!("CARGO_PKG_VERSION")), "{version}");
}

#[test]
fn what_is_wrong_is_named_with_exit_code_2() {
    /// Arguments, variables, and words of the answer.
    type Case = (
        &'static [&'static str],
        &'static [(&'static str, &'static str)],
        &'static [&'static str],
    );
    let cases: [Case; 9] = [
        (&["--no-such-flag"], &[], &["--no-such-flag"]),
        (&["serve"], &[], &["serve"]),
        (
            &["run", "--task-timeout=ten"],
            &[],
            &["--task-timeout", "ten", "1m30s"],
        ),
        (
            &["--leader-elect=maybe"],
            &[],
            &["--leader-elect", "true or false"],
        ),
        (
            &["--metrics-bind-address", "8080"],
            &[],
            &["--metrics-bind-address", ":PORT"],
        ),
        (
            &["run"],
            &[("RUFIO_MAX_CONCURRENT_RECONCILES", "many")],
            &["RUFIO_MAX_CONCURRENT_RECONCILES", "many"],
        ),
        (
            &[],
            &[("RUFIO_BMC_CONNECT_TIMEOUT", "1 minute")],
            &["RUFIO_BMC_CONNECT_TIMEOUT", "1 minute"],
        ),
        (
            &["run", "--log-level=loud=1=2"],
            &[],
            &["--log-level", "debug"],
        ),
        (&["local"], &[], &["--filename"]),
    ];
    for (arguments, variables, words) in cases {
        let (code, out, error) = run(arguments, variables);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert_eq!(out, "", "{arguments:?}");
        for word in words {
            assert!(error.contains(word), "{arguments:?}: {word} in {error}");
        }
    }
}

#[test]
fn without_a_cluster_it_says_what_it_looked_for() {
    let off = ["--metrics-bind-address=0", "--health-probe-bind-address=0"];
    for first in [&["run"][..], &["--leader-elect"], &["-leader-elect=true"]] {
        let (code, _, error) = run(&[first, &off].concat(), &[]);
        assert_eq!(code, 1, "{error}");
        for word in ["no cluster", "--kubeconfig", "rufio-operator local"] {
            assert!(error.contains(word), "{error}");
        }
    }
    let missing = ["run", "--kubeconfig=/no/such/file"];
    let (code, _, error) = run(&[&missing[..], &off].concat(), &[]);
    assert_eq!(code, 1, "{error}");
    assert!(error.contains("--kubeconfig: /no/such/file"), "{error}");
    let flag_beats_variable = [
        ("RUFIO_KUBECONFIG", "/another"),
        ("RUFIO_METRICS_BIND_ADDRESS", "junk"),
    ];
    let (_, _, error) = run(&[&missing[..], &off].concat(), &flag_beats_variable);
    assert!(error.contains("--kubeconfig: /no/such/file"), "{error}");
}

#[test]
fn a_port_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("loopback");
    let address = taken.local_addr().expect("bound").to_string();
    let (code, _, error) = run(
        &[
            "run",
            "--metrics-bind-address=0",
            "--health-probe-bind-address",
            &address,
        ],
        &[],
    );
    assert_eq!(code, 1, "{error}");
    assert!(error.contains("--health-probe-bind-address"), "{error}");
    assert!(error.contains(&address), "{error}");
}

#[test]
fn a_log_in_json_is_json() {
    let (_, _, error) = run(
        &[
            "run",
            "--log-format=json",
            "--metrics-bind-address=0",
            "--health-probe-bind-address=0",
        ],
        &[],
    );
    for line in error.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|_| panic!("{line}"));
    }
    assert!(error.contains("no cluster"), "{error}");
}

#[test]
fn manifests_are_refused_whole() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let file = directory.path().join("m.yaml");
    fs::write(
        &file,
        "apiVersion: bmc.tinkerbell.org/v1alpha1\nkind: Task\nmetadata: {name: good}\n\
         spec: {task: {powerAction: \"on\"}, connection: {host: 127.0.0.1, port: 1, insecureTLS: true}}\n---\n\
         apiVersion: bmc.tinkerbell.org/v1alpha1\nkind: Task\nmetadata: {name: bad}\nspec: {task: {powerAction: onn}}\n",
    )
    .expect("writable");
    let name = file.display().to_string();
    let (code, out, error) = run(&["local", "-f", &name], &[]);
    assert_eq!(code, 2, "{error}");
    assert_eq!(out, "");
    assert_eq!(
        error,
        format!(
            "{name}: document 2, Task bad: spec.task.powerAction: \"onn\" is not one of on, off, soft, status, cycle, reset\n"
        )
    );
    let (code, _, error) = run(&["local", "-f", "/no/such/file"], &[]);
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("--filename /no/such/file"), "{error}");
    let (code, _, error) = run(&["local", "-f", "-"], &[]);
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("no Machine, Job or Task"), "{error}");
}
