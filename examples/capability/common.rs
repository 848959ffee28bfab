//! Which BMC the examples talk to: `HOST USER` from the command line, with the password in `BMC_PASSWORD`, or else a
//! simulated one.
#![allow(dead_code)]

use std::env;
use std::error::Error;
use std::time::Duration;

use bmc_core::{Bmc, Credentials, Endpoint};
use bmc_ipmi::IpmiProvider;
use bmc_ipmi::record::sel::{Event, Generator, SelBody, SystemEvent};
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::{EventType, SensorType, Timestamp};

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
            let sim = Sim::builder().demo_inventory().power_delay(delay);
            let sim = sim.spawn().await?;
            sim.serial(|port| port.set_echo(true));
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

impl Target {
    /// A fan of the simulated machine fails.
    pub(crate) fn something_happens(&self) {
        let Some(sim) = &self.simulated else {
            return;
        };
        let fan_fails = SelBody::System(SystemEvent {
            timestamp: Timestamp(1_795_246_641),
            generator: Generator::BMC,
            revision: SystemEvent::REVISION,
            event: Event {
                sensor_type: SensorType::FAN,
                sensor_number: 0x10,
                deassertion: false,
                event_type: EventType::THRESHOLD,
                data: [0x02, 0xff, 0xff],
            },
        });
        sim.event_log(|log| log.push(fan_fails));
    }
}
