//! Restarts a BMC, not its host, and waits until it answers again.
//!
//! ```text
//! cargo run --release --example reset_bmc                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example reset_bmc -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use std::time::Duration;

use bmc_core::{BmcReset, GetPowerState};
use tokio::time::Instant;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    bmc.reset_bmc(BmcReset::Cold).await?;
    println!("the BMC restarts");

    let patience = Instant::now() + Duration::from_secs(300);
    let power = loop {
        // The next operation logs in by itself.
        match bmc.run_until(GetPowerState, patience).await {
            Ok(power) => break power.value,
            Err(failed) if failed.is_retryable() && Instant::now() < patience => {}
            Err(failed) => return Err(failed.into()),
        }
    };
    println!("it is back, and the host is {power}");
    bmc.close().await;
    Ok(())
}
