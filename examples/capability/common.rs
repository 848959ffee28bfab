//! Which BMC the examples talk to: `HOST USER` from the command line, with the password in `BMC_PASSWORD`, or else a
//! simulated one.
#![allow(dead_code)]

use std::env;
use std::error::Error;
use std::time::Duration;

use bmc_core::{Bmc, Credentials, Endpoint};
use bmc_ipmi::IpmiProvider;
use bmc_ipmi::sim::{Sim, SimHandle};

/// A BMC. The simulated one lives as long as this does.
pub(crate) struct Target {
    pub(crate) bmc: Bmc,
    pub(crate) simulated: Option<SimHandle>,
}

pub(crate) async fn target() -> Result<Target, Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (endpoint, credentials, simulated) = match (args.next(), args.next()) {
        (Some(host), Some(user)) => {
            let password = env::var("BMC_PASSWORD")?;
            let endpoint = Endpoint::parse(&host, IpmiProvider::PORT)?;
            (endpoint, Credentials::new(user, password), None)
        }
        (None, _) => {
            let delay = Duration::from_millis(500);
            let sim = Sim::builder().power_delay(delay).spawn().await?;
            let endpoint = Endpoint::parse(&sim.addr().to_string(), IpmiProvider::PORT)?;
            let credentials = Credentials::new("admin", "password");
            (endpoint, credentials, Some(sim))
        }
        (Some(_), None) => return Err("give HOST and USER, or nothing for a simulated BMC".into()),
    };
    let provider = IpmiProvider::builder(endpoint, credentials).build()?;
    let bmc = Bmc::builder().provider(provider).build();
    Ok(Target { bmc, simulated })
}
