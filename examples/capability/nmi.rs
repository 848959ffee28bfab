//! Interrupts a machine's operating system, so that it takes a crash dump.
//!
//! ```text
//! cargo run --release --example nmi                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example nmi -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use std::time::Duration;

use bmc_core::{Effect, PowerAction};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    if target.simulated.is_some() {
        let on = PowerAction::On;
        bmc.set_power_observed(on, Duration::from_secs(5)).await?;
    }
    // Sent once, whatever happens to the answer.
    match bmc.send_nmi().await {
        Ok(_) => println!("the BMC has interrupted its host"),
        Err(failed) if failed.effect == Effect::Unknown => {
            println!("perhaps interrupted, do not repeat it blindly: {failed}");
        }
        Err(failed) => return Err(failed.into()),
    }
    bmc.close().await;
    Ok(())
}
