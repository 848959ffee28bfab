//! Commands that no capability has: typed, and as bytes.
//!
//! ```text
//! cargo run --release --example raw_command
//! ```
//!
//! The BMC is a simulated one.
#![allow(clippy::print_stdout)]

use std::time::Duration;

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::command::GetDeviceId;
use bmc_ipmi::proto::Request;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{NetFn, Privilege};
use bmc_ipmi::{IpmiProvider, Target};
use tokio::time::Instant;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let machine = Sim::builder().spawn().await?;
    let endpoint = Endpoint::parse(&machine.addr().to_string(), IpmiProvider::PORT)?;
    let credentials = Credentials::new("admin", "password");
    let provider = IpmiProvider::builder(endpoint, credentials).build()?;

    // A session of our own, beside those of a `Bmc`.
    let deadline = Instant::now() + Duration::from_secs(10);
    let client = provider.connect(deadline).await?;
    let device = client.execute(&GetDeviceId, deadline).await?;
    println!("firmware {}", device.firmware());

    // Get Chassis Status once more, as bytes.
    let request = Request {
        name: "my command",
        netfn: NetFn::CHASSIS,
        command: 0x01,
        data: &[],
        idempotent: true,
        privilege: Privilege::USER,
        target: Target::BMC,
    };
    println!("answer {:02x?}", client.raw(&request, deadline).await?);
    client.close().await;
    Ok(())
}
