//! `bmc sol` against the serial port of a simulated BMC.
#![allow(clippy::unwrap_used)]

#[path = "support/program.rs"]
mod program;

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use bmc_ipmi::sim::{SerialPort, Sim, SimHandle};

use program::{Ran, VARIABLE, bmc, example, interrupt};

fn start(url: &str, options: &[&str]) -> Child {
    let mut command = example("bmc");
    command.args(["--user", "admin", "--password-env", VARIABLE, "sol"]);
    command.args(options).arg(url);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::yield_now();
    }
}

async fn server() -> (SimHandle, String) {
    let sim = Sim::builder().spawn().await.unwrap();
    let url = format!("ipmi://{}", sim.addr());
    (sim, url)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_typed_arrives_and_what_is_printed_is_shown() {
    let (sim, url) = server().await;
    tokio::task::spawn_blocking(move || {
        sim.serial(|port| port.set_echo(false));
        let mut sol = start(&url, &[]);
        let (mut keys, mut screen) = (sol.stdin.take().unwrap(), sol.stdout.take().unwrap());
        until("the console opens", || sim.serial(|port| port.is_active()));
        sim.serial(|port| port.print("login: "));
        let mut seen = [0; 7];
        screen.read_exact(&mut seen).unwrap();
        assert_eq!(&seen, b"login: ");

        // Tildes are for people: a file is passed on as it is.
        keys.write_all(b"~.root\n").unwrap();
        until("the host is typed to", || {
            sim.serial(|port| port.typed() == b"~.root\n")
        });
        drop(keys);
        let ended = sol.wait().unwrap();
        assert!(ended.success());
        assert!(
            !sim.serial(|port| port.is_active()),
            "the console is given back"
        );
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_console_is_given_back() {
    let (sim, url) = server().await;
    tokio::task::spawn_blocking(move || {
        let mut sol = start(&url, &[]);
        until("the console opens", || sim.serial(|port| port.is_active()));
        interrupt(&sol);
        assert!(sol.wait().unwrap().success());
        until("sessions are closed", || sim.active_sessions() == 0);
        assert!(!sim.serial(|port| port.is_active()));
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_console_in_use_is_taken_away_only_on_request() {
    let (sim, url) = server().await;
    tokio::task::spawn_blocking(move || {
        sim.serial(SerialPort::occupy);
        let busy = bmc(["sol", &url]);
        assert!(busy.failure(1).contains("busy"), "{}", busy.err);
        let taken = bmc(["sol", "--steal", "--for", "10ms", &url]);
        taken.success();
    })
    .await
    .unwrap();
}

#[test]
fn one_console_at_a_time() {
    let two = bmc(["sol", "a", "b"]);
    assert!(
        two.failure(2).contains("unexpected argument 'b'"),
        "{}",
        two.err
    );
    let closed = Ran::of(example("bmc").args([
        "--user",
        "a",
        "--password-env",
        VARIABLE,
        "sol",
        "127.0.0.1:1",
    ]));
    assert!(closed.failure(1).contains("unreachable"), "{}", closed.err);
}
