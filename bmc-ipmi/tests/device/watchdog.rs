//! The watchdog, and what it does to the host.

use std::time::Duration;

use bmc_ipmi::command::{
    BootFlagDevice, BootFlags, BootOption, KeepBootFlags, PretimeoutInterrupt, ResetWatchdogTimer,
    RestartCause, SetSystemBootOptions, SetWatchdogTimer, TimeoutAction, TimerUse,
};
use bmc_ipmi::device::{Watchdog, WatchdogSettings};
use bmc_ipmi::sim::Sim;
use tokio::time::Instant;

use crate::setup::{connect, deadline};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn it_counts_only_once_it_is_started() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let watchdog = Watchdog::new(&connect(&bmc).await);
    let error = watchdog.reset(deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(ResetWatchdogTimer::UNINITIALIZED));

    let settings =
        WatchdogSettings::new(MINUTE, TimeoutAction::POWER_CYCLE).timer_use(TimerUse::OS_LOAD);
    watchdog.start(&settings, deadline()).await.unwrap();
    let timer = watchdog.read(deadline()).await.unwrap();
    assert_eq!((timer.timer_use, timer.countdown), (TimerUse::OS_LOAD, 600));
    let left = timer.time_left().unwrap();
    assert!(left > MINUTE / 2 && left <= MINUTE, "{left:?}");

    watchdog.stop(deadline()).await.unwrap();
    let timer = watchdog.read(deadline()).await.unwrap();
    assert_eq!((timer.time_left(), timer.countdown), (None, 600));
}

#[tokio::test]
async fn it_acts_upon_the_host() {
    for (action, changes, cause) in [
        (TimeoutAction::NONE, &[true][..], RestartCause::UNKNOWN),
        (TimeoutAction::HARD_RESET, &[true], RestartCause::WATCHDOG),
        (
            TimeoutAction::POWER_DOWN,
            &[true, false],
            RestartCause::UNKNOWN,
        ),
        (
            TimeoutAction::POWER_CYCLE,
            &[true, false, true],
            RestartCause::WATCHDOG,
        ),
    ] {
        let bmc = Sim::builder().power(true).spawn().await.unwrap();
        let watchdog = Watchdog::new(&connect(&bmc).await);
        let settings = WatchdogSettings::new(Duration::from_millis(200), action)
            .warning(PretimeoutInterrupt::NMI, Duration::ZERO);
        watchdog.start(&settings, deadline()).await.unwrap();
        let end = Instant::now() + Duration::from_secs(10);
        let timer = loop {
            let timer = watchdog.read(deadline()).await.unwrap();
            if !timer.is_running {
                break timer;
            }
            assert!(Instant::now() < end, "it never expires");
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        assert!(timer.expired.contains(TimerUse::SMS_OS));
        let seen: Vec<_> = bmc.power_changes().iter().map(|change| change.on).collect();
        assert_eq!(seen, changes, "{action}");
        let (found, expirations, nmis) =
            bmc.machine(|m| (m.restart_cause(), m.watchdog_expirations(), m.nmis()));
        assert_eq!((found, expirations, nmis), (cause, 1, 1), "{action}");
        // Who starts it again has seen that it expired.
        let settings = WatchdogSettings::new(MINUTE, action);
        watchdog.start(&settings, deadline()).await.unwrap();
        let timer = watchdog.read(deadline()).await.unwrap();
        assert!(!timer.expired.contains(TimerUse::SMS_OS), "{action}");
    }
}

#[tokio::test]
async fn it_can_be_set_without_being_stopped() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = connect(&bmc).await;
    let watchdog = Watchdog::new(&client);
    let settings = WatchdogSettings::new(MINUTE, TimeoutAction::NONE);
    watchdog.start(&settings, deadline()).await.unwrap();
    for keep_running in [true, false] {
        let set = SetWatchdogTimer {
            timer_use: TimerUse::SMS_OS,
            keep_running,
            countdown: 900,
            ..SetWatchdogTimer::default()
        };
        client.execute(&set, deadline()).await.unwrap();
        let timer = watchdog.read(deadline()).await.unwrap();
        assert_eq!((timer.is_running, timer.countdown), (keep_running, 900));
    }
}

/// §28.13, parameter 3: boot flags do not outlive a watchdog unless they are told to.
#[tokio::test]
async fn it_clears_the_boot_flags() {
    for on_watchdog in [false, true] {
        let bmc = Sim::builder().power(true).spawn().await.unwrap();
        let client = connect(&bmc).await;
        for option in [
            BootOption::ValidBitClearing(KeepBootFlags {
                on_watchdog,
                ..KeepBootFlags::default()
            }),
            BootOption::Flags(BootFlags {
                valid: true,
                device: BootFlagDevice::PXE,
                ..BootFlags::default()
            }),
        ] {
            let set = SetSystemBootOptions::new(option);
            client.execute(&set, deadline()).await.unwrap();
        }
        let settings = WatchdogSettings::new(Duration::from_millis(100), TimeoutAction::NONE);
        let watchdog = Watchdog::new(&client);
        watchdog.start(&settings, deadline()).await.unwrap();
        let end = Instant::now() + Duration::from_secs(10);
        while watchdog.read(deadline()).await.unwrap().is_running {
            assert!(Instant::now() < end, "it never expires");
        }
        assert_eq!(bmc.boot_flags().valid, on_watchdog);
    }
}
