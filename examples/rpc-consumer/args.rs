//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::{env, fs, io};

use bmc_core::Secret;
use bmc_rpc::Scheme;
use clap::Parser;

/// A webhook consumer that switches virtual machines.
#[derive(Debug, Parser)]
#[command(name = "rpc-consumer", version)]
pub struct Args {
    /// Where to listen; port 0 is a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Environment variable that holds the secret
    #[arg(long, value_name = "VAR", required_unless_present = "secret_file")]
    secret_env: Option<String>,

    /// File that holds a secret in each line: all are accepted, so that they can be changed without a gap
    #[arg(long, value_name = "FILE", conflicts_with = "secret_env")]
    secret_file: Option<PathBuf>,

    /// Expect the headers X-BMCLIB-* instead of X-Rufio-*
    #[arg(long)]
    bmclib: bool,

    /// Program that is called as `PROGRAM HOST on|off|soft|cycle|reset|status` and prints on or off for status; machines in
    /// memory if left out
    #[arg(long, value_name = "PROGRAM")]
    pub power: Option<PathBuf>,
}

impl Args {
    pub fn secrets(&self) -> io::Result<Vec<Secret>> {
        let named = |what: &str, error: &dyn std::fmt::Display| {
            io::Error::other(format!("{what}: {error}"))
        };
        if let Some(variable) = &self.secret_env {
            let secret = env::var(variable).map_err(|error| named(variable, &error))?;
            return Ok(vec![secret.into()]);
        }
        let file = self.secret_file.clone().unwrap_or_default();
        let text =
            fs::read_to_string(&file).map_err(|error| named(&file.to_string_lossy(), &error))?;
        Ok(text
            .lines()
            .filter(|line| !line.is_empty())
            .map(Secret::from)
            .collect())
    }

    pub fn scheme(&self) -> Scheme {
        if self.bmclib {
            Scheme::bmclib()
        } else {
            Scheme::rufio()
        }
    }
}
