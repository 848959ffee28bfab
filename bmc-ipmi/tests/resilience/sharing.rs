//! One session shared by many: commands overlap, and none gets the answer of another.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use bmc_core::{Credentials, Endpoint, PowerAction, PowerState, Provider};
use bmc_ipmi::IpmiProvider;
use bmc_ipmi::command::{ChassisControl, GetChassisStatus, GetDeviceId};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{Sim, SimQuirks};
use tokio::net::UdpSocket;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::{builder, ms, soon};

/// The clock stands still unless all wait, so that times are exact.
#[tokio::test(start_paused = true)]
async fn clones_overlap_within_the_window() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = builder(&bmc).connect(soon()).await.unwrap();
    bmc.faults(|faults| faults.delay = ms(10));
    for (window, expected) in [(1, 240), (8, 30), (6, 40)] {
        client.set_window(window);
        let begun = Instant::now();
        let mut tasks = JoinSet::new();
        for _ in 0..24 {
            let client = client.clone();
            tasks.spawn(async move { client.execute(&GetChassisStatus, soon()).await });
        }
        while let Some(status) = tasks.join_next().await {
            assert!(status.unwrap().unwrap().is_on());
        }
        let took = begun.elapsed();
        assert!(
            took >= ms(expected) && took < ms(expected * 2),
            "{took:?}, window {window}"
        );
    }
    assert!(!client.known().single_buffer);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_shared_by_threads_mixes_nothing_up() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    bmc.faults(|faults| {
        faults.duplicate = true;
        faults.reorder = ms(2);
    });
    let client = builder(&bmc).window(8).connect(soon()).await.unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..20 {
        let client = client.clone();
        tasks.spawn(async move {
            for _ in 0..30 {
                if number % 2 == 0 {
                    assert!(
                        client
                            .execute(&GetChassisStatus, soon())
                            .await
                            .unwrap()
                            .is_on()
                    );
                } else {
                    let device = client.execute(&GetDeviceId, soon()).await.unwrap();
                    assert_eq!(device.ipmi(), (2, 0));
                }
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_command_gives_its_place_to_the_next() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc).window(2).connect(soon()).await.unwrap();
    bmc.faults(|faults| faults.delay = ms(100));
    let begun = Instant::now();
    let mut tasks = JoinSet::new();
    for number in 0..8 {
        let client = client.clone();
        tasks.spawn(async move {
            let execute = client.execute(&GetChassisStatus, soon());
            let patience = ms(if number < 4 { 10 } else { 1000 });
            timeout(patience, execute).await.is_ok()
        });
        tokio::task::yield_now().await;
    }
    let ended = tasks.join_all().await;
    assert_eq!(ended.iter().filter(|ended| **ended).count(), 4);
    // The first four are dropped after 10 ms; the other four then take two rounds.
    assert!(begun.elapsed() < ms(250), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_first_command_overlaps_the_login() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    bmc.faults(|faults| faults.delay = ms(10));
    let begun = Instant::now();
    let (client, status) = builder(&bmc)
        .connect_with(&GetChassisStatus, soon())
        .await
        .unwrap();
    assert!(status.unwrap().is_on());
    let took = begun.elapsed();
    assert!(
        took >= ms(30) && took < ms(40),
        "three round trips, not {took:?}"
    );

    let begun = Instant::now();
    let (_, done) = builder(&bmc)
        .connect_with(&ChassisControl::POWER_DOWN, soon())
        .await
        .unwrap();
    done.unwrap();
    let took = begun.elapsed();
    assert!(
        took >= ms(40) && took < ms(50),
        "four round trips, not {took:?}"
    );
    assert!(!client.known().single_buffer);
    assert!(!bmc.power());
}

#[tokio::test(start_paused = true)]
async fn a_providers_first_look_costs_nothing_more() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.faults(|faults| faults.delay = ms(10));
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623).unwrap();
    let provider = IpmiProvider::builder(endpoint, Credentials::new("admin", "password"))
        .cipher_suite(CipherSuite::SUITE_3)
        .eager_login(true)
        .build()
        .unwrap();
    let begun = Instant::now();
    let session = provider.open(soon()).await.unwrap();
    let power = session.power().unwrap();
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
    let took = begun.elapsed();
    assert!(
        took >= ms(30) && took < ms(40),
        "three round trips, not {took:?}"
    );
    // The next look is one of its own.
    bmc.set_power(true);
    assert_eq!(power.power_state().await.unwrap(), PowerState::On);

    let session = provider.open(soon()).await.unwrap();
    let power = session.power().unwrap();
    power.set_power(PowerAction::Off).await.unwrap();
    assert_eq!(power.power_state().await.unwrap(), PowerState::Off);
}

#[tokio::test(start_paused = true)]
async fn what_a_bmc_does_not_bear_is_remembered() {
    let quirks = SimQuirks {
        has_single_buffer: true,
        ..SimQuirks::default()
    };
    let bmc = Sim::builder().quirks(quirks).spawn().await.unwrap();
    bmc.faults(|faults| faults.delay = ms(10));
    let connect = |known: Known| {
        let builder = builder(&bmc).known(known).window(4);
        async move {
            let begun = Instant::now();
            let (client, status) = builder
                .connect_with(&GetChassisStatus, soon())
                .await
                .unwrap();
            status.unwrap();
            (client, begun.elapsed())
        }
    };
    let (client, slow) = connect(Known::default()).await;
    assert!(client.known().single_buffer);
    let (client, took) = connect(client.known()).await;
    assert!(took < slow && took < ms(50), "{took:?} after {slow:?}");
    // Nor is the window used.
    let begun = Instant::now();
    let both = tokio::join!(
        client.execute(&GetDeviceId, soon()),
        client.execute(&GetChassisStatus, soon())
    );
    assert!(both.0.is_ok() && both.1.is_ok());
    assert!(begun.elapsed() < ms(30), "{:?}", begun.elapsed());
}

/// Anybody can send to the client's port: noise, greetings, and datagrams that name its session.
#[tokio::test]
async fn strays_disturb_nobody() {
    for address in [
        IpAddr::from(Ipv4Addr::LOCALHOST),
        Ipv6Addr::LOCALHOST.into(),
    ] {
        let bmc = Sim::builder()
            .power(true)
            .address((address, 0))
            .spawn()
            .await
            .unwrap();
        let client = builder(&bmc).window(4).connect(soon()).await.unwrap();
        client.execute(&GetDeviceId, soon()).await.unwrap();
        let console = bmc.log()[0].peer;
        let stray = UdpSocket::bind((address, 0)).await.unwrap();
        let mut sent = 0;
        while sent < 2000 {
            for (first, length) in [(0x06, 16), (0x06, 64), (0x00, 3), (0xff, 0), (0x06, 1400)] {
                let mut datagram = vec![0xff; length];
                datagram.iter_mut().take(1).for_each(|byte| *byte = first);
                // RMCP+ with both protection bits, for any session.
                datagram
                    .iter_mut()
                    .skip(4)
                    .take(2)
                    .for_each(|byte| *byte &= 0xc6);
                let _ = stray.send_to(&datagram, console).await;
                sent += 1;
            }
            let status = client.execute(&GetChassisStatus, soon()).await;
            assert!(status.unwrap().is_on());
        }
        assert!(client.is_alive());
    }
}
