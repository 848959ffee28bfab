//! Other LUNs, and controllers behind the BMC.

use bmc_ipmi::command::{
    ChassisControl, Command, GetChassisStatus, GetDeviceId, GetSystemRestartCause, RestartCause,
    SendMessage,
};
use bmc_ipmi::proto::Request;
use bmc_ipmi::sim::{BridgeReplies, Sim, SimBuilder};
use bmc_ipmi::wire::CompletionCode;
use bmc_ipmi::{Error, Target};

use crate::setup::{connect, deadline};

const FORMS: [BridgeReplies; 2] = [BridgeReplies::Follow, BridgeReplies::Embedded];

/// A BMC with a satellite that has a satellite.
fn chain(outer: BridgeReplies, inner: BridgeReplies) -> SimBuilder {
    let blade = Sim::builder().luns([0, 1]).power(true);
    let shelf = Sim::builder()
        .bridge_replies(inner)
        .satellite(7, 0x72, blade);
    Sim::builder()
        .bridge_replies(outer)
        .satellite(0, 0x82, shelf)
}

#[tokio::test]
async fn commands_reach_the_controller_that_they_name() {
    let shelf = Target::satellite(0, 0x82).unwrap();
    let blade = Target::satellite(7, 0x72).unwrap().behind(0, 0x82).unwrap();
    for outer in FORMS {
        for inner in FORMS {
            let bmc = chain(outer, inner).spawn().await.unwrap();
            let client = connect(&bmc).await;
            let on = async |target| {
                let status = client
                    .at(target)
                    .execute(&GetChassisStatus, deadline())
                    .await;
                status.unwrap().is_on()
            };
            let states = [on(Target::BMC).await, on(shelf).await, on(blade).await];
            assert_eq!(states, [false, false, true], "{outer:?} {inner:?}");
            // A command that needs more privilege, and is sent once.
            client
                .at(shelf)
                .execute(&ChassisControl::POWER_UP, deadline())
                .await
                .unwrap();
            client
                .at(shelf)
                .execute(&ChassisControl::POWER_CYCLE, deadline())
                .await
                .unwrap();
            let cause = client
                .at(shelf)
                .execute(&GetSystemRestartCause, deadline())
                .await;
            assert_eq!(cause.unwrap().cause, RestartCause::CHASSIS_CONTROL);
            let cycles = bmc.satellite(0, 0x82, |shelf| shelf.machine(deadline()).cycles());
            assert_eq!((cycles, bmc.power()), (Some(1), false));
            client.close().await;
        }
    }
}

#[tokio::test]
async fn a_code_of_the_target_is_told_from_one_of_the_way() {
    for form in FORMS {
        let bmc = chain(form, form).spawn().await.unwrap();
        let client = connect(&bmc).await;
        let off = Target::satellite(0, 0x82).unwrap();
        let error = client
            .at(off)
            .execute(&ChassisControl::POWER_CYCLE, deadline())
            .await;
        assert_eq!(
            error.unwrap_err().completion(),
            Some(CompletionCode::WRONG_STATE)
        );
        for (target, hop) in [
            (Target::satellite(3, 0x20).unwrap(), "20h on channel 3"),
            (
                Target::satellite(0, 0x20).unwrap().behind(0, 0x82).unwrap(),
                "20h on channel 0",
            ),
            (
                Target::satellite(0, 0x20).unwrap().behind(1, 0x82).unwrap(),
                "82h on channel 1",
            ),
        ] {
            let error = client
                .at(target)
                .execute(&GetDeviceId, deadline())
                .await
                .unwrap_err();
            let Error::Bridge { code, .. } = error else {
                panic!("{error:?}");
            };
            assert_eq!(code, SendMessage::NAK_ON_WRITE);
            assert_eq!(
                error.to_string(),
                format!(
                    "Get Device ID: cannot reach {hop}: no controller acknowledged the address (83h)"
                )
            );
            assert!(client.is_alive(), "the BMC has answered");
        }
    }
}

#[tokio::test]
async fn lost_and_overtaking_replies_do_not_confuse() {
    let bmc = chain(BridgeReplies::Follow, BridgeReplies::Follow)
        .seed(3)
        .spawn()
        .await
        .unwrap();
    let client = connect(&bmc).await;
    let blade = client.at(Target::satellite(7, 0x72).unwrap().behind(0, 0x82).unwrap());
    bmc.faults(|faults| {
        faults.reorder = std::time::Duration::from_millis(5);
        faults.duplicate = true;
    });
    for _ in 0..10 {
        assert!(
            blade
                .execute(&GetChassisStatus, deadline())
                .await
                .unwrap()
                .is_on()
        );
        assert!(
            !client
                .execute(&GetChassisStatus, deadline())
                .await
                .unwrap()
                .is_on()
        );
    }
    // The BMC's own answer and the satellite's are lost: the command is repeated.
    bmc.faults(|faults| faults.drop_next_replies = 2);
    assert!(
        blade
            .execute(&GetChassisStatus, deadline())
            .await
            .unwrap()
            .is_on()
    );
}

#[tokio::test]
async fn logical_units_are_told_apart() {
    let bmc = chain(BridgeReplies::Follow, BridgeReplies::Follow)
        .spawn()
        .await
        .unwrap();
    let client = connect(&bmc).await;
    let oem = client.at(Target::BMC.at_lun(1).unwrap());
    let error = oem.execute(&GetDeviceId, deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(CompletionCode::INVALID_FOR_LUN));
    let blade = Target::satellite(7, 0x72).unwrap().behind(0, 0x82).unwrap();
    let unit = client.at(blade.at_lun(1).unwrap());
    // The same as bytes.
    let request = Request::new(&GetDeviceId, &[]);
    let bytes = unit.raw(&request, deadline()).await.unwrap();
    assert_eq!(GetDeviceId::decode_response(&bytes).unwrap().ipmi(), (2, 0));
    assert_eq!(
        unit.target().to_string(),
        "72h on channel 7 behind 82h on channel 0, LUN 1"
    );
    let luns = bmc.satellite(0, 0x82, |shelf| {
        let blade = shelf.satellite(7, 0x72).unwrap();
        blade.log().map(|entry| entry.lun).collect::<Vec<_>>()
    });
    assert_eq!(luns.unwrap(), [1]);
}
