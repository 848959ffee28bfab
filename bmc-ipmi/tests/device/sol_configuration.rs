//! The configuration of SOL.

use bmc_core::{Effect, ErrorKind};
use bmc_ipmi::command::{SolBitRate, SolParameter, SolSetting, THIS_CHANNEL};
use bmc_ipmi::device::SolConfiguration;
use bmc_ipmi::sim::Sim;

use crate::setup::{connect, deadline};

#[tokio::test]
async fn it_is_read_and_written() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let sol = SolConfiguration::new(&connect(&bmc).await, THIS_CHANNEL).unwrap();
    let all = sol.read(deadline()).await.unwrap();
    assert_eq!(all.len(), 9);
    assert!(all.contains(&SolSetting::Port(bmc.addr().port())));
    for setting in [
        SolSetting::VolatileBitRate(SolBitRate::BPS_19200),
        SolSetting::Retry {
            count: 3,
            interval: 50,
        },
        SolSetting::Accumulation {
            interval: 10,
            threshold: 64,
        },
        SolSetting::Enable(false),
    ] {
        sol.set(setting.clone(), deadline()).await.unwrap();
        assert_eq!(
            sol.get(setting.parameter(), deadline()).await.unwrap(),
            Some(setting)
        );
    }
    assert_eq!(bmc.serial(|port| port.bit_rate()), SolBitRate::BPS_19200);
    assert_eq!(sol.get(SolParameter(9), deadline()).await.unwrap(), None);
    let in_progress = sol
        .get(SolParameter::SET_IN_PROGRESS, deadline())
        .await
        .unwrap();
    assert_eq!(in_progress, Some(SolSetting::SET_COMPLETE));
}

#[tokio::test]
async fn what_is_not_kept_is_an_error() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.faults(|faults| faults.ignore = true);
    let sol = SolConfiguration::new(&connect(&bmc).await, 1).unwrap();
    let error = sol
        .set(SolSetting::Enable(false), deadline())
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Rejected, Effect::Unknown)
    );
    assert!(sol.set(SolSetting::Channel(2), deadline()).await.is_err());
    let error = SolConfiguration::new(&connect(&bmc).await, 16).unwrap_err();
    assert_eq!(error.to_string(), "channel 16 does not exist: use 0 to 15");
}
