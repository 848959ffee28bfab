//! Sessions that are shared, kept, lost and replaced: clients against simulated BMCs on loopback, in tokio's own time.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use bmc_core::{Credentials, Effect, Endpoint, PowerAction, PowerState, Provider};
use bmc_ipmi::command::{ChassisControl, GetChassisStatus, GetDeviceId};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::{Executed, Sim, SimHandle, SimQuirks};
use bmc_ipmi::wire::{CompletionCode, NetFn};
use bmc_ipmi::{Client, ClientBuilder, Error, IpmiProvider, Login, Transport};
use tokio::net::UdpSocket;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn builder(bmc: &SimHandle) -> ClientBuilder {
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623).unwrap();
    let login = Login::new(&Credentials::new("admin", "password")).unwrap();
    let login = login.cipher_suite(CipherSuite::SUITE_3);
    Client::builder(&Transport::new(), &endpoint, Arc::new(login))
}

/// How often the BMC has executed a command of the application network function.
fn executed(bmc: &SimHandle, command: u8) -> usize {
    let log = bmc.log();
    let like = |entry: &&Executed| (entry.netfn, entry.command) == (NetFn::APP, command);
    log.iter().filter(like).count()
}

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

#[tokio::test(start_paused = true)]
async fn a_kept_session_that_is_lost_is_noticed_by_itself() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc)
        .keep_alive(Client::KEEP_ALIVE)
        .connect(soon())
        .await
        .unwrap();
    assert!(client.is_alive());
    bmc.forget_sessions();
    sleep(Duration::from_secs(60)).await;
    assert!(!client.is_alive());
}

#[tokio::test(start_paused = true)]
async fn a_lost_session_is_replaced_once_for_all() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = builder(&bmc)
        .relogin(true)
        .window(4)
        .connect(soon())
        .await
        .unwrap();
    bmc.forget_sessions();
    let mut tasks = JoinSet::new();
    for _ in 0..10 {
        let client = client.clone();
        tasks.spawn(async move { client.execute(&GetChassisStatus, soon()).await });
    }
    let begun = Instant::now();
    while let Some(status) = tasks.join_next().await {
        assert!(status.unwrap().unwrap().is_on());
    }
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(bmc.active_sessions(), 1);
    assert!(client.is_alive());
}

/// What must not happen twice is sent once, in whichever session.
#[tokio::test(start_paused = true)]
async fn a_cycle_is_not_repeated_in_another_session() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = builder(&bmc).relogin(true).connect(soon()).await.unwrap();
    client
        .execute(&ChassisControl::POWER_UP, soon())
        .await
        .unwrap();
    bmc.faults(|faults| faults.drop_next_replies = 1);
    let cycle = ChassisControl::POWER_CYCLE;
    let error = client.execute(&cycle, soon()).await.unwrap_err();
    assert!(matches!(error, Error::NoReply { .. }), "{error}");
    assert_eq!((error.effect(), bmc.cycles()), (Effect::Unknown, 1));

    // The session is thought to be lost, so the next one is sent in a new session from the start.
    client.execute(&cycle, soon()).await.unwrap();
    assert_eq!(bmc.cycles(), 2);
}

/// The request for privilege was not answered: the cycle itself has certainly not been sent.
#[tokio::test(start_paused = true)]
async fn a_cycle_that_was_not_sent_is_sent_in_another_session() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = builder(&bmc).relogin(true).connect(soon()).await.unwrap();
    bmc.forget_sessions();
    client
        .execute(&ChassisControl::POWER_CYCLE, soon())
        .await
        .unwrap();
    assert_eq!(bmc.cycles(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_bmc_that_restarts_is_waited_for() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = builder(&bmc).relogin(true).connect(soon()).await.unwrap();
    bmc.forget_sessions();
    bmc.faults(|faults| faults.silent = true);
    let back = async {
        sleep(Duration::from_secs(8)).await;
        bmc.faults(|faults| faults.silent = false);
    };
    let (status, ()) = tokio::join!(client.execute(&GetChassisStatus, soon()), back);
    assert!(status.unwrap().is_on());
}

/// The error says what happened to the command, not only that there is no new session.
#[tokio::test(start_paused = true)]
async fn a_session_that_cannot_be_replaced_is_reported() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc).relogin(true).connect(soon()).await.unwrap();
    client
        .execute(&ChassisControl::POWER_UP, soon())
        .await
        .unwrap();
    bmc.forget_sessions();
    bmc.set_password("admin", "another");
    let deadline = Instant::now() + Duration::from_secs(10);
    let error = client
        .execute(&ChassisControl::POWER_DOWN, deadline)
        .await
        .unwrap_err();
    assert_eq!(error.effect(), Effect::Unknown, "{error}");
    let error = client
        .execute(&ChassisControl::POWER_DOWN, soon())
        .await
        .unwrap_err();
    assert!(
        matches!(error, Error::WrongPassword),
        "nothing was sent: {error}"
    );
    client.close().await;
    let error = client.execute(&GetChassisStatus, soon()).await.unwrap_err();
    assert!(matches!(error, Error::Closed), "{error}");
}

/// A BMC may lock an account after a few refusals.
#[tokio::test(start_paused = true)]
async fn a_refused_login_answers_all_and_is_not_tried_again() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let again = || builder(&bmc).relogin(true).window(4).keep_alive(ms(1000));
    let client = again().connect(soon()).await.unwrap();
    bmc.forget_sessions();
    bmc.set_password("admin", "another");
    let mut tasks = JoinSet::new();
    for _ in 0..10 {
        let client = client.clone();
        tasks.spawn(async move { client.execute(&GetChassisStatus, soon()).await });
    }
    let refused = |error: Error| assert!(matches!(error, Error::WrongPassword), "{error}");
    let mut unanswered = 0;
    while let Some(status) = tasks.join_next().await {
        match status.unwrap().unwrap_err() {
            // Sent in the lost session: the BMC may have executed it.
            Error::NoReply { .. } => unanswered += 1,
            error => refused(error),
        }
    }
    assert!(unanswered <= 4, "{unanswered}, more than the window");
    assert_eq!(bmc.logins(), 2, "the first one, and one refusal");

    // Nor by a keep-alive, or by whoever comes later.
    sleep(Duration::from_secs(30)).await;
    refused(client.execute(&GetChassisStatus, soon()).await.unwrap_err());
    assert_eq!(bmc.logins(), 2);
    refused(again().connect(soon()).await.unwrap_err());
    assert_eq!(bmc.logins(), 3, "a new client tries again");
}

/// A BMC that has no session to spare has not refused the user.
#[tokio::test(start_paused = true)]
async fn a_full_bmc_is_asked_again() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc).relogin(true).connect(soon()).await.unwrap();
    bmc.forget_sessions();
    bmc.faults(|faults| faults.full = true);
    assert!(client.execute(&GetChassisStatus, soon()).await.is_err());
    bmc.faults(|faults| faults.full = false);
    client.execute(&GetChassisStatus, soon()).await.unwrap();
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

/// Another command finds that the session is lost, and closes it while the cycle is in flight.
#[tokio::test(start_paused = true)]
async fn a_cycle_in_flight_is_not_repeated_when_another_command_replaces_the_session() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = builder(&bmc)
        .relogin(true)
        .window(2)
        .connect(soon())
        .await
        .unwrap();
    client
        .execute(&ChassisControl::POWER_UP, soon())
        .await
        .unwrap();
    bmc.faults(|faults| {
        faults.drop_replies_to = [((NetFn::CHASSIS, 0x02), 1), ((NetFn::CHASSIS, 0x01), 5)].into();
    });
    let (cycle, status) = tokio::join!(
        client.execute(&ChassisControl::POWER_CYCLE, soon()),
        client.execute(&GetChassisStatus, soon()),
    );
    assert!(status.is_ok(), "{status:?}");
    assert_eq!(bmc.cycles(), 1);
    let error = cycle.unwrap_err();
    assert_eq!(error.effect(), Effect::Unknown, "{error}");
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

/// A BMC that lets the client in and then denies that it knows the session.
#[tokio::test(start_paused = true)]
async fn a_bmc_that_denies_every_session_is_not_logged_into_for_ever() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = builder(&bmc).relogin(true).connect(soon()).await.unwrap();
    bmc.faults(|faults| {
        faults.delay = ms(1);
        faults.completion_code(NetFn::APP, 0x3b, CompletionCode(0x87));
    });
    let error = client
        .execute(&ChassisControl::POWER_CYCLE, soon())
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Completion { .. }), "{error}");
    assert!(executed(&bmc, 0x3b) <= 4, "{}", executed(&bmc, 0x3b));
}
