//! A session without commands: kept alive while it is wanted, given up with one datagram when it is not.

use std::time::Duration;

use bmc_ipmi::command::{GetChassisStatus, GetDeviceId};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::NetFn;
use bmc_ipmi::{Client, Error};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::{builder, executed, ms, soon};

#[tokio::test(start_paused = true)]
async fn an_idle_session_is_kept() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let kept = builder(&bmc)
        .keep_alive(Client::KEEP_ALIVE)
        .connect(soon())
        .await
        .unwrap();
    let other = builder(&bmc).connect(soon()).await.unwrap();
    sleep(Duration::from_secs(150)).await;
    assert_eq!(
        bmc.active_sessions(),
        1,
        "the BMC has forgotten the other session"
    );
    // Every 25 s, within the 5 s in which sessions are looked after.
    let pulses = executed(&bmc, 0x01);
    assert!((5..=6).contains(&pulses), "{pulses}");
    kept.execute(&GetChassisStatus, soon()).await.unwrap();
    drop(other);

    // A session in use needs none.
    for _ in 0..30 {
        sleep(Duration::from_secs(5)).await;
        kept.execute(&GetChassisStatus, soon()).await.unwrap();
    }
    assert_eq!(executed(&bmc, 0x01), pulses);
    kept.set_keep_alive(None);
    sleep(Duration::from_secs(150)).await;
    assert_eq!(executed(&bmc, 0x01), pulses);
}

/// Nobody waits for a keep-alive's answer, but those behind it in the line.
#[tokio::test(start_paused = true)]
async fn a_lost_keep_alive_does_not_hold_up_the_line() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc)
        .keep_alive(ms(1000))
        .connect(soon())
        .await
        .unwrap();
    sleep(ms(4900)).await;
    bmc.faults(|faults| faults.drop_next_requests = 1);
    sleep(ms(200)).await;
    assert_eq!(bmc.faults(|faults| faults.drop_next_requests), 0, "a pulse");
    let begun = Instant::now();
    client
        .execute(&GetChassisStatus, begun + ms(2000))
        .await
        .unwrap();
    assert_eq!(executed(&bmc, 0x01), 1);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_the_bmc_but_not_for_ever() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc).connect(soon()).await.unwrap();
    bmc.faults(|faults| faults.drop_next_requests = 1);
    client.shut_down(soon()).await;
    assert_eq!(
        bmc.active_sessions(),
        0,
        "the farewell was lost and repeated"
    );
    let error = client.execute(&GetChassisStatus, soon()).await.unwrap_err();
    assert!(matches!(error, Error::Closed), "{error}");
    client.shut_down(soon()).await;

    let client = builder(&bmc).connect(soon()).await.unwrap();
    bmc.faults(|faults| faults.silent = true);
    let begun = Instant::now();
    client.shut_down(begun + ms(700)).await;
    assert!(
        (700..800).contains(&begun.elapsed().as_millis()),
        "{:?}",
        begun.elapsed()
    );
}

/// Whoever waits for an answer that a closed session will never bring is told so at once.
#[tokio::test]
async fn a_shutdown_ends_what_is_in_flight_and_in_line() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc).window(2).connect(soon()).await.unwrap();
    bmc.faults(|faults| faults.drop_replies_to = [((NetFn::CHASSIS, 0x01), 100)].into());
    let mut tasks = JoinSet::new();
    for _ in 0..3 {
        let client = client.clone();
        tasks.spawn(async move { client.execute(&GetChassisStatus, soon()).await });
    }
    tokio::task::yield_now().await;
    let device = client.execute(&GetDeviceId, Instant::now() + ms(20));
    assert!(device.await.is_err(), "the window is full");
    bmc.faults(|faults| faults.drop_replies_to.clear());
    client.set_window(3);
    client.shut_down(soon()).await;
    let all = async { while tasks.join_next().await.is_some() {} };
    timeout(Duration::from_secs(3), all).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_dropped_session_costs_one_datagram() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc)
        .keep_alive(Client::KEEP_ALIVE)
        .connect(soon())
        .await
        .unwrap();
    drop(client);
    sleep(Duration::from_secs(120)).await;
    assert_eq!((executed(&bmc, 0x3c), bmc.log().len()), (1, 1));
}
