//! Shows which machine it is by its light, for ten seconds.
//!
//! ```text
//! cargo run --release --example identify                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example identify -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use std::time::Duration;

use bmc_core::{ErrorKind, IdentifyAction};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    let bmc = &target.bmc;
    bmc.set_identify(IdentifyAction::For(Duration::from_secs(10)))
        .await?;
    match bmc.identify_light().await {
        Ok(light) => println!("identify light: {}", light.value),
        Err(failed) if failed.kind() == ErrorKind::Unsupported => {
            println!("this BMC does not tell the state of its light");
        }
        Err(failed) => return Err(failed.into()),
    }
    bmc.close().await;
    Ok(())
}
