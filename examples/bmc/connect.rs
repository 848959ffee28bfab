//! From targets to handles. Nothing is sent here.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use bmc_core::http::{HttpClient, HttpOptions};
use bmc_core::{Bmc, Credentials, Endpoint, Secret, TlsPolicy};
use bmc_ipmi::{ConfigError, IpmiProvider, Transport};
use bmc_rpc::{Algorithm, Keys, RpcProvider, Scheme};

use examples::password::NoPassword;

use super::args::{InvalidIpmiOption, IpmiLogin, Options};
use super::target::{Target, Way};

/// A handle and the name to report it by.
pub struct Member {
    pub label: String,
    pub bmc: Bmc,
    /// The way for commands that only IPMI knows.
    pub ipmi: Option<Arc<IpmiProvider>>,
}

/// Why a target cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum CannotConnect {
    #[error("target {0:?} names no user: give --user, or user@host")]
    NoUser(String),
    #[error(transparent)]
    NoPassword(#[from] NoPassword),
    #[error(transparent)]
    IpmiOption(#[from] InvalidIpmiOption),
    #[error("target {label:?}: {error}")]
    Ipmi { label: String, error: ConfigError },
    #[error("target {label:?}: {error}")]
    Rpc {
        label: String,
        error: bmc_rpc::ConfigError,
    },
}

/// The handles of all targets, over one transport.
pub fn fleet(targets: Vec<Target>, options: &Options) -> Result<Vec<Member>, CannotConnect> {
    let transport = Transport::new();
    let login = options.ipmi.login()?;
    let mut passwords = Passwords {
        options,
        asked: BTreeMap::new(),
    };
    let mut fleet = Vec::with_capacity(targets.len());
    let mut webhooks = Webhooks {
        options,
        shared: None,
    };
    for Target { label, user, ways } in targets {
        let mut bmc = Bmc::builder().attempt_timeout(options.timeout);
        let mut ipmi = None;
        for way in ways {
            bmc = match way {
                Way::Ipmi(endpoint) => {
                    let Some(user) = user.as_ref().or(options.user.as_ref()) else {
                        return Err(CannotConnect::NoUser(label));
                    };
                    let credentials = Credentials::new(user.as_str(), passwords.of(user)?);
                    let provider = ipmi_provider(endpoint, credentials, &transport, &login);
                    let provider = provider.map_err(|error| {
                        let label = label.clone();
                        CannotConnect::Ipmi { label, error }
                    })?;
                    let provider = ipmi.insert(Arc::new(provider));
                    bmc.shared_provider(Arc::<IpmiProvider>::clone(provider))
                }
                Way::Rpc { url, host } => bmc.provider(webhooks.provider(&label, url, host)?),
            };
        }
        let bmc = bmc.build();
        fleet.push(Member { label, bmc, ipmi });
    }
    Ok(fleet)
}

/// One HTTP client and one secret for all webhooks.
struct Webhooks<'a> {
    options: &'a Options,
    shared: Option<(HttpClient, Keys)>,
}

impl Webhooks<'_> {
    fn provider(
        &mut self,
        label: &str,
        url: String,
        host: String,
    ) -> Result<RpcProvider, CannotConnect> {
        let refused = |error| CannotConnect::Rpc {
            label: label.to_owned(),
            error,
        };
        let (client, keys) = match &self.shared {
            Some(shared) => shared.clone(),
            None => {
                let policy = match self.options.insecure {
                    true => TlsPolicy::DangerousAcceptAny,
                    false => TlsPolicy::Verify,
                };
                let client = HttpOptions::new().tls(policy).build();
                let client = client.map_err(|error| refused(error.into()))?;
                let mut keys = Keys::new();
                if let Some(source) = self.options.hmac_sha256() {
                    keys = keys.secret(Algorithm::Sha256, source.read("webhooks")?);
                }
                self.shared.insert((client, keys)).clone()
            }
        };
        let scheme = match self.options.rufio {
            true => Scheme::rufio(),
            false => Scheme::bmclib(),
        };
        let builder = RpcProvider::builder(url, host).scheme(scheme).keys(keys);
        builder.client(&client).build().map_err(refused)
    }
}

fn ipmi_provider(
    endpoint: Endpoint,
    credentials: Credentials,
    transport: &Transport,
    login: &IpmiLogin,
) -> Result<IpmiProvider, ConfigError> {
    let builder = IpmiProvider::builder(endpoint, credentials).transport(transport);
    login.apply(builder).build()
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
