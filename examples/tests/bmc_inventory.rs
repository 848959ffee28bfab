//! What `bmc` tells of sensors, events, components and the identify light, against simulated BMCs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "support/program.rs"]
mod program;

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use bmc_ipmi::sim::SimHandle;
use serde_json::Value;
use tokio::time::timeout;

use program::{VARIABLE, demonstrate, example, interrupt, server};

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sensors_are_a_table() {
    let [text, line] = demonstrate(["sensors", "-o json sensors"]).await;
    let row = text
        .lines()
        .find(|row| row.starts_with("Inlet Temp"))
        .unwrap();
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[1..3], ["23 °C", "ok"], "{text}");
    assert_eq!(cells[6..8], ["38", "42"], "{text}");
    let sensors = json(&line);
    let sensors = sensors["sensors"].as_array().unwrap();
    assert_eq!(sensors.len() + 1, text.lines().count());
    let fan = sensors
        .iter()
        .find(|sensor| sensor["name"] == "FAN1")
        .unwrap();
    assert_eq!(
        (&fan["value"], &fan["unit"]),
        (&4500.0.into(), &"rpm".into())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_are_listed_and_cleared() {
    let [info, list, last, clear, after] = demonstrate([
        "-o json sel info",
        "sel list",
        "-o json sel list --last 1",
        "sel clear",
        "-o json sel info",
    ])
    .await;
    assert_eq!(json(&info)["eventLog"]["entries"], 4);
    assert!(list.contains("2023-12-31T10:00:00Z | Inlet Temp"), "{list}");
    let last = json(&last);
    let events = last["events"].as_array().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["asserted"], false, "{last}");
    assert_eq!(events[0]["time"], "2023-12-31T12:01:00Z");
    assert!(clear.ends_with(": accepted\n"), "{clear}");
    assert_eq!(json(&after)["eventLog"]["entries"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_events_are_watched() {
    let (sim, url) = server().await;
    let mut watch = example("bmc")
        .args(["--user", "admin", "--password-env", VARIABLE])
        .args(["sel", "watch", "--every", "20ms", "--all", &url])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let seen = tokio::task::spawn_blocking(move || {
        let (mut seen, mut lines) = (Vec::new(), lines);
        while seen.len() < 4 {
            seen.push(lines.next().unwrap().unwrap());
        }
        let again = sim.event_log(|log| log.records()[0]);
        sim.event_log(|log| log.push(again.body)).unwrap();
        seen.push(lines.next().unwrap().unwrap());
        (seen, sim)
    });
    let (seen, sim) = seen.await.unwrap();
    assert!(
        seen[0].contains("Inlet Temp") && seen[4].contains("Inlet Temp"),
        "{seen:?}"
    );
    assert_eq!(sim.active_sessions(), 1);
    interrupt(&watch);
    let status = tokio::task::spawn_blocking(move || watch.wait().unwrap());
    assert!(status.await.unwrap().success(), "this is how it ends");
    all_closed(&sim).await;
}

/// The datagram that closes a session arrives in its own time, but before the BMC would forget the session.
async fn all_closed(sim: &SimHandle) {
    let closed = async {
        while sim.active_sessions() > 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), closed).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watching_ends_when_nobody_reads() {
    let (sim, url) = server().await;
    let mut watch = example("bmc")
        .args(["--user", "admin", "--password-env", VARIABLE])
        .args(["sel", "watch", "--every", "20ms", "--all", &url])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(watch.stdout.take());
    let status = tokio::task::spawn_blocking(move || watch.wait().unwrap());
    assert_eq!(status.await.unwrap().code(), Some(1));
    all_closed(&sim).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn components_are_paragraphs() {
    let [text, line] = demonstrate(["fru", "-o json inventory"]).await;
    let components = json(&line);
    let components = components["components"].as_array().unwrap();
    for component in components {
        let name = component["name"].as_str().unwrap();
        assert!(text.contains(&format!("{name} (")), "{text}");
    }
    assert!(
        components
            .iter()
            .any(|component| component["kind"] == "bmc"),
        "{line}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_identify_light_is_switched() {
    let [on, shown, timed, off, dark] = demonstrate([
        "identify on",
        "identify status",
        "identify on --for 200s",
        "identify off",
        "-o json identify status",
    ])
    .await;
    assert!(
        [on, timed, off]
            .iter()
            .all(|line| line.ends_with(": accepted\n"))
    );
    assert!(shown.ends_with(": on\n"), "{shown}");
    assert_eq!(json(&dark)["identify"], "off");
}
