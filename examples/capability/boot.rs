//! Lets a machine boot from the network once, and reads that back.
//!
//! ```text
//! cargo run --release --example boot                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example boot -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use bmc_core::{BootDevice, BootMode, BootOverride};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    let wanted = BootOverride {
        mode: BootMode::Efi,
        ..BootOverride::once(BootDevice::Pxe)
    };
    // An error if the BMC accepts it and then holds another device.
    bmc.set_boot_override(wanted).await?;
    let seen = bmc.boot_override().await?.value;
    println!(
        "{} (valid: {}, raw {})",
        seen.settings, seen.valid, seen.raw
    );
    if seen.settings != wanted {
        println!("the BMC has dropped a part of {wanted}");
    }
    bmc.close().await;
    Ok(())
}
