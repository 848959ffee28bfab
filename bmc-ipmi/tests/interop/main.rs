//! The client against BMCs that nobody here wrote: OpenIPMI's `ipmi_sim`, the server of go-ipmi, pyghmi's fake BMC and
//! VirtualBMC.
//!
//! `.ci/peers/install openipmi goipmi pyghmi` gets them. Without them a test says so and passes, unless `CI` is set.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr
)]

mod administration;
mod console;
mod goipmi;
mod ipmi_sim;
mod peers;
mod pyghmi;
mod records;
mod sensors;
#[path = "../support/spoken.rs"]
mod spoken;
mod suites;

use std::error::Error as _;
use std::time::Duration;

use bmc_core::{Credentials, PowerAction, PowerState, Provider};
use bmc_ipmi::{Error, IpmiProvider, IpmiProviderBuilder, Transport};
use tokio::time::Instant;

use peers::Peer;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn builder(peer: &impl Peer, user: &str, password: &str) -> IpmiProviderBuilder {
    IpmiProvider::builder(peer.endpoint(), Credentials::new(user, password))
        .transport(&Transport::new())
}

/// On, off and cycle, each seen by reading back.
async fn walk_through(provider: &IpmiProvider) {
    switch(provider, &[PowerAction::Cycle]).await;
}

/// On, then what keeps it on, then off, each seen by reading back; then the identity.
async fn switch(provider: &IpmiProvider, while_on: &[PowerAction]) {
    let session = provider.open(soon()).await.unwrap();
    let power = session.power().unwrap();
    let actions = [PowerAction::On, PowerAction::On]
        .into_iter()
        .chain(while_on.iter().copied())
        .chain([PowerAction::Off, PowerAction::Off]);
    for action in actions {
        let state = action.goal().unwrap_or(PowerState::On);
        power.set_power(action).await.unwrap();
        let deadline = soon();
        while power.power_state().await.unwrap() != state {
            assert!(Instant::now() < deadline, "{action} never led to {state}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let identity = session.identity().unwrap().identity().await.unwrap();
    assert!(identity.firmware.is_some() && identity.manufacturer.is_some());
    session.close().await;
}

async fn failure(provider: &IpmiProvider) -> bmc_core::Error {
    provider.open(soon()).await.map(drop).unwrap_err()
}

fn cause(error: &bmc_core::Error) -> &Error {
    error.source().unwrap().downcast_ref().unwrap()
}
