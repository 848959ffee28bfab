//! A session that the BMC has lost: replaced once, and nothing that must not happen twice is sent twice.

use std::time::Duration;

use bmc_core::Effect;
use bmc_ipmi::command::{ChassisControl, GetChassisStatus};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{CompletionCode, NetFn};
use bmc_ipmi::{Client, Error};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::{builder, executed, ms, soon};

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
