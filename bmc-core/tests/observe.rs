//! Power actions whose effect is watched, in virtual time.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use bmc_core::testing::memory::{Capability, Fault, MemoryBmc, MemoryProvider, Step};
use bmc_core::{Bmc, ErrorKind, Evidence, PowerAction, PowerState};

const PATIENCE: Duration = Duration::from_secs(10);

fn bmc(provider: &MemoryProvider) -> Bmc {
    Bmc::builder().provider(provider.clone()).build()
}

async fn observe(provider: &MemoryProvider, action: PowerAction) -> Evidence {
    let seen = bmc(provider).set_power_observed(action, PATIENCE).await;
    seen.unwrap().value
}

#[tokio::test(start_paused = true)]
async fn on_and_off_are_seen_by_the_state() {
    let machine = MemoryBmc::new().power_delay(Duration::from_secs(4));
    let provider = machine.provider("memory");
    for (action, goal) in [
        (PowerAction::On, PowerState::On),
        (PowerAction::Soft, PowerState::Off),
        (PowerAction::On, PowerState::On),
        (PowerAction::Off, PowerState::Off),
    ] {
        assert_eq!(observe(&provider, action).await, Evidence::StateReached);
        assert_eq!(machine.power_state(), goal);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cycle_is_seen_by_the_lost_power() {
    let machine = MemoryBmc::new().power_delay(Duration::from_secs(1));
    machine.set_power_state(PowerState::On);
    let provider = machine
        .provider("memory")
        .without(Capability::RestartRecord);
    assert_eq!(
        observe(&provider, PowerAction::Cycle).await,
        Evidence::PowerLost
    );
    assert_eq!(machine.counters().cycle, 1);
}

#[tokio::test(start_paused = true)]
async fn a_reset_is_seen_by_the_record_of_restarts_if_there_is_one() {
    let machine = MemoryBmc::new();
    machine.set_power_state(PowerState::On);
    let telling = machine.provider("telling");
    assert_eq!(
        observe(&telling, PowerAction::Reset).await,
        Evidence::RestartRecorded
    );
    let mute = machine.provider("mute").without(Capability::RestartRecord);
    let seen = observe(&mute, PowerAction::Reset).await;
    assert_eq!(seen, Evidence::NotObserved);
    assert!(!seen.is_observed());
    assert_eq!(machine.counters().reset, 2);
}

#[tokio::test(start_paused = true)]
async fn what_never_happens_is_accepted_but_not_observed() {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory");
    provider.fault(Step::Request, Fault::Lie);
    assert_eq!(
        observe(&provider, PowerAction::On).await,
        Evidence::NotObserved
    );
}

/// A record tells nothing about another provider's record.
#[tokio::test(start_paused = true)]
async fn records_of_two_providers_are_not_compared() {
    let (machine, other) = (MemoryBmc::new(), MemoryBmc::new());
    machine.set_power_state(PowerState::On);
    let first = machine.provider("first");
    // The record before comes from the first provider, all that follows from the second, with another record.
    first.fault(Step::Request, Fault::Pass);
    first.always(Step::Request, Fault::Unreachable);
    let second = other.provider("second");
    bmc(&second).set_power(PowerAction::On).await.unwrap();
    let both = Bmc::builder().provider(first).provider(second).build();
    let seen = both
        .set_power_observed(PowerAction::Reset, PATIENCE)
        .await
        .unwrap();
    assert_eq!(seen.value, Evidence::NotObserved);
    assert_eq!(seen.report.winner(), Some("second"));
}

#[tokio::test(start_paused = true)]
async fn a_refused_action_is_an_error_and_is_not_watched() {
    let machine = MemoryBmc::new();
    let provider = machine.provider("memory").without(Capability::Power);
    let failed = bmc(&provider)
        .set_power_observed(PowerAction::Cycle, PATIENCE)
        .await
        .unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::Unsupported);
    assert_eq!(failed.report.operation, "power cycle");
}
