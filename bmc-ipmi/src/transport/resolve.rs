//! Names to addresses.

use std::net::SocketAddr;

use bmc_core::{Endpoint, Host};

use crate::error::Error;

/// The addresses of an endpoint, in the order of the system's resolver.
///
/// # Errors
/// The name has no address or the resolver fails.
pub(crate) async fn resolve(endpoint: &Endpoint) -> Result<Vec<SocketAddr>, Error> {
    let name = match endpoint.host() {
        Host::Ip(ip) => return Ok(vec![(*ip, endpoint.port()).into()]),
        Host::Name(name) => name.as_str(),
    };
    let mut addresses = Vec::new();
    match tokio::net::lookup_host((name, endpoint.port())).await {
        Ok(found) => {
            for address in found {
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
        }
        Err(error) => return Err(Error::resolve(name, error)),
    }
    if addresses.is_empty() {
        return Err(Error::resolve(name, std::io::Error::other("no address")));
    }
    Ok(addresses)
}
