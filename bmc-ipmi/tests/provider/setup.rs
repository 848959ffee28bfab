//! A handle to a simulated BMC.

use std::time::Duration;

use bmc_core::{Bmc, Credentials, Endpoint, Exhausted, Outcome};
use bmc_ipmi::sim::{SimBuilder, SimHandle};
use bmc_ipmi::wire::NetFn;
use bmc_ipmi::{IpmiProvider, IpmiProviderBuilder};

/// Commands wait no longer for an answer.
pub(crate) const COMMAND_TIMEOUT: Duration = Duration::from_secs(2);

/// A provider as the default administrator.
pub(crate) fn builder(bmc: &SimHandle) -> IpmiProviderBuilder {
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), IpmiProvider::PORT).unwrap();
    IpmiProvider::builder(endpoint, Credentials::new("admin", "password"))
        .command_timeout(COMMAND_TIMEOUT)
}

pub(crate) fn handle(provider: IpmiProviderBuilder) -> Bmc {
    Bmc::builder().provider(provider.build().unwrap()).build()
}

/// A BMC and a handle to it.
pub(crate) async fn pair(sim: SimBuilder) -> (SimHandle, Bmc) {
    let bmc = sim.spawn().await.unwrap();
    let handle = handle(builder(&bmc));
    (bmc, handle)
}

/// How often the BMC was given this command.
pub(crate) fn count(bmc: &SimHandle, netfn: NetFn, command: u8) -> usize {
    let log = bmc.log();
    log.iter()
        .filter(|done| (done.netfn, done.command) == (netfn, command))
        .count()
}

/// The failure of an operation.
pub(crate) fn failure<T>(result: Result<Outcome<T>, Exhausted>) -> Exhausted {
    match result {
        Ok(outcome) => panic!("it should have failed: {}", outcome.report),
        Err(failed) => failed,
    }
}
