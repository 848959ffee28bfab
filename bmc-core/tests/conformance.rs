//! The provider in memory keeps the contract, and the suite notices one that does not.

use std::time::Duration;

use bmc_core::testing::conformance;
use bmc_core::testing::memory::{Capability, Fault, MemoryBmc, Step};
use bmc_core::{Event, Sensor};

#[tokio::test(start_paused = true)]
async fn the_memory_provider_conforms() {
    let machine = MemoryBmc::new();
    conformance::all(&machine.provider("memory")).await;
    assert_eq!(machine.counters().open_sessions, 0);
    assert_eq!(machine.counters().overlaps, 0);
}

#[tokio::test(start_paused = true)]
async fn a_slow_machine_conforms() {
    let machine = MemoryBmc::new().power_delay(Duration::from_secs(3));
    conformance::all(&machine.provider("memory")).await;
}

#[tokio::test(start_paused = true)]
async fn a_provider_with_few_capabilities_conforms() {
    let provider = MemoryBmc::new()
        .provider("memory")
        .without(Capability::Boot)
        .without(Capability::Nmi)
        .without(Capability::Identity);
    conformance::all(&provider).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "open took more than")]
async fn a_hanging_login_is_noticed() {
    let provider = MemoryBmc::new().provider("memory");
    provider.always(Step::Login, Fault::Hang);
    conformance::open_respects_its_deadline(&provider).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "after power on")]
async fn a_power_action_without_effect_is_noticed() {
    let provider = MemoryBmc::new().provider("memory");
    provider.fault(Step::Request, Fault::Lie);
    conformance::power_converges(&provider).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "set pxe once legacy")]
async fn a_boot_override_without_effect_is_noticed() {
    let provider = MemoryBmc::new().provider("memory");
    provider.fault(Step::Request, Fault::Lie);
    conformance::boot_override_converges(&provider).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "cleared, but still there")]
async fn a_clearing_of_events_without_effect_is_noticed() {
    let machine = MemoryBmc::new();
    for id in ["a", "b"] {
        let id = id.to_owned();
        machine.log_event(Event {
            id,
            ..Event::default()
        });
    }
    let provider = machine.provider("memory");
    // The info, the whole and three pages.
    for _ in 0..5 {
        provider.fault(Step::Request, Fault::Pass);
    }
    provider.fault(Step::Request, Fault::Lie);
    conformance::event_log_pages(&provider).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "two sensors have the same id")]
async fn sensors_that_cannot_be_told_apart_are_noticed() {
    let machine = MemoryBmc::new();
    machine.set_sensors(vec![Sensor::default(), Sensor::default()]);
    conformance::sensors_read(&machine.provider("memory")).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "the session survived the BMC")]
async fn a_reset_of_the_bmc_without_effect_is_noticed() {
    let provider = MemoryBmc::new().provider("memory");
    provider.fault(Step::Request, Fault::Lie);
    conformance::bmc_reset_ends_the_session(&provider).await;
}
