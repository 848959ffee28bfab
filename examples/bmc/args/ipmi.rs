//! How to log in by IPMI.

use std::path::PathBuf;

use bmc_core::Secret;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::quirks::{Quirk, Quirks};
use bmc_ipmi::wire::{AuthType, Privilege};
use bmc_ipmi::{ConfigError, IpmiProviderBuilder, Kg};
use clap::ValueEnum;

use examples::password::{NoPassword, Source};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "IPMI options")]
pub struct IpmiOptions {
    /// Cipher suite, such as 17 or 3; known, it saves asking the BMC
    #[arg(long, global = true, value_name = "N", value_parser = cipher_suite)]
    cipher_suite: Option<CipherSuite>,

    /// Allow cipher suite 0: anybody can take the session over
    #[arg(long, global = true, conflicts_with = "cipher_suite")]
    danger_cipher_suite_zero: bool,

    /// Environment variable that holds the BMC key Kg: text, or 0x and hexadecimal digits
    #[arg(long, global = true, value_name = "VAR", conflicts_with = "kg_file")]
    kg_env: Option<String>,

    /// File whose first line is the BMC key Kg
    #[arg(long, global = true, value_name = "FILE")]
    kg_file: Option<PathBuf>,

    /// Privilege to log in with; without it administrator, or what the user has
    #[arg(long, global = true, value_name = "LEVEL")]
    privilege: Option<Level>,

    /// A deviation of the BMC to bear with, such as opensesspriv; may be given several times
    #[arg(
        long = "quirk",
        global = true,
        value_name = "NAME,...",
        value_delimiter = ','
    )]
    quirks: Vec<Quirk>,

    /// Open an IPMI v1.5 session, never encrypted, with this authentication
    #[arg(
        long,
        global = true,
        value_name = "AUTH",
        conflicts_with_all = ["cipher_suite", "danger_cipher_suite_zero"]
    )]
    v15: Option<Authentication>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Level {
    User,
    Operator,
    Administrator,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Authentication {
    None,
    Md2,
    Md5,
    Password,
}

/// Why the options cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidIpmiOption {
    #[error("BMC key: {0}")]
    NoKey(#[from] NoPassword),
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// The options, with the key fetched.
#[derive(Clone, Debug, Default)]
pub struct IpmiLogin {
    suite: Option<CipherSuite>,
    kg: Option<Kg>,
    privilege: Option<Privilege>,
    quirks: Quirks,
    v15: Option<AuthType>,
}

impl IpmiOptions {
    /// Fetches the key, if there is one.
    pub fn login(&self) -> Result<IpmiLogin, InvalidIpmiOption> {
        let source = match (&self.kg_env, &self.kg_file) {
            (Some(name), _) => Some(Source::Variable(name.clone())),
            (None, Some(path)) => Some(Source::File(path.clone())),
            (None, None) => None,
        };
        let kg = match source {
            Some(source) => Some(kg(&source.read("the BMC key")?)?),
            None => None,
        };
        Ok(IpmiLogin {
            suite: match self.danger_cipher_suite_zero {
                true => Some(CipherSuite::danger_suite_0()),
                false => self.cipher_suite,
            },
            kg,
            privilege: self.privilege.map(|level| match level {
                Level::User => Privilege::USER,
                Level::Operator => Privilege::OPERATOR,
                Level::Administrator => Privilege::ADMINISTRATOR,
            }),
            quirks: self.quirks.iter().copied().collect(),
            v15: self.v15.map(|authentication| match authentication {
                Authentication::None => AuthType::NONE,
                Authentication::Md2 => AuthType::MD2,
                Authentication::Md5 => AuthType::MD5,
                Authentication::Password => AuthType::STRAIGHT,
            }),
        })
    }
}

impl IpmiLogin {
    /// Sets a provider up so.
    pub fn apply(&self, mut builder: IpmiProviderBuilder) -> IpmiProviderBuilder {
        builder = builder.quirks(self.quirks);
        if let Some(suite) = self.suite {
            builder = builder.cipher_suite(suite);
        }
        if let Some(kg) = &self.kg {
            builder = builder.kg(kg.clone().into());
        }
        if let Some(privilege) = self.privilege {
            builder = builder.privilege(privilege);
        }
        if let Some(auth_type) = self.v15 {
            builder = builder.v15(auth_type);
        }
        builder
    }
}

/// Sources hold text.
fn kg(secret: &Secret) -> Result<Kg, ConfigError> {
    match std::str::from_utf8(secret.expose()) {
        Ok(text) => text.parse(),
        Err(_) => Kg::new(secret.clone()),
    }
}

fn cipher_suite(text: &str) -> Result<CipherSuite, String> {
    let id: u8 = text
        .parse()
        .map_err(|_| "expected a number, such as 17 or 3")?;
    if id == 0 {
        return Err("it protects nothing: --danger-cipher-suite-zero allows it".into());
    }
    CipherSuite::try_from(id).map_err(|error| error.to_string())
}
