//! From targets to handles. Nothing is sent here.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bmc_core::{Bmc, Credentials, Endpoint, Secret};
use bmc_ipmi::{ConfigError, IpmiProvider, Transport};

use examples::password::NoPassword;

use super::args::Options;
use super::scheme::Protocol;
use super::target::Target;

/// A handle and the name to report it by.
pub struct Member {
    pub label: String,
    pub bmc: Bmc,
}

/// Why a target cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum CannotConnect {
    #[error("target {0:?} names no user: give --user, or user@host")]
    NoUser(String),
    #[error(transparent)]
    NoPassword(#[from] NoPassword),
    #[error("target {label:?}: {error}")]
    Ipmi { label: String, error: ConfigError },
}

/// The handles of all targets, over one transport.
pub fn fleet(targets: Vec<Target>, options: &Options) -> Result<Vec<Member>, CannotConnect> {
    let transport = Transport::new();
    let mut passwords = Passwords {
        options,
        asked: BTreeMap::new(),
    };
    let mut fleet = Vec::with_capacity(targets.len());
    for Target { label, user, ways } in targets {
        let Some(user) = user.or_else(|| options.user.clone()) else {
            return Err(CannotConnect::NoUser(label));
        };
        let credentials = Credentials::new(user.as_str(), passwords.of(&user)?);
        let mut bmc = Bmc::builder().attempt_timeout(options.timeout);
        for (protocol, endpoint) in ways {
            bmc = match protocol {
                Protocol::Ipmi => {
                    let provider = ipmi(endpoint, credentials.clone(), &transport, options);
                    bmc.provider(provider.map_err(|error| {
                        let label = label.clone();
                        CannotConnect::Ipmi { label, error }
                    })?)
                }
            };
        }
        let bmc = bmc.build();
        fleet.push(Member { label, bmc });
    }
    Ok(fleet)
}

fn ipmi(
    endpoint: Endpoint,
    credentials: Credentials,
    transport: &Transport,
    options: &Options,
) -> Result<IpmiProvider, ConfigError> {
    let mut builder = IpmiProvider::builder(endpoint, credentials).transport(transport);
    if let Some(suite) = options.cipher_suite {
        builder = builder.cipher_suite(suite);
    }
    builder.build()
}

/// One password for all, or one question a user.
struct Passwords<'a> {
    options: &'a Options,
    asked: BTreeMap<String, Secret>,
}

impl Passwords<'_> {
    fn of(&mut self, user: &str) -> Result<Secret, NoPassword> {
        Ok(match self.asked.entry(user.to_owned()) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(free) => free.insert(self.options.password().read(user)?).clone(),
        })
    }
}
