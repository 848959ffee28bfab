//! What the fields of a Connection mean, checked.

use bmc_core::{Credentials, Endpoint, InvalidEndpoint};
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::{ConfigError, IpmiProvider, Transport};

use super::port::IpmiWithFallback;
use super::{ConnectError, secrets};
use crate::api::Connection;
use crate::store::{Key, SecretData};

/// Names that `preferredOrder` may hold.
const PROVIDERS: [&str; 7] = [
    "ipmitool",
    "asrockrack",
    "gofish",
    "IntelAMT",
    "dell",
    "supermicro",
    "openbmc",
];

/// A checked Connection; equal ones mean the same BMC reached in the same way.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct IpmiOptions {
    endpoint: Endpoint,
    /// Tried if nothing answers at `endpoint`.
    fallback: Option<Endpoint>,
    cipher_suite: Option<u8>,
}

impl IpmiOptions {
    /// Checks everything but the Secret.
    pub(super) fn of(connection: &Connection) -> Result<Self, ConnectError> {
        let options = connection.provider_options.clone().unwrap_or_default();
        for name in &options.preferred_order {
            if !PROVIDERS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
            {
                return Err(ConnectError::Invalid {
                    field: "providerOptions.preferredOrder",
                    reason: format!("{name:?} is none of {}", PROVIDERS.join(", ")),
                });
            }
        }
        let ipmi = options.ipmitool.unwrap_or_default();
        // Rufio takes 0 for "not set".
        let own_port = ipmi.port.filter(|port| *port != 0);
        let (field, number) = match own_port {
            Some(port) => ("providerOptions.ipmitool.port", port),
            None if connection.port == 0 => ("port", i32::from(IpmiProvider::PORT)),
            None => ("port", connection.port),
        };
        let endpoint = endpoint(connection, field, number)?;
        let guessed = own_port.is_none() && number != i32::from(IpmiProvider::PORT);
        let fallback = guessed
            .then(|| self::endpoint(connection, "port", i32::from(IpmiProvider::PORT)))
            .transpose()?;
        let suite = ipmi.cipher_suite.filter(|suite| !suite.is_empty());
        Ok(Self {
            endpoint,
            fallback,
            cipher_suite: suite.as_deref().map(cipher_suite).transpose()?,
        })
    }

    /// The way to reach the BMC.
    pub(super) fn provider(
        &self,
        secrets: &[(&Key, &SecretData)],
        transport: &Transport,
    ) -> Result<IpmiWithFallback, ConnectError> {
        let credentials = credentials(secrets)?;
        let build = |endpoint: &Endpoint| {
            let mut builder =
                IpmiProvider::builder(endpoint.clone(), credentials.clone()).transport(transport);
            if let Some(suite) = self
                .cipher_suite
                .and_then(|id| CipherSuite::try_from(id).ok())
            {
                builder = builder.cipher_suite(suite);
            }
            builder.build().map_err(refused)
        };
        let fallback = self.fallback.as_ref().map(build).transpose()?;
        Ok(IpmiWithFallback::new(build(&self.endpoint)?, fallback))
    }

    /// What to say when the fallback is in use.
    pub(super) fn notice(&self) -> Option<String> {
        let fallback = self.fallback.as_ref()?;
        Some(format!(
            "nothing answers at {}; {fallback} does: correct spec.connection.port, or set providerOptions.ipmitool.port",
            self.endpoint
        ))
    }
}

fn endpoint(
    connection: &Connection,
    field: &'static str,
    port: i32,
) -> Result<Endpoint, ConnectError> {
    let number = u16::try_from(port).unwrap_or(0);
    Endpoint::new(&connection.host, number).map_err(|error| ConnectError::Invalid {
        field: match error {
            InvalidEndpoint::Port(_) => field,
            InvalidEndpoint::EmptyHost | InvalidEndpoint::Host(_) => "host",
        },
        reason: match error {
            InvalidEndpoint::Port(_) => format!("{port} is not a number from 1 to 65535"),
            error => error.to_string(),
        },
    })
}

fn credentials(secrets: &[(&Key, &SecretData)]) -> Result<Credentials, ConnectError> {
    let username = secrets::credential(secrets, "username")?;
    let username = String::from_utf8(username.expose().to_vec());
    let username = username.map_err(|_| ConnectError::Invalid {
        field: "authSecretRef",
        reason: "the username in the Secret is not valid UTF-8".into(),
    })?;
    Ok(Credentials::new(
        username,
        secrets::credential(secrets, "password")?,
    ))
}

fn cipher_suite(text: &str) -> Result<u8, ConnectError> {
    let known = |id: &u8| CipherSuite::try_from(*id).is_ok();
    let id = text.parse::<u8>().ok().filter(known);
    id.ok_or_else(|| {
        let allowed: Vec<String> = CipherSuite::ALL
            .iter()
            .map(|suite| format!("\"{}\"", suite.id()))
            .collect();
        ConnectError::Invalid {
            field: "providerOptions.ipmitool.cipherSuite",
            reason: format!(
                "{text:?} is not supported: use one of {}",
                allowed.join(", ")
            ),
        }
    })
}

/// What IPMI refuses before anything is sent is in the Secret.
fn refused(error: ConfigError) -> ConnectError {
    ConnectError::Invalid {
        field: "authSecretRef",
        reason: error.to_string(),
    }
}
