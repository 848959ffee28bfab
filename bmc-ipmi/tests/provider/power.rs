//! Power, and what proves it.

use std::time::Duration;

use bmc_core::{Bmc, Effect, ErrorKind, Evidence, PowerAction, PowerState, Provider, RestartCause};
use bmc_ipmi::command::{ChassisControl, Command};
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::CompletionCode;
use tokio::time::{Instant, sleep};

use crate::setup::{COMMAND_TIMEOUT, builder, failure, handle, pair};

const PATIENCE: Duration = Duration::from_secs(5);

async fn observe(bmc: &Bmc, action: PowerAction) -> Evidence {
    bmc.set_power_observed(action, PATIENCE)
        .await
        .unwrap()
        .value
}

fn controls(bmc: &SimHandle) -> Vec<u8> {
    let log = bmc.log();
    let controls = log
        .iter()
        .filter(|done| (done.netfn, done.command) == (ChassisControl::NETFN, ChassisControl::CMD));
    controls.map(|done| done.data[0]).collect()
}

/// A BMC whose host is on and takes its time to go off and on.
async fn sluggish() -> SimHandle {
    Sim::builder()
        .power(true)
        .power_delay(Duration::from_millis(300))
        .spawn()
        .await
        .unwrap()
}

#[tokio::test]
async fn switching_is_seen_by_the_state() {
    let (sim, bmc) = pair(Sim::builder().power_delay(Duration::from_millis(300))).await;
    assert_eq!(observe(&bmc, PowerAction::On).await, Evidence::StateReached);
    assert!(sim.power());
    assert_eq!(
        observe(&bmc, PowerAction::Soft).await,
        Evidence::StateReached
    );
    assert!(!sim.power());
}

#[tokio::test]
async fn a_cycle_is_seen_by_the_lost_power() {
    let (sim, bmc) = pair(Sim::builder().power_delay(Duration::from_millis(500))).await;
    // The record says already that a command has started the host, so that it cannot prove another start.
    bmc.set_power_observed(PowerAction::On, PATIENCE)
        .await
        .unwrap();
    assert_eq!(
        bmc.last_restart().await.unwrap().value.cause,
        RestartCause::Command
    );
    assert_eq!(observe(&bmc, PowerAction::Cycle).await, Evidence::PowerLost);
    assert!(sim.power());
    assert_eq!(sim.cycles(), 1);
}

#[tokio::test]
async fn a_reset_is_seen_by_the_cause_of_the_restart_if_that_changes() {
    let (sim, bmc) = pair(Sim::builder()).await;
    sim.set_power(true);
    assert_eq!(
        bmc.last_restart().await.unwrap().value.cause,
        RestartCause::PowerButton
    );
    assert_eq!(
        observe(&bmc, PowerAction::Reset).await,
        Evidence::RestartRecorded
    );
    let again = bmc
        .set_power_observed(PowerAction::Reset, Duration::from_millis(500))
        .await;
    assert_eq!(again.unwrap().value, Evidence::NotObserved);
    assert_eq!(sim.machine(|machine| machine.resets()), 2);
}

#[tokio::test]
async fn a_bmc_that_only_says_yes_is_seen_through() {
    let (sim, bmc) = pair(Sim::builder().power(true)).await;
    sim.faults(|faults| faults.ignore = true);
    for action in [PowerAction::Off, PowerAction::Cycle, PowerAction::Reset] {
        let seen = bmc
            .set_power_observed(action, Duration::from_millis(500))
            .await;
        assert_eq!(seen.unwrap().value, Evidence::NotObserved, "{action}");
    }
}

#[tokio::test]
async fn a_cycle_is_one_command_unless_asked_otherwise() {
    let (sim, bmc) = pair(Sim::builder().power(true)).await;
    bmc.set_power(PowerAction::Cycle).await.unwrap();
    assert_eq!(controls(&sim), [2]);

    let sim = sluggish().await;
    let bmc = handle(builder(&sim).cycle_by_off_and_on(true));
    bmc.set_power(PowerAction::Cycle).await.unwrap();
    assert_eq!((controls(&sim), sim.cycles()), (vec![0, 1], 0));
    let states: Vec<bool> = sim.power_changes().iter().map(|change| change.on).collect();
    assert_eq!(states[..2], [true, false]);
}

#[tokio::test]
async fn a_host_that_is_off_is_switched_on_by_a_cycle_of_two_steps() {
    let sim = Sim::builder().spawn().await.unwrap();
    handle(builder(&sim).cycle_by_off_and_on(true))
        .set_power(PowerAction::Cycle)
        .await
        .unwrap();
    assert_eq!(controls(&sim), [1]);
}

#[tokio::test]
async fn a_host_that_does_not_go_off_is_not_switched_on() {
    let sim = Sim::builder().power(true).spawn().await.unwrap();
    sim.faults(|faults| faults.ignore = true);
    let bmc = handle(builder(&sim).cycle_by_off_and_on(true));
    let failed = failure(bmc.set_power(PowerAction::Cycle).await);
    assert_eq!(
        (failed.kind(), failed.effect),
        (ErrorKind::Timeout, Effect::Unknown)
    );
    assert!(
        failed.to_string().contains("still on after power off"),
        "{failed}"
    );
    assert_eq!(controls(&sim), [0]);
}

#[tokio::test]
async fn a_cycle_of_two_steps_survives_lost_datagrams() {
    let sim = Sim::builder().power(true).spawn().await.unwrap();
    let bmc = handle(
        builder(&sim)
            .cycle_by_off_and_on(true)
            .command_timeout(Duration::from_secs(10)),
    );
    bmc.power_state().await.unwrap();
    sim.faults(|faults| faults.drop = 0.25);
    bmc.set_power(PowerAction::Cycle).await.unwrap();
    sim.faults(|faults| faults.drop = 0.0);
    let states: Vec<bool> = sim.power_changes().iter().map(|change| change.on).collect();
    assert_eq!(states, [true, false, true]);
}

/// Whoever gives up in the middle does not leave the host off.
#[tokio::test]
async fn a_cycle_of_two_steps_is_finished_without_its_caller() {
    let sim = sluggish().await;
    let provider = builder(&sim).cycle_by_off_and_on(true).build().unwrap();
    let session = provider
        .open(Instant::now() + COMMAND_TIMEOUT)
        .await
        .unwrap();
    let cycle = session.power().unwrap().set_power(PowerAction::Cycle);
    let begun = async {
        while controls(&sim).is_empty() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        biased;
        () = begun => {}
        done = cycle => panic!("the power takes its time: {done:?}"),
    }
    assert_eq!(controls(&sim), [0]);
    let deadline = Instant::now() + PATIENCE;
    while sim.power_changes().len() < 3 {
        assert!(Instant::now() < deadline, "{:?}", sim.power_changes());
        sleep(Duration::from_millis(5)).await;
    }
    assert!(sim.power());
}

#[tokio::test]
async fn what_has_no_answer_is_sent_once() {
    let sim = Sim::builder().spawn().await.unwrap();
    let bmc = handle(builder(&sim).command_timeout(Duration::from_millis(700)));
    for (action, code) in [
        (PowerAction::Cycle, 2),
        (PowerAction::Reset, 3),
        (PowerAction::Soft, 5),
    ] {
        // Raises the privilege, so that the next reply is the action's.
        bmc.set_power(PowerAction::On).await.unwrap();
        sim.faults(|faults| faults.drop_next_replies = 1);
        let failed = failure(bmc.set_power(action).await);
        assert_eq!(failed.effect, Effect::Unknown, "{failed}");
        let sent = controls(&sim);
        assert_eq!(
            sent.iter().filter(|sent| **sent == code).count(),
            1,
            "{sent:?}"
        );
    }
}

#[tokio::test]
async fn the_state_is_read_from_the_bmc() {
    let (sim, bmc) = pair(Sim::builder()).await;
    for on in [true, false] {
        sim.set_power(on);
        let expected = if on { PowerState::On } else { PowerState::Off };
        assert_eq!(bmc.power_state().await.unwrap().value, expected);
    }
}

/// Some BMCs refuse what is already so.
#[tokio::test]
async fn what_is_already_so_is_done() {
    let (sim, bmc) = pair(Sim::builder().power(true)).await;
    sim.faults(|faults| {
        let refused = CompletionCode::WRONG_STATE;
        faults.completion_code(ChassisControl::NETFN, ChassisControl::CMD, refused);
    });
    bmc.set_power(PowerAction::On).await.unwrap();
    for action in [PowerAction::Off, PowerAction::Reset] {
        let failed = failure(bmc.set_power(action).await);
        assert_eq!(failed.kind(), ErrorKind::Rejected, "{failed}");
    }
}
