//! Commands that no capability has.

use bmc_ipmi::command::GetDeviceId;
use bmc_ipmi::sim::Sim;
use tokio::time::Instant;

use crate::setup::{COMMAND_TIMEOUT, builder};

#[tokio::test]
async fn a_provider_gives_a_client_of_ones_own() {
    let sim = Sim::builder().spawn().await.unwrap();
    let provider = builder(&sim).build().unwrap();
    let deadline = Instant::now() + COMMAND_TIMEOUT;
    let client = provider.connect(deadline).await.unwrap();
    let device = client.execute(&GetDeviceId, deadline).await.unwrap();
    assert_eq!(device.ipmi(), (2, 0));
    client.close().await;
}
