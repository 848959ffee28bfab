//! The client against BMCs that nobody here wrote: OpenIPMI's `ipmi_sim`, the server of go-ipmi, pyghmi's fake BMC and
//! VirtualBMC.
//!
//! `.ci/peers/install openipmi goipmi pyghmi` gets them, `peers` finds them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod administration;
mod console;
mod goipmi;
mod ipmi_sim;
mod pyghmi;
mod records;
mod sensors;
#[path = "../support/spoken.rs"]
mod spoken;
mod suites;

use std::error::Error as _;
use std::time::Duration;

use bmc_core::{Credentials, Endpoint, PowerAction, PowerState, Provider};
use bmc_ipmi::proto::Known;
use bmc_ipmi::{Client, Error, IpmiProvider, IpmiProviderBuilder, Login, Transport};
use peers::Bmc;
use tokio::time::Instant;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn endpoint(peer: &impl Bmc) -> Endpoint {
    let address = peer.address();
    Endpoint::new(&address.ip().to_string(), address.port()).unwrap()
}

fn login(user: &str, password: &str) -> Login {
    Login::new(&Credentials::new(user, password)).unwrap()
}

async fn connect(peer: &impl Bmc, login: Login) -> Result<Client, Error> {
    let (endpoint, known) = (endpoint(peer), Known::default());
    Client::connect(&Transport::new(), &endpoint, login.into(), known, soon()).await
}

async fn log_in(peer: &impl Bmc, user: &str, password: &str) -> Client {
    connect(peer, login(user, password)).await.unwrap()
}

fn builder(peer: &impl Bmc, user: &str, password: &str) -> IpmiProviderBuilder {
    IpmiProvider::builder(endpoint(peer), Credentials::new(user, password))
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
