//! Switches a machine on, cycles it, and tells by what that was seen.
//!
//! ```text
//! cargo run --release --example power                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example power -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use std::time::Duration;

use bmc_core::PowerAction;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    println!("power: {}", bmc.power_state().await?.value);
    for action in [PowerAction::On, PowerAction::Cycle] {
        let done = bmc
            .set_power_observed(action, Duration::from_secs(20))
            .await?;
        println!("{action}: {}", done.value);
    }
    let restart = bmc.last_restart().await?.value;
    println!("last restart: {}", restart.cause);
    bmc.close().await;
    Ok(())
}
