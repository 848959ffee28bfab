//! Two ways to one BMC, the first of which leads nowhere: what the report tells.
//!
//! ```text
//! cargo run --release --example fallback_report
//! ```
//!
//! The first way is IPMI to a port on which nothing listens; the second is IPMI to a simulated BMC.
#![allow(clippy::print_stdout)]

use std::net::{Ipv4Addr, UdpSocket};

use bmc_core::{Bmc, Credentials, Endpoint, Exhausted, PowerAction};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::{IpmiProvider, Transport};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let machine = Sim::builder().spawn().await?;
    // A port that was free a moment ago.
    let nobody = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;

    let transport = Transport::new();
    let ipmi = |port: u16, password: &str| -> Result<IpmiProvider, Box<dyn std::error::Error>> {
        let endpoint = Endpoint::new("127.0.0.1", port)?;
        let credentials = Credentials::new("admin", password);
        let provider = IpmiProvider::builder(endpoint, credentials).transport(&transport);
        Ok(provider.build()?)
    };

    let bmc = Bmc::builder()
        .provider(ipmi(nobody.port(), "password")?)
        .provider(ipmi(machine.addr().port(), "password")?)
        .build();
    let done = bmc.set_power(PowerAction::On).await?;
    println!("power on succeeded:");
    for attempt in &done.report.attempts {
        let (way, stage) = (attempt.provider, attempt.stage);
        match &attempt.error {
            Some(error) => println!("  {way} {stage:?}: {}: {error}", error.kind()),
            None => println!("  {way} {stage:?}: done"),
        }
    }
    bmc.close().await;

    // When no way is left, the error carries the same report, and says whether the machine may have acted.
    let bmc = Bmc::builder()
        .provider(ipmi(nobody.port(), "password")?)
        .provider(ipmi(machine.addr().port(), "wrong")?)
        .build();
    let Err(failed) = bmc.set_power(PowerAction::Cycle).await else {
        return Err("a wrong password worked".into());
    };
    explain(&failed);
    println!("the machine has seen {} cycles", machine.cycles());
    bmc.close().await;
    Ok(())
}

fn explain(failed: &Exhausted) {
    println!("power cycle failed:");
    println!(
        "  kind: {}, may have acted: {:?}",
        failed.kind(),
        failed.effect
    );
    for (attempt, error) in failed.report.failures() {
        println!(
            "  {} {:?}: {}: {error}",
            attempt.provider,
            attempt.stage,
            error.kind()
        );
    }
}
