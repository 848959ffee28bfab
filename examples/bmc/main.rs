//! One command for one or many BMCs, without a cluster:
//!
//! ```text
//! BMC_PASSWORD=password cargo run --release --example bmc -- --user admin --password-env BMC_PASSWORD power status ipmi://192.0.2.7
//! ```
//!
//! `virtual-bmc` of this directory prints such lines for BMCs of its own.

#![allow(unreachable_pub)] // A program exports nothing.

mod args;
mod command;
mod connect;
mod fleet;
mod interrupt;
mod output;
mod scheme;
mod table;
mod target;

use std::process::ExitCode;

use clap::Parser;

use args::Args;

/// Some target failed.
const FAILED: u8 = 1;
/// The command line cannot be carried out; nothing was sent.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let mut args = Args::parse();
    log(args.options.verbose);
    match run(&mut args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => FAILED.into(),
        Err(error) => {
            eprintln_quietly(&format!(
                "error: {error}\n\nFor more information, try '--help'."
            ));
            USAGE.into()
        }
    }
}

/// Whether all targets succeeded; an error before anything was sent.
fn run(args: &mut Args) -> Result<bool, Box<dyn std::error::Error>> {
    let request = args.command.request();
    request.prepare()?;
    let targets = target::read(request.targets(), &args.options.providers)?;
    let fleet = connect::fleet(targets, &args.options)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let all_well = runtime.block_on(fleet::run(fleet, request, &args.options))?;
    // A thread may still wait for a key.
    runtime.shutdown_background();
    Ok(all_well)
}

/// Nothing is set up unless asked for: start-up time counts.
fn log(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => tracing::Level::DEBUG,
        _ => tracing::Level::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .init();
}

/// A closed standard error is no reason to panic.
fn eprintln_quietly(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}
