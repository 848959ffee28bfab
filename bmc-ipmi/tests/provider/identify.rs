//! The identify light, read back.

use std::time::Duration;

use bmc_core::{ErrorKind, IdentifyAction, IdentifyLight};
use bmc_ipmi::command::{ChassisIdentify, Command, GetChassisStatus};
use bmc_ipmi::sim::Sim;

use crate::setup::{count, failure, pair};

#[tokio::test]
async fn the_light_shows_and_goes_out() {
    let (_sim, bmc) = pair(Sim::builder()).await;
    for (wanted, seen) in [
        (IdentifyAction::On, IdentifyLight::On),
        (
            IdentifyAction::For(Duration::from_secs(60)),
            IdentifyLight::Timed,
        ),
        (IdentifyAction::Off, IdentifyLight::Off),
    ] {
        bmc.set_identify(wanted).await.unwrap();
        assert_eq!(bmc.identify_light().await.unwrap().value, seen);
    }
}

#[tokio::test]
async fn a_light_that_stays_dark_is_noticed() {
    let (sim, bmc) = pair(Sim::builder()).await;
    sim.faults(|faults| faults.ignore = true);
    let failed = failure(bmc.set_identify(IdentifyAction::On).await);
    assert_eq!(failed.kind(), ErrorKind::Rejected);
    assert!(
        failed.to_string().contains("the identify light is off"),
        "{failed}"
    );
}

#[tokio::test]
async fn a_time_that_ipmi_cannot_say_reaches_no_bmc() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let hour = IdentifyAction::For(Duration::from_secs(3600));
    let failed = failure(bmc.set_identify(hour).await);
    assert_eq!(failed.kind(), ErrorKind::InvalidInput);
    assert!(failed.to_string().contains("1 to 255"), "{failed}");
    assert_eq!(count(&sim, ChassisIdentify::NETFN, ChassisIdentify::CMD), 0);
}

/// Bit 6 of the status says whether the light's state is told at all.
#[tokio::test]
async fn a_bmc_that_does_not_tell_is_believed() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let status = (GetChassisStatus::NETFN, GetChassisStatus::CMD);
    sim.faults(|faults| faults.answers.insert(status, vec![0x01, 0, 0]));
    bmc.set_identify(IdentifyAction::On).await.unwrap();
    let failed = failure(bmc.identify_light().await);
    assert_eq!(failed.kind(), ErrorKind::Unsupported);
}
