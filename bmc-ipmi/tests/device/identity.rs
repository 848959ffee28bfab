//! What the BMC is.

use bmc_ipmi::command::GetDeviceId;
use bmc_ipmi::sim::Sim;

use crate::setup::{connect, deadline};

#[tokio::test]
async fn a_device_tells_its_version() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let device = client.execute(&GetDeviceId, deadline()).await.unwrap();
    assert_eq!(device.ipmi(), (2, 0));
    client.close().await;
}
