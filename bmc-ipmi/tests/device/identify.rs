//! The identify light.

use bmc_ipmi::command::{ChassisIdentify, GetChassisStatus};
use bmc_ipmi::sim::{Sim, SimIdentifyLight};
use tokio::time::Instant;

use crate::setup::{connect, deadline};

#[tokio::test]
async fn the_light_is_switched_and_seen() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let light = || bmc.machine(|machine| machine.identify(Instant::now()));
    for (command, is_on) in [
        (ChassisIdentify::Default, true),
        (ChassisIdentify::OFF, false),
        (ChassisIdentify::Indefinitely, true),
        (ChassisIdentify::Seconds(0), false),
        (ChassisIdentify::Seconds(255), true),
    ] {
        client.execute(&command, deadline()).await.unwrap();
        let status = client.execute(&GetChassisStatus, deadline()).await.unwrap();
        assert_eq!(status.is_identifying(), Some(is_on), "{command:?}");
        assert_eq!(light() != SimIdentifyLight::Off, is_on);
    }
    let later = ChassisIdentify::LONGEST + std::time::Duration::from_secs(1);
    let state = bmc.machine(|machine| machine.identify(Instant::now() + later));
    assert_eq!(state, SimIdentifyLight::Off);
}
