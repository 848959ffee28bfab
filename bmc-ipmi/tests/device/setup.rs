//! A client of a simulated BMC.

use std::sync::Arc;
use std::time::Duration;

use bmc_core::{Credentials, Endpoint};
use bmc_ipmi::proto::Known;
use bmc_ipmi::sim::SimHandle;
use bmc_ipmi::{Client, Login, Transport};
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

/// Long enough for everything on loopback.
pub(crate) fn deadline() -> Instant {
    Instant::now() + Duration::from_secs(20)
}
