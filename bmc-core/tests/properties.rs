//! What holds for every script of faults: checked in virtual time over random ones.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::testing::memory::{Capability, Counters, Fault, MemoryBmc, MemoryProvider, Step};
use bmc_core::{
    Bmc, BootDevice, BootOverride, Effect, Error, Exhausted, GetPowerState, Lane, Operation,
    Outcome, PowerAction, Repeat, Report, SendNmi, Session, SetBootOverride, SetPower, Stage,
};
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::time::{Instant, sleep, timeout};

/// tokio's timers have the resolution of a millisecond and may fire one late.
const TICK: Duration = Duration::from_millis(2);

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

#[derive(Clone, Copy, Debug)]
enum Act {
    Status,
    Power(PowerAction),
    Nmi,
    Boot(BootDevice),
}

#[derive(Clone, Debug)]
struct Way {
    logins: Vec<Fault>,
    requests: Vec<Fault>,
    lacks: Option<Capability>,
}

#[derive(Clone, Copy, Debug)]
struct Call {
    act: Act,
    allowed: Duration,
    pause: Duration,
    bmc_restarts: bool,
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        6 => Just(Fault::Pass),
        1 => Just(Fault::Refuse),
        1 => Just(Fault::Unreachable),
        1 => Just(Fault::Hang),
        1 => (1u64..30_000).prop_map(|ms| Fault::Delay(Duration::from_millis(ms))),
        1 => Just(Fault::Busy),
        1 => Just(Fault::RequestLost),
        2 => Just(Fault::ReplyLost),
        1 => Just(Fault::HangAfter),
        1 => Just(Fault::LoseSession),
    ]
}

fn way() -> impl Strategy<Value = Way> {
    let lacks = prop_oneof![
        4 => Just(None),
        1 => Just(Some(Capability::Power)),
        1 => Just(Some(Capability::Boot)),
    ];
    (vec(fault(), 0..6), vec(fault(), 0..12), lacks).prop_map(|(logins, requests, lacks)| Way {
        logins,
        requests,
        lacks,
    })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        Just(Act::Status),
        proptest::sample::select(PowerAction::ALL).prop_map(Act::Power),
        Just(Act::Nmi),
        proptest::sample::select(BootDevice::ALL).prop_map(Act::Boot),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    (
        act(),
        1u64..90_000,
        0u64..45_000,
        proptest::bool::weighted(0.1),
    )
        .prop_map(|(act, allowed, pause, bmc_restarts)| Call {
            act,
            allowed: Duration::from_millis(allowed),
            pause: Duration::from_millis(pause),
            bmc_restarts,
        })
}

fn machine(ways: &[Way]) -> (MemoryBmc, Vec<MemoryProvider>, Bmc) {
    let machine = MemoryBmc::new();
    let mut builder = Bmc::builder();
    let mut providers = Vec::new();
    for (way, name) in ways.iter().zip(NAMES) {
        let mut provider = machine.provider(name);
        if let Some(lack) = way.lacks {
            provider = provider.without(lack);
        }
        way.logins
            .iter()
            .for_each(|fault| provider.fault(Step::Login, *fault));
        way.requests
            .iter()
            .for_each(|fault| provider.fault(Step::Request, *fault));
        builder = builder.provider(provider.clone());
        providers.push(provider);
    }
    (machine, providers, builder.build())
}

/// Runs it on a clock that jumps.
fn virtually<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

/// The report, and the effect if it failed.
type Told = (Report, Option<Effect>);

async fn tell<T>(done: impl Future<Output = Result<Outcome<T>, Exhausted>>) -> Told {
    match done.await {
        Ok(outcome) => (outcome.report, None),
        Err(exhausted) => (exhausted.report, Some(exhausted.effect)),
    }
}

async fn carry_out(bmc: &Bmc, act: Act, deadline: Instant) -> Told {
    match act {
        Act::Status => tell(bmc.run_until(GetPowerState, deadline)).await,
        Act::Power(action) => tell(bmc.run_until(SetPower(action), deadline)).await,
        Act::Nmi => tell(bmc.run_until(SendNmi, deadline)).await,
        Act::Boot(device) => {
            let wanted = SetBootOverride(BootOverride::once(device));
            tell(bmc.run_until(wanted, deadline)).await
        }
    }
}

fn executions(act: Act, counters: &Counters) -> usize {
    match act {
        Act::Status => 0,
        Act::Power(action) => counters.executed(action),
        Act::Nmi => counters.nmi,
        Act::Boot(_) => counters.boot_sets,
    }
}

/// Providers appear in one piece each, the preferred one first, the others as configured; all of them after a failure.
fn is_complete(report: &Report, failed: bool, count: usize) -> bool {
    let mut seen: Vec<&str> = report
        .attempts
        .iter()
        .map(|attempt| attempt.provider)
        .collect();
    seen.dedup();
    let Some(first) = seen.first() else {
        return false;
    };
    let rest = NAMES[..count].iter().filter(|name| *name != first);
    let expected: Vec<&str> = std::iter::once(first).chain(rest).copied().collect();
    expected.starts_with(&seen) && (!failed || seen.len() == count)
}

async fn check_calls(
    ways: Vec<Way>,
    calls: Vec<Call>,
    close: bool,
) -> Result<String, TestCaseError> {
    let (machine, providers, bmc) = machine(&ways);
    let mut transcript = String::new();
    for Call {
        act,
        allowed,
        pause,
        bmc_restarts,
    } in calls
    {
        sleep(pause).await;
        if bmc_restarts {
            machine.lose_sessions();
        }
        let before = executions(act, &machine.counters());
        let deadline = Instant::now() + allowed;
        let (report, failure) = carry_out(&bmc, act, deadline).await;
        let times = executions(act, &machine.counters()) - before;
        transcript += &format!("{report:?}\n");

        prop_assert!(Instant::now() <= deadline + TICK, "late: {report:?}");
        prop_assert!(
            is_complete(&report, failure.is_some(), ways.len()),
            "{report:?}"
        );
        let once = matches!(
            act,
            Act::Nmi | Act::Power(PowerAction::Soft | PowerAction::Cycle | PowerAction::Reset)
        );
        match failure {
            Some(Effect::None) => prop_assert_eq!(times, 0, "denied, but done: {:?}", report),
            Some(Effect::Unknown) => prop_assert!(!matches!(act, Act::Status)),
            None => {
                let last = report.attempts.last().unwrap();
                prop_assert_eq!(report.winner(), Some(last.provider));
                prop_assert!(!once || times == 1, "{times} executions: {report:?}");
                prop_assert!(!once || last.stage == Stage::Operate);
                if let Act::Power(action @ (PowerAction::On | PowerAction::Off)) = act {
                    prop_assert_eq!(Some(machine.power_state()), action.goal());
                }
                if let Act::Boot(device) = act {
                    prop_assert_eq!(machine.boot_override(), BootOverride::once(device));
                }
            }
        }
        prop_assert!(!once || times <= 1, "{times} executions: {report:?}");
    }
    if close {
        bmc.close().await;
    } else {
        drop(bmc);
        sleep(Duration::from_secs(1)).await;
    }
    let counters = machine.counters();
    prop_assert_eq!(counters.open_sessions, 0);
    prop_assert_eq!(counters.overlaps, 0);
    for provider in providers {
        prop_assert!(provider.logins_refused() <= 1);
    }
    Ok(transcript)
}

/// What befell a [`Probe`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Event {
    Queued(usize),
    Begun(usize),
    Ended(usize),
    Vanished(usize),
    Answered(usize),
}

type Log = Arc<Mutex<Vec<(Instant, Event)>>>;

fn note(log: &Log, event: Event) {
    log.lock().unwrap().push((Instant::now(), event));
}

/// A third party's operation that takes its time.
#[derive(Debug)]
struct Probe {
    id: usize,
    takes: Duration,
    log: Log,
}

#[async_trait]
impl Operation for Probe {
    type Output = usize;

    fn name(&self) -> &'static str {
        "probe"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Never
    }

    async fn run(&self, _: &dyn Session) -> Option<Result<usize, Error>> {
        note(&self.log, Event::Begun(self.id));
        sleep(self.takes).await;
        note(&self.log, Event::Ended(self.id));
        Some(Ok(self.id))
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<usize>, Error>> {
        None
    }
}

#[derive(Clone, Copy, Debug)]
struct Caller {
    comes: Duration,
    stays: Option<Duration>,
    takes: Duration,
    lane: Lane,
}

fn caller() -> impl Strategy<Value = Caller> {
    let lane = prop_oneof![Just(Lane::Action), Just(Lane::Poll)];
    (0u64..1000, proptest::option::of(0u64..500), 1u64..200, lane).prop_map(
        |(comes, stays, takes, lane)| Caller {
            comes: Duration::from_millis(comes),
            stays: stays.map(Duration::from_millis),
            takes: Duration::from_millis(takes),
            lane,
        },
    )
}

async fn check_callers(callers: Vec<Caller>) -> Result<(), TestCaseError> {
    let (machine, _, bmc) = machine(&[Way {
        logins: vec![],
        requests: vec![],
        lacks: None,
    }]);
    let log = Log::default();
    let mut tasks = Vec::new();
    for (id, caller) in callers.iter().copied().enumerate() {
        let (bmc, log) = (bmc.on_lane(caller.lane), Arc::clone(&log));
        tasks.push(tokio::spawn(async move {
            sleep(caller.comes).await;
            let probe = Probe {
                id,
                takes: caller.takes,
                log: Arc::clone(&log),
            };
            note(&log, Event::Queued(id));
            let stays = caller.stays.unwrap_or(Duration::from_secs(3600));
            match timeout(stays, bmc.run(probe)).await {
                Ok(done) => {
                    assert_eq!(done.unwrap().value, id);
                    note(&log, Event::Answered(id));
                }
                Err(_) => note(&log, Event::Vanished(id)),
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    bmc.close().await;
    prop_assert_eq!(machine.counters().open_sessions, 0);

    let log = log.lock().unwrap().clone();
    let when = |event| {
        log.iter()
            .find(|(_, logged)| *logged == event)
            .map(|(at, _)| *at)
    };
    let times = |event| log.iter().filter(|(_, logged)| *logged == event).count();
    for (id, caller) in callers.iter().enumerate() {
        let (begun, ended) = (times(Event::Begun(id)), times(Event::Ended(id)));
        prop_assert!(begun <= 1, "{id} was begun twice");
        prop_assert_eq!(begun, ended, "{} was left half-way", id);
        if caller.stays.is_none() {
            prop_assert_eq!(times(Event::Answered(id)), 1);
        }
        prop_assert!(times(Event::Answered(id)) <= ended);
        if let (Some(vanished), Some(begun)) = (when(Event::Vanished(id)), when(Event::Begun(id))) {
            prop_assert!(begun <= vanished, "{id} was begun for nobody");
        }
    }
    let mut running = 0;
    for (at, event) in &log {
        match event {
            Event::Begun(id) => {
                running += 1;
                prop_assert_eq!(running, 1, "two at a time");
                if callers[*id].lane == Lane::Poll {
                    let overtaken = (0..callers.len()).find(|other| {
                        callers[*other].lane == Lane::Action
                            && when(Event::Queued(*other)).is_some_and(|queued| queued < *at)
                            && when(Event::Begun(*other)).is_none_or(|begun| begun > *at)
                            && when(Event::Vanished(*other)).is_none_or(|gone| gone > *at)
                    });
                    prop_assert_eq!(overtaken, None, "poll {} was first", id);
                }
            }
            Event::Ended(_) => running -= 1,
            _ => {}
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_script_ends_in_time_once_and_with_a_complete_report(
        ways in vec(way(), 1..=4),
        calls in vec(call(), 1..8),
        close in any::<bool>(),
    ) {
        let first = virtually(check_calls(ways.clone(), calls.clone(), close))?;
        let second = virtually(check_calls(ways, calls, close))?;
        prop_assert_eq!(first, second, "the same script went differently");
    }

    #[test]
    fn every_caller_is_served_once_and_actions_come_first(callers in vec(caller(), 1..12)) {
        virtually(check_callers(callers))?;
    }
}
