//! Reads all sensors once, and shows what is not as it should be.
//!
//! ```text
//! cargo run --release --example sensors                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example sensors -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use bmc_core::SensorStatus;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    // The first reading fetches the sensors' records as well.
    for sensor in bmc.sensors().await?.value {
        let reading = match sensor.value {
            Some(value) => format!("{value} {}", sensor.unit.unwrap_or_default()),
            None => sensor.states.join(", "),
        };
        let remark = match sensor.status {
            SensorStatus::Ok | SensorStatus::Unavailable => "",
            _ => "  <--",
        };
        println!(
            "{:<20} {:<24} {reading:<20} {}{remark}",
            sensor.name, sensor.kind, sensor.status
        );
    }
    bmc.close().await;
    Ok(())
}
