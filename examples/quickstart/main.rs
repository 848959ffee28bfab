//! Everything in one process, without a cluster: three virtual BMCs, and the operator that switches them.
//!
//! ```text
//! cargo run --release --example quickstart
//! ```
//!
//! Three Machines become Contactable, and a Job on each runs off, pxe, on. Progress goes to standard error, live on a
//! terminal and as plain lines elsewhere; the summary goes to standard output. Ends by itself: exit code 0 if all went well.
#![allow(unreachable_pub)] // A program exports nothing.

mod manifest;
mod report;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bmc_core::Credentials;
use bmc_ipmi::Transport;
use bmc_ipmi::sim::Sim;
use rufio_operator::connect::{ConnectConfig, Connector};
use rufio_operator::run::local::manifest::Manifests;
use rufio_operator::run::local::{self, LocalOptions};

const BMCS: u16 = 3;
/// A machine in memory could switch at once; one second shows that the operator waits for it.
const POWER_DELAY: Duration = Duration::from_secs(1);
/// Something is badly wrong if it takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match quickstart().await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether everything went as it should.
async fn quickstart() -> Result<bool, Box<dyn Error>> {
    let began = Instant::now();
    let bmcs = Sim::builder()
        .credentials(Credentials::new(manifest::USER, manifest::PASSWORD))
        .power(true)
        .power_delay(POWER_DELAY)
        .spawn_many(BMCS)
        .await?;
    let ports: Vec<u16> = bmcs.iter().map(|bmc| bmc.addr().port()).collect();
    let manifests = Manifests::parse(&[manifest::of(&ports)])?;

    let transport = Transport::new();
    let options = LocalOptions {
        timeout: Some(PATIENCE),
        ..LocalOptions::default()
    };
    let connect =
        |store: &_| Connector::new(Clone::clone(store), transport, ConnectConfig::default());
    let interrupted = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    let summary = local::run(options, manifests, connect, interrupted).await?;

    let mut out = io::stdout().lock();
    for (index, bmc) in bmcs.iter().enumerate() {
        writeln!(out, "{}: {}", manifest::name(index), report::of(bmc))?;
    }
    writeln!(out, "{summary}")?;
    writeln!(out, "ended after {:.1} s", began.elapsed().as_secs_f64())?;
    Ok(summary.is_success() && bmcs.iter().all(report::is_as_wanted))
}
