//! The life of a handle: queue, lanes, vanished callers, idle and lost sessions, closing.

#![allow(clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::testing::memory::{Fault, MemoryBmc, MemoryProvider, Step};
use bmc_core::{
    Bmc, Effect, Error, ErrorKind, GetPowerState, Lane, PowerAction, PowerControl, PowerState,
    Provider, Session, SetPower,
};
use tokio::time::{Instant, sleep, timeout};

const SECOND: Duration = Duration::from_secs(1);

fn single() -> (MemoryBmc, MemoryProvider, Bmc) {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory");
    let bmc = Bmc::builder().provider(provider.clone()).build();
    (machine, provider, bmc)
}

#[tokio::test(start_paused = true)]
async fn one_session_serves_all_clones() {
    let (machine, _, bmc) = single();
    let clone = bmc.clone().on_lane(Lane::Poll);
    let (first, second) = tokio::join!(bmc.power_state(), clone.power_state());
    assert_eq!(first.unwrap().value, PowerState::Off);
    assert_eq!(second.unwrap().value, PowerState::Off);
    assert_eq!(machine.counters().logins, 1);
    assert_eq!(machine.counters().overlaps, 0);
}

#[tokio::test(start_paused = true)]
async fn actions_overtake_polls() {
    let (_, provider, bmc) = single();
    provider.always(Step::Request, Fault::Delay(SECOND));
    let poll = bmc.on_lane(Lane::Poll);
    let polls = async {
        let _ = tokio::join!(poll.power_state(), poll.power_state(), poll.power_state());
    };
    let action = async {
        sleep(SECOND / 2).await;
        bmc.set_power(PowerAction::On).await.unwrap();
    };
    tokio::join!(polls, action);
    let order: Vec<_> = bmc
        .history()
        .iter()
        .map(|exchange| exchange.operation)
        .collect();
    assert_eq!(
        order,
        ["power status", "power on", "power status", "power status"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_begun_action_is_finished_without_its_caller() {
    let (machine, provider, bmc) = single();
    provider.fault(Step::Request, Fault::Delay(3 * SECOND));
    let gave_up = timeout(SECOND, bmc.set_power(PowerAction::Cycle)).await;
    assert!(gave_up.is_err());
    assert_eq!(machine.counters().cycle, 0);
    bmc.power_state().await.unwrap();
    assert_eq!(machine.counters().cycle, 1);
    assert_eq!(machine.counters().logins, 1);
}

#[tokio::test(start_paused = true)]
async fn a_queued_action_without_its_caller_is_skipped() {
    let (machine, provider, bmc) = single();
    provider.fault(Step::Request, Fault::Delay(3 * SECOND));
    let queued = async { timeout(SECOND, bmc.set_power(PowerAction::Cycle)).await };
    let (first, queued) = tokio::join!(bmc.power_state(), queued);
    first.unwrap();
    assert!(queued.is_err());
    bmc.power_state().await.unwrap();
    assert_eq!(machine.counters().cycle, 0);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_in_the_queue_is_kept() {
    let (machine, provider, bmc) = single();
    provider.fault(Step::Request, Fault::Delay(10 * SECOND));
    let late = async {
        let began = Instant::now();
        let failed = bmc
            .run_until(SetPower(PowerAction::Cycle), began + SECOND)
            .await
            .unwrap_err();
        assert!(began.elapsed() <= SECOND + Duration::from_millis(1));
        failed
    };
    let (first, failed) = tokio::join!(bmc.power_state(), late);
    first.unwrap();
    assert_eq!(
        (failed.kind(), failed.effect),
        (ErrorKind::Timeout, Effect::None)
    );
    assert_eq!(failed.report.attempts.len(), 1);
    bmc.power_state().await.unwrap();
    assert_eq!(machine.counters().cycle, 0);
    assert_eq!(bmc.history().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_operation_whose_deadline_is_past_is_not_begun() {
    let (machine, _, bmc) = single();
    let failed = bmc
        .run_until(GetPowerState, Instant::now())
        .await
        .unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::Timeout);
    assert_eq!(machine.counters().logins, 0);
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_is_closed_and_opened_again() {
    let (machine, _, bmc) = single();
    bmc.power_state().await.unwrap();
    sleep(29 * SECOND).await;
    assert_eq!(machine.counters().open_sessions, 1);
    bmc.power_state().await.unwrap();
    sleep(29 * SECOND).await;
    assert_eq!(machine.counters().open_sessions, 1);
    sleep(2 * SECOND).await;
    assert_eq!(machine.counters().open_sessions, 0);
    bmc.power_state().await.unwrap();
    assert_eq!(machine.counters().logins, 2);
}

#[tokio::test(start_paused = true)]
async fn close_logs_out_and_forbids() {
    let (machine, provider, bmc) = single();
    provider.fault(Step::Request, Fault::Delay(3 * SECOND));
    let queued = async {
        sleep(SECOND / 2).await;
        bmc.set_power(PowerAction::Cycle).await.unwrap_err()
    };
    let closing = async {
        sleep(SECOND).await;
        tokio::join!(bmc.close(), bmc.close());
        assert_eq!(machine.counters().open_sessions, 0);
    };
    let (running, queued, ()) = tokio::join!(bmc.power_state(), queued, closing);
    running.unwrap();
    assert_eq!(
        (queued.kind(), queued.effect),
        (ErrorKind::Closed, Effect::None)
    );
    let later = bmc.clone().power_state().await.unwrap_err();
    assert_eq!(later.kind(), ErrorKind::Closed);
    bmc.close().await;
    assert_eq!(machine.counters().cycle, 0);
    assert_eq!(machine.counters().logins, 1);
}

#[tokio::test(start_paused = true)]
async fn an_unused_handle_closes_too() {
    let (machine, _, bmc) = single();
    bmc.close().await;
    assert_eq!(
        bmc.power_state().await.unwrap_err().kind(),
        ErrorKind::Closed
    );
    assert_eq!(machine.counters().logins, 0);
}

#[tokio::test(start_paused = true)]
async fn the_last_handle_logs_out() {
    let (machine, _, bmc) = single();
    let clone = bmc.clone();
    bmc.power_state().await.unwrap();
    drop(bmc);
    sleep(SECOND).await;
    assert_eq!(machine.counters().open_sessions, 1);
    drop(clone);
    sleep(SECOND).await;
    assert_eq!(machine.counters().open_sessions, 0);
}

#[tokio::test(start_paused = true)]
async fn the_history_is_bounded_and_tells_who_and_why() {
    let (_, provider, bmc) = single();
    for _ in 0..40 {
        bmc.on_lane(Lane::Poll).power_state().await.unwrap();
    }
    provider.fault(Step::Request, Fault::Busy);
    sleep(SECOND).await;
    bmc.set_power(PowerAction::Off).await.unwrap_err();
    let history = bmc.history();
    assert_eq!(history.len(), 32);
    let (first, last) = (history[0], history[31]);
    assert_eq!((first.operation, first.lane), ("power status", Lane::Poll));
    assert_eq!((first.provider, first.error), (Some("memory"), None));
    assert_eq!((last.operation, last.lane), ("power off", Lane::Action));
    assert_eq!(
        (last.provider, last.error),
        (Some("memory"), Some(ErrorKind::Busy))
    );
    assert_eq!(last.when - first.when, SECOND);
}

/// A provider whose sessions panic on power actions and never finish to log out.
#[derive(Debug, Default)]
struct Rude {
    closes: Arc<AtomicUsize>,
}

#[async_trait]
impl Provider for Rude {
    fn name(&self) -> &'static str {
        "rude"
    }

    async fn open(&self, _: Instant) -> Result<Arc<dyn Session>, Error> {
        let closes = Arc::clone(&self.closes);
        Ok(Arc::new(Self { closes }))
    }
}

#[async_trait]
impl Session for Rude {
    fn power(&self) -> Option<&dyn PowerControl> {
        Some(self)
    }

    async fn close(&self) {
        self.closes.fetch_add(1, Ordering::Relaxed);
        std::future::pending::<()>().await;
    }
}

#[async_trait]
impl PowerControl for Rude {
    async fn power_state(&self) -> Result<PowerState, Error> {
        Ok(PowerState::On)
    }

    async fn set_power(&self, _: PowerAction) -> Result<(), Error> {
        panic!("a bug in a provider")
    }
}

#[tokio::test(start_paused = true)]
async fn a_logout_that_hangs_holds_up_nobody_for_long() {
    let rude = Rude::default();
    let closes = Arc::clone(&rude.closes);
    let bmc = Bmc::builder().provider(rude).idle_timeout(SECOND).build();
    bmc.power_state().await.unwrap();
    sleep(2 * SECOND).await;
    assert_eq!(closes.load(Ordering::Relaxed), 1);
    let began = Instant::now();
    bmc.power_state().await.unwrap();
    assert_eq!(began.elapsed(), Duration::ZERO);
    bmc.close().await;
    assert!(began.elapsed() <= 6 * SECOND);
    assert_eq!(closes.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_panicking_provider_ends_its_operation_only() {
    let bmc = Bmc::builder().provider(Rude::default()).build();
    let failed = bmc.set_power(PowerAction::Cycle).await.unwrap_err();
    assert_eq!(
        (failed.kind(), failed.effect),
        (ErrorKind::Closed, Effect::Unknown)
    );
    assert_eq!(bmc.power_state().await.unwrap().value, PowerState::On);
}

#[test]
fn a_handle_outlives_its_runtime() {
    let (machine, _, bmc) = single();
    for _ in 0..2 {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(bmc.power_state()).unwrap();
    }
    assert_eq!(machine.counters().logins, 2);
}
