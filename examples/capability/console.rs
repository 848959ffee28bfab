//! Types a line at the serial console and shows what comes back within two seconds.
//!
//! ```text
//! cargo run --release --example console                                     # a simulated BMC
//! BMC_PASSWORD=... cargo run --release --example console -- 192.0.2.7 admin # a real one
//! ```
#![allow(clippy::print_stdout)]

mod common;

use std::time::Duration;

use bmc_core::ConsoleOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = common::target().await?;
    // An error if somebody else has it; `steal: true` takes it away.
    let options = ConsoleOptions::default();
    let mut console = target.bmc.open_console(options).await?.value;
    // The console has a session of its own.
    target.bmc.close().await;

    console.write_all(b"hello\r").await?;
    let mut seen = Vec::new();
    let _ = timeout(Duration::from_secs(2), console.read_to_end(&mut seen)).await;
    println!("{:?}", String::from_utf8_lossy(&seen));
    console.shutdown().await?;
    Ok(())
}
