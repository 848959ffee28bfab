//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use bmc_core::{BootDevice, BootMode, BootOverride, Persistence, PowerAction};
use bmc_ipmi::crypto::CipherSuite;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use examples::duration;
use examples::password::Source;

use super::command::Request;
use super::scheme::Protocol;

/// One command for one or many BMCs.
#[derive(Debug, Parser)]
#[command(
    name = "bmc",
    version,
    after_help = "TARGET is a URL (ipmi://[user@]host[:port], rpc+https://host[:port]/path[#machine]), a bare host[:port], or @FILE with one target a line (@- reads standard input).\n\
                  Without --password-env and --password-file the password is asked for on the terminal.\n\
                  Exit code: 0 all targets succeeded, 1 some target failed, 2 the command line is wrong and nothing was sent."
)]
pub struct Args {
    #[command(flatten)]
    pub options: Options,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, clap::Args)]
pub struct Options {
    /// User of targets that do not name one
    #[arg(long, global = true, value_name = "USER")]
    pub user: Option<String>,

    /// Environment variable that holds the password
    #[arg(
        long,
        global = true,
        value_name = "VAR",
        conflicts_with = "password_file"
    )]
    password_env: Option<String>,

    /// File whose first line is the password
    #[arg(long, global = true, value_name = "FILE")]
    password_file: Option<PathBuf>,

    /// Environment variable that holds the secret that webhooks are signed with (HMAC-SHA-256)
    #[arg(
        long,
        global = true,
        value_name = "VAR",
        conflicts_with = "hmac_sha256_file"
    )]
    hmac_sha256_env: Option<String>,

    /// File whose first line is that secret; without either, webhooks are not signed
    #[arg(long, global = true, value_name = "FILE")]
    hmac_sha256_file: Option<PathBuf>,

    /// Accept any TLS certificate (IPMI has none)
    #[arg(long, global = true)]
    pub insecure: bool,

    /// Time for each target, waiting included
    #[arg(long, global = true, value_name = "DURATION", default_value = "30s", value_parser = duration::positive)]
    pub timeout: Duration,

    /// Ways to reach bare hosts, first choice first: ipmi
    #[arg(long = "provider", global = true, value_name = "NAME,...", value_delimiter = ',',
        default_value = "ipmi", value_parser = Protocol::from_name)]
    pub providers: Vec<Protocol>,

    /// IPMI cipher suite, such as 17 or 3; known, it saves asking the BMC
    #[arg(long, global = true, value_name = "N", value_parser = cipher_suite)]
    pub cipher_suite: Option<CipherSuite>,

    /// Lines for people, or one JSON object a line
    #[arg(
        short,
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text"
    )]
    pub output: Format,

    /// How many targets are worked on at once
    #[arg(long, global = true, value_name = "N", default_value = "256")]
    pub parallel: NonZeroUsize,

    /// Log to standard error what happens on the wire; twice for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read or switch the power
    Power {
        verb: PowerVerb,
        /// Return when the BMC reports the state that the action leads to (cycle and reset: on)
        #[arg(long)]
        wait: bool,
        #[arg(required = true, value_name = "TARGET")]
        targets: Vec<String>,
    },
    /// Read or change what the host boots next
    #[command(subcommand)]
    Boot(BootCommand),
    /// What the BMC says it is
    Info {
        #[arg(required = true, value_name = "TARGET")]
        targets: Vec<String>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PowerVerb {
    /// Read the state
    Status,
    /// Switch on
    On,
    /// Switch off at once
    Off,
    /// Ask the operating system to shut down
    Soft,
    /// Switch off, then on
    Cycle,
    /// Reset without loss of power
    Reset,
    /// Send a diagnostic interrupt
    Nmi,
}

#[derive(Debug, Subcommand)]
pub enum BootCommand {
    /// Read the boot override
    Get {
        #[arg(required = true, value_name = "TARGET")]
        targets: Vec<String>,
    },
    /// Boot from a device, next time only unless --persistent
    Set {
        #[arg(value_name = "DEVICE", value_parser = device())]
        device: BootDevice,
        /// Until it is changed
        #[arg(long)]
        persistent: bool,
        /// Boot by UEFI
        #[arg(long, conflicts_with = "legacy")]
        efi: bool,
        /// Boot by BIOS (the default)
        #[arg(long)]
        legacy: bool,
        #[arg(required = true, value_name = "TARGET")]
        targets: Vec<String>,
    },
    /// Remove the boot override
    Clear {
        #[arg(required = true, value_name = "TARGET")]
        targets: Vec<String>,
    },
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum Format {
    /// A line a target
    Text,
    /// A JSON object a line
    Json,
}

impl Options {
    /// Where the secret for webhooks is, if they are signed.
    pub fn hmac_sha256(&self) -> Option<Source> {
        match (&self.hmac_sha256_env, &self.hmac_sha256_file) {
            (Some(name), _) => Some(Source::Variable(name.clone())),
            (None, Some(path)) => Some(Source::File(path.clone())),
            (None, None) => None,
        }
    }

    pub fn password(&self) -> Source {
        match (&self.password_env, &self.password_file) {
            (Some(name), _) => Source::Variable(name.clone()),
            (None, Some(path)) => Source::File(path.clone()),
            (None, None) => Source::Prompt,
        }
    }
}

impl Command {
    pub fn targets(&self) -> &[String] {
        match self {
            Self::Power { targets, .. }
            | Self::Info { targets }
            | Self::Boot(
                BootCommand::Get { targets }
                | BootCommand::Set { targets, .. }
                | BootCommand::Clear { targets },
            ) => targets,
        }
    }

    pub fn request(&self) -> Request {
        match *self {
            Self::Power { verb, wait, .. } => match verb.action() {
                Some(action) => Request::SetPower { action, wait },
                None if matches!(verb, PowerVerb::Nmi) => Request::Nmi,
                None => Request::PowerStatus,
            },
            Self::Boot(BootCommand::Get { .. }) => Request::BootGet,
            Self::Boot(BootCommand::Set {
                device,
                persistent,
                efi,
                ..
            }) => Request::BootSet(BootOverride {
                device,
                persistence: if persistent {
                    Persistence::Persistent
                } else {
                    Persistence::Once
                },
                mode: if efi { BootMode::Efi } else { BootMode::Legacy },
            }),
            Self::Boot(BootCommand::Clear { .. }) => {
                Request::BootSet(BootOverride::once(BootDevice::None))
            }
            Self::Info { .. } => Request::Info,
        }
    }
}

impl PowerVerb {
    fn action(self) -> Option<PowerAction> {
        match self {
            Self::Status | Self::Nmi => None,
            Self::On => Some(PowerAction::On),
            Self::Off => Some(PowerAction::Off),
            Self::Soft => Some(PowerAction::Soft),
            Self::Cycle => Some(PowerAction::Cycle),
            Self::Reset => Some(PowerAction::Reset),
        }
    }
}

/// Every device but "none", which is `boot clear`.
fn device() -> impl TypedValueParser<Value = BootDevice> {
    let words = BootDevice::ALL
        .iter()
        .filter(|device| **device != BootDevice::None);
    PossibleValuesParser::new(words.map(|device| device.as_str()))
        .try_map(|word| word.parse::<BootDevice>())
}

fn cipher_suite(text: &str) -> Result<CipherSuite, String> {
    let id: u8 = text
        .parse()
        .map_err(|_| "expected a number, such as 17 or 3")?;
    CipherSuite::try_from(id).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_grammar_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn options_stand_before_or_behind_the_command() {
        for line in [
            "bmc --user u --timeout 2m power cycle --wait a b",
            "bmc power cycle a b --wait --timeout 2m --user u",
        ] {
            let args = Args::try_parse_from(line.split(' ')).unwrap();
            assert_eq!(args.command.targets(), ["a", "b"]);
            assert_eq!(args.options.timeout, Duration::from_secs(120));
            let action = PowerAction::Cycle;
            assert_eq!(
                args.command.request(),
                Request::SetPower { action, wait: true }
            );
        }
    }

    #[test]
    fn boot_words_become_an_override() {
        let line = "bmc boot set pxe --persistent --efi a";
        let args = Args::try_parse_from(line.split(' ')).unwrap();
        let Request::BootSet(wanted) = args.command.request() else {
            panic!("not a boot set");
        };
        assert_eq!(wanted.to_string(), "pxe persistent efi");
        for wrong in ["bmc boot set none a", "bmc boot set pxe --efi --legacy a"] {
            assert!(Args::try_parse_from(wrong.split(' ')).is_err(), "{wrong}");
        }
    }
}
