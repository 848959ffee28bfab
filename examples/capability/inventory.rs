//! Lists what a machine is made of.
//!
//! ```text
//! cargo run --release --example inventory                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example inventory -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    for component in bmc.inventory().await?.value {
        let known = [
            component.manufacturer,
            component.model,
            component.part_number,
            component.serial_number,
            component.version,
        ];
        let known: Vec<_> = known.into_iter().flatten().collect();
        println!(
            "{:<20} {:<12} {}",
            component.name,
            component.kind,
            known.join(", ")
        );
    }
    bmc.close().await;
    Ok(())
}
