//! The BMC's own reset.

use std::time::Duration;

use bmc_core::{Bmc, BmcReset, Effect, ErrorKind};
use bmc_ipmi::command::{ColdReset, Command, WarmReset};
use bmc_ipmi::sim::{Sim, SimQuirks};

use crate::setup::{builder, count, failure, handle, pair};

#[tokio::test]
async fn a_reset_is_accepted_with_and_without_an_answer() {
    for resets_without_answer in [false, true] {
        let quirks = SimQuirks {
            resets_without_answer,
            ..SimQuirks::default()
        };
        let restart = Duration::from_millis(100);
        let sim = Sim::builder()
            .quirks(quirks)
            .restart_time(restart)
            .spawn()
            .await
            .unwrap();
        let bmc = handle(builder(&sim).command_timeout(Duration::from_secs(1)));
        bmc.reset_bmc(BmcReset::Cold).await.unwrap();
        assert_eq!(sim.restarts(), 1);
        // A new session, without a word from the caller.
        bmc.reset_bmc(BmcReset::Warm).await.unwrap();
        assert_eq!(count(&sim, ColdReset::NETFN, ColdReset::CMD), 1);
        assert_eq!(count(&sim, WarmReset::NETFN, WarmReset::CMD), 1);
        bmc.power_state().await.unwrap();
    }
}

/// A session that goes on shows that nothing has restarted: the request was lost, or is to come.
#[tokio::test]
async fn silence_of_a_bmc_that_lives_on_is_no_reset() {
    let (sim, bmc) = pair(Sim::builder()).await;
    // Login, and the privilege that the reset needs.
    let denied = bmc_ipmi::wire::CompletionCode::INVALID_COMMAND;
    sim.faults(|faults| faults.completion_code(ColdReset::NETFN, ColdReset::CMD, denied));
    let failed = failure(bmc.reset_bmc(BmcReset::Cold).await);
    assert_eq!(
        (failed.kind(), failed.effect),
        (ErrorKind::Unsupported, Effect::None)
    );
    sim.faults(|faults| {
        faults.completion_codes.clear();
        faults.drop_next_requests = 1;
    });
    let failed = failure(bmc.reset_bmc(BmcReset::Cold).await);
    assert_eq!(
        (failed.kind(), failed.effect),
        (ErrorKind::Timeout, Effect::Unknown)
    );
    assert_eq!(sim.restarts(), 0);
    let attempts = sim
        .log()
        .iter()
        .filter(|done| done.command == ColdReset::CMD)
        .count();
    assert_eq!(attempts, 1, "the lost one was not repeated");
}

#[tokio::test]
async fn a_reset_goes_on_to_no_other_provider() {
    let sim = Sim::builder().spawn().await.unwrap();
    let (first, second) = (
        builder(&sim).build().unwrap(),
        builder(&sim).build().unwrap(),
    );
    let bmc = Bmc::builder().provider(first).provider(second).build();
    bmc.power_state().await.unwrap();
    sim.faults(|faults| {
        let refused = bmc_ipmi::wire::CompletionCode::TIMEOUT;
        faults.completion_code(ColdReset::NETFN, ColdReset::CMD, refused);
    });
    let failed = failure(bmc.reset_bmc(BmcReset::Cold).await);
    assert_eq!(failed.effect, Effect::Unknown);
    assert_eq!(count(&sim, ColdReset::NETFN, ColdReset::CMD), 1);
}
