//! The serial console.

use std::time::Duration;

use bmc_core::{ConsoleOptions, ErrorKind};
use bmc_ipmi::sim::{Sim, SimHandle};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

use crate::setup::{failure, pair};

const STEAL: ConsoleOptions = ConsoleOptions { steal: true };
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until so many sessions are left.
async fn sessions(sim: &SimHandle, count: usize) {
    let deadline = Instant::now() + PATIENCE;
    while sim.active_sessions() != count {
        assert!(
            Instant::now() < deadline,
            "{} sessions",
            sim.active_sessions()
        );
        sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_console_echoes_and_outlives_the_handle() {
    let (sim, bmc) = pair(Sim::builder()).await;
    sim.serial(|port| port.set_echo(true));
    let mut console = bmc
        .open_console(ConsoleOptions::default())
        .await
        .unwrap()
        .value;
    bmc.close().await;
    sessions(&sim, 1).await;
    console.write_all(b"hello").await.unwrap();
    let mut echo = [0; 5];
    timeout(PATIENCE, console.read_exact(&mut echo))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(&echo, b"hello");
    console.send_break().await.unwrap();
    console.shutdown().await.unwrap();
    assert_eq!(sim.serial(|port| port.breaks().len()), 1);
    drop(console);
    sessions(&sim, 0).await;
}

#[tokio::test]
async fn a_console_is_taken_away_only_if_asked_for() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let mut first = bmc
        .open_console(ConsoleOptions::default())
        .await
        .unwrap()
        .value;
    let failed = failure(bmc.open_console(ConsoleOptions::default()).await);
    assert_eq!(failed.kind(), ErrorKind::Busy, "{failed}");
    sessions(&sim, 2).await;
    let _second = bmc.open_console(STEAL).await.unwrap().value;
    let mut rest = Vec::new();
    let ended = timeout(PATIENCE, first.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "what was taken away goes on");
    drop(first);
    sessions(&sim, 2).await;
}
