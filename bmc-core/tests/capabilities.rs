//! Events, sensors, inventory, users, console, identify light and the BMC's own reset, through the handle.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::Duration;

use bmc_core::testing::memory::{Fault, MemoryBmc, MemoryProvider, Step};
use bmc_core::{
    Bmc, BmcReset, ConsoleOptions, Effect, ErrorKind, Event, EventMarker, IdentifyAction,
    IdentifyLight, Secret, UserRole, UserSettings,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

fn bmc(provider: &MemoryProvider) -> Bmc {
    Bmc::builder().provider(provider.clone()).build()
}

fn event(text: &str) -> Event {
    Event {
        id: text.into(),
        text: text.into(),
        ..Event::default()
    }
}

#[tokio::test(start_paused = true)]
async fn a_watcher_sees_every_event_once_and_notices_a_clearing() {
    let machine = MemoryBmc::new();
    let bmc = bmc(&machine.provider("memory"));
    machine.log_event(event("a"));
    machine.log_event(event("b"));
    let page = bmc.events(None, 1).await.unwrap().value;
    assert!(page.events == [event("a")] && page.more && !page.restarted);
    let page = bmc.events(Some(page.marker), 10).await.unwrap().value;
    assert!(page.events == [event("b")] && !page.more);
    let page = bmc.events(Some(page.marker), 10).await.unwrap().value;
    assert!(page.events.is_empty() && !page.more);

    // Kept as text, as a program that restarts would.
    let kept = page.marker.to_string();
    bmc.clear_events().await.unwrap();
    machine.log_event(event("c"));
    let page = bmc
        .events(Some(EventMarker::new(kept)), 10)
        .await
        .unwrap()
        .value;
    assert!(page.events == [event("c")] && page.restarted);
}

#[tokio::test(start_paused = true)]
async fn a_clearing_without_an_answer_is_not_repeated() {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory");
    provider.fault(Step::Request, Fault::ReplyLost);
    let failed = bmc(&provider).clear_events().await.unwrap_err();
    assert_eq!(failed.effect, Effect::Unknown);
    assert_eq!(machine.counters().event_clears, 1);
}

#[tokio::test(start_paused = true)]
async fn a_foreign_marker_is_refused() {
    let bmc = bmc(&MemoryBmc::new().provider("memory"));
    let failed = bmc
        .events(Some(EventMarker::new("x")), 1)
        .await
        .unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::InvalidInput);
}

/// Twice as long as an attempt, and well within the limit of a sweep.
#[tokio::test(start_paused = true)]
async fn a_reading_of_all_sensors_may_take_longer_than_a_power_status() {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory");
    let bmc = bmc(&provider);
    let slow = Fault::Delay(Duration::from_secs(40));
    provider.fault(Step::Request, slow);
    assert_eq!(bmc.sensors().await.unwrap().value.len(), 1);
    provider.fault(Step::Request, slow);
    assert_eq!(
        bmc.power_state().await.unwrap_err().kind(),
        ErrorKind::Timeout
    );
}

#[tokio::test(start_paused = true)]
async fn a_sweep_ends_too_and_a_silent_login_costs_no_more_than_elsewhere() {
    let silent = MemoryBmc::new().provider("silent");
    silent.always(Step::Login, Fault::Hang);
    let hanging = MemoryBmc::new().provider("hanging");
    hanging.always(Step::Request, Fault::Hang);
    let bmc = Bmc::builder()
        .provider(silent)
        .provider(hanging)
        .attempt_timeout(Duration::from_secs(10))
        .sweep_timeout(Duration::from_secs(70))
        .build();
    let began = Instant::now();
    let failed = bmc.inventory().await.unwrap_err();
    assert_eq!(began.elapsed(), Duration::from_secs(80));
    let waits: Vec<_> = failed
        .report
        .failures()
        .map(|(attempt, _)| attempt.elapsed.as_secs())
        .collect();
    assert_eq!(waits, [10, 70]);
}

#[tokio::test(start_paused = true)]
async fn a_user_is_created_once_although_the_answer_is_lost() {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory");
    let bmc = bmc(&provider);
    bmc.users().await.unwrap();
    provider.fault(Step::Request, Fault::ReplyLost);
    let wanted = UserSettings {
        name: Some("eve".into()),
        password: Some(Secret::from("s3cret")),
        role: Some(UserRole::Operator),
        ..UserSettings::default()
    };
    assert!(!format!("{wanted:?}").contains("s3cret"));
    let eve = bmc.set_user(wanted).await.unwrap().value;
    assert_eq!(
        (eve.name.as_str(), eve.role, eve.enabled),
        ("eve", Some(UserRole::Operator), Some(false))
    );
    assert_eq!(machine.users().len(), 2);

    // Enabled at the first time, whose answer is lost: one look tells, and nothing is sent again.
    let sets = machine.counters().user_sets;
    provider.fault(Step::Request, Fault::ReplyLost);
    bmc.set_user_enabled(&eve.id, true).await.unwrap();
    assert_eq!(machine.users()[1].enabled, Some(true));
    assert_eq!(machine.counters().user_sets, sets + 1);

    bmc.delete_user(&eve.id).await.unwrap();
    bmc.delete_user(&eve.id).await.unwrap();
    assert_eq!(machine.users().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_user_that_does_not_exist_is_not_changed() {
    let bmc = bmc(&MemoryBmc::new().provider("memory"));
    let wanted = UserSettings {
        id: Some("9".into()),
        ..UserSettings::default()
    };
    assert_eq!(
        bmc.set_user(wanted).await.unwrap_err().kind(),
        ErrorKind::NotFound
    );
    let wanted = UserSettings {
        name: Some("eve".into()),
        ..UserSettings::default()
    };
    assert_eq!(
        bmc.set_user(wanted).await.unwrap_err().kind(),
        ErrorKind::InvalidInput
    );
    assert_eq!(
        bmc.set_user_enabled("9", true).await.unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[tokio::test(start_paused = true)]
async fn a_console_outlives_the_handle_and_can_be_taken_away() {
    let machine = MemoryBmc::new();
    let bmc = bmc(&machine.provider("memory"));
    let mut console = bmc
        .open_console(ConsoleOptions::default())
        .await
        .unwrap()
        .value;
    let refused = bmc
        .open_console(ConsoleOptions::default())
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Busy);
    bmc.close().await;

    console.write_all(b"hello").await.unwrap();
    let mut echo = [0; 5];
    console.read_exact(&mut echo).await.unwrap();
    assert_eq!(&echo, b"hello");
    console.send_break().await.unwrap();
    assert_eq!(machine.counters().breaks, 1);

    let other = Bmc::builder().provider(machine.provider("other")).build();
    let steal = ConsoleOptions { steal: true };
    let _thief = other.open_console(steal).await.unwrap().value;
    assert_eq!(
        console.read(&mut echo).await.unwrap(),
        0,
        "the end of what is taken away"
    );
    assert!(console.write_all(b"x").await.is_err());
    assert!(console.send_break().await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_to_identify_is_looked_up() {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory");
    let bmc = bmc(&provider);
    bmc.identify_light().await.unwrap();
    provider.fault(Step::Request, Fault::ReplyLost);
    bmc.set_identify(IdentifyAction::For(Duration::from_secs(9)))
        .await
        .unwrap();
    assert_eq!(machine.identify_light(), IdentifyLight::Timed);
    assert_eq!(machine.counters().identify_sets, 1);
}

#[tokio::test(start_paused = true)]
async fn a_reset_of_the_bmc_is_sent_once_and_the_next_operation_logs_in_again() {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory");
    let bmc = bmc(&provider);
    provider.fault(Step::Request, Fault::ReplyLost);
    bmc.reset_bmc(BmcReset::Cold).await.unwrap_err();
    assert_eq!(machine.counters().bmc_resets, 1);
    bmc.reset_bmc(BmcReset::Warm).await.unwrap();
    bmc.power_state().await.unwrap();
    assert_eq!(
        (machine.counters().bmc_resets, machine.counters().logins),
        (2, 3)
    );
}
