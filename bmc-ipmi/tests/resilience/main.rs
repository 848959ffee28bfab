//! Sessions that are shared, kept, lost and replaced: clients against simulated BMCs on loopback, in tokio's own time.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod keeping;
mod replacing;
mod sharing;

use std::sync::Arc;
use std::time::Duration;

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::{Executed, SimHandle};
use bmc_ipmi::wire::NetFn;
use bmc_ipmi::{Client, ClientBuilder, Login, Transport};
use tokio::time::Instant;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn builder(bmc: &SimHandle) -> ClientBuilder {
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623).unwrap();
    let login = Login::new(&Credentials::new("admin", "password")).unwrap();
    let login = login.cipher_suite(CipherSuite::SUITE_3);
    Client::builder(&Transport::new(), &endpoint, Arc::new(login))
}

/// How often the BMC has executed a command of the application network function.
fn executed(bmc: &SimHandle, command: u8) -> usize {
    let log = bmc.log();
    let like = |entry: &&Executed| (entry.netfn, entry.command) == (NetFn::APP, command);
    log.iter().filter(like).count()
}
