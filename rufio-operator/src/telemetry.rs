//! The log.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::args::{LogArgs, LogFormat};

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The level is not one.
    #[error(
        "--log-level: {0}; allowed are error, warn, info, debug, trace and directives such as info,rufio_operator=debug"
    )]
    Level(#[from] ParseError),
    /// A log was set up before.
    #[error("log: {0}")]
    Twice(#[from] TryInitError),
}

/// Starts logging to standard error. `default_level` counts where no level was asked for.
pub fn init(args: &LogArgs, default_level: &str) -> Result<(), TelemetryError> {
    let level = args.log_level.as_deref().unwrap_or(default_level);
    // The client logs every reply of 500 and above as an error, also those that are handled.
    let filter = EnvFilter::builder()
        .parse(level)?
        .add_directive("kube_client::client::builder=off".parse()?);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    match args.log_format {
        LogFormat::Json => builder.json().flatten_event(true).finish().try_init()?,
        LogFormat::Text => builder
            .with_ansi(io::stderr().is_terminal())
            .with_target(false)
            .finish()
            .try_init()?,
    }
    Ok(())
}
