//! Simulated BMCs to try things on:
//!
//! ```text
//! BMC_PASSWORD=password cargo run --release --example virtual-bmc -- --ipmi 127.0.0.1:6230 --user admin --password-env BMC_PASSWORD --count 3
//! ```
//!
//! Prints one URL a BMC, fit for `bmc ... @FILE`, then commands to try as comments. Serves until interrupted.
#![allow(unreachable_pub)] // A program exports nothing.

mod advice;
mod args;
mod fault;
mod log;

use std::io::{self, Write};
use std::process::ExitCode;

use bmc_core::Credentials;
use bmc_ipmi::sim::{Executed, Sim, SimHandle};
use clap::Parser;
use examples::password::Source;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use args::Args;
use log::Log;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve(&Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn serve(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let (mut interrupt, mut terminate) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    let mut log = Log::open(args.log.as_deref())?;
    let (sender, mut executed) = mpsc::unbounded_channel();
    let bmcs = start(args, &sender).await?;

    let addresses: Vec<_> = bmcs.iter().map(SimHandle::addr).collect();
    if let Some(open) = addresses.iter().find(|address| !address.ip().is_loopback()) {
        let warning = "warning: other machines can reach and switch the virtual BMC at";
        writeln!(io::stderr(), "{warning} {open}")?;
    }
    advice::print(&mut io::stdout().lock(), args, &addresses)?;

    loop {
        tokio::select! {
            Some((index, command)) = executed.recv() => {
                log.write(addresses.get(index), &command)?;
            }
            _ = interrupt.recv() => return Ok(()),
            _ = terminate.recv() => return Ok(()),
        }
    }
}

/// `--count` BMCs for each address, on successive ports, or on free ones where the port is 0.
async fn start(
    args: &Args,
    log: &mpsc::UnboundedSender<(usize, Executed)>,
) -> Result<Vec<SimHandle>, Box<dyn std::error::Error>> {
    let password = Source::Variable(args.password_env.clone()).read(&args.user)?;
    let builder = Sim::builder()
        .demo_inventory()
        .credentials(Credentials::new(args.user.as_str(), password))
        .suites(args.suites.clone())
        .power(args.on)
        .power_delay(args.power_delay)
        .faults(fault::combine(&args.faults));
    let mut bmcs = Vec::new();
    for first in &args.ipmi {
        let last = first.port().checked_add(args.count.get() - 1);
        last.ok_or("--count: there are not so many ports")?;
        for offset in 0..args.count.get() {
            let mut address = *first;
            if first.port() != 0 {
                address.set_port(first.port().saturating_add(offset));
            }
            let mut builder = builder.clone().address(address);
            if args.log.is_some() {
                let (log, index) = (log.clone(), bmcs.len());
                builder = builder.observer(move |command| {
                    // The receiver lives as long as the program.
                    let _ = log.send((index, command.clone()));
                });
            }
            let bmc = builder.spawn().await;
            bmcs.push(bmc.map_err(|error| format!("--ipmi {address}: {error}"))?);
        }
    }
    Ok(bmcs)
}
