//! Restarts of the BMC.

use std::time::Duration;

use bmc_core::Effect;
use bmc_ipmi::command::{ColdReset, GetDeviceId, WarmReset};
use bmc_ipmi::sim::{Sim, SimQuirks};
use tokio::time::Instant;

use crate::setup::{connect, deadline};

#[tokio::test]
async fn a_reset_ends_the_session_and_is_sent_once() {
    for mute in [false, true] {
        let quirks = SimQuirks {
            resets_without_answer: mute,
            ..SimQuirks::default()
        };
        let silence = Duration::from_millis(300);
        let bmc = Sim::builder()
            .quirks(quirks)
            .restart_time(silence)
            .spawn()
            .await
            .unwrap();
        let client = connect(&bmc).await;
        let begun = Instant::now();
        let soon = begun + Duration::from_millis(100);
        match client.execute(&ColdReset, soon).await {
            Ok(()) => assert!(!mute),
            Err(error) => assert_eq!((mute, error.effect()), (true, Effect::Unknown), "{error}"),
        }
        assert_eq!((bmc.restarts(), bmc.active_sessions()), (1, 0));
        // The session is gone; a new one can be had when the BMC is back.
        assert!(client.execute(&GetDeviceId, soon).await.is_err());
        let client = connect(&bmc).await;
        assert!(begun.elapsed() >= silence);
        client.execute(&GetDeviceId, deadline()).await.unwrap();
        let _ = client
            .execute(&WarmReset, Instant::now() + Duration::from_millis(100))
            .await;
        assert_eq!(bmc.restarts(), 2);
    }
}
