//! A client of a simulated BMC.

use std::sync::Arc;
use std::time::Duration;

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::SimHandle;
use bmc_ipmi::wire::Privilege;
use bmc_ipmi::{Client, Error, Login, Transport};
use tokio::time::Instant;

/// Logs in as the default administrator.
pub(crate) async fn connect(bmc: &SimHandle) -> Client {
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623).unwrap();
    let login = Arc::new(Login::new(&Credentials::new("admin", "password")).unwrap());
    let transport = Transport::new();
    let known = Known::default();
    Client::connect(&transport, &endpoint, login, known, deadline())
        .await
        .unwrap()
}

/// Logs in as somebody, with this privilege if one is named.
pub(crate) async fn connect_as(
    bmc: &SimHandle,
    credentials: Credentials,
    privilege: Option<Privilege>,
) -> Result<Client, Error> {
    let endpoint = Endpoint::parse(&bmc.addr().to_string(), 623).unwrap();
    let mut login = Login::new(&credentials).unwrap();
    if let Some(privilege) = privilege {
        login = login.privilege(privilege).unwrap();
    }
    let transport = Transport::new();
    let known = Known::default();
    Client::connect(&transport, &endpoint, Arc::new(login), known, deadline()).await
}

/// Long enough for everything on loopback.
pub(crate) fn deadline() -> Instant {
    Instant::now() + Duration::from_secs(20)
}
