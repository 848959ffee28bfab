//! The command line.

mod ipmi;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use examples::duration;
use examples::password::Source;

use super::command::Command;
use super::scheme::Protocol;

pub use ipmi::{InvalidIpmiOption, IpmiLogin, IpmiOptions};

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

    /// Sign webhooks as Rufio does, with headers X-Rufio-* instead of X-BMCLIB-*
    #[arg(long, global = true)]
    pub rufio: bool,

    /// Accept any TLS certificate of webhooks (IPMI has none)
    #[arg(long, global = true)]
    pub insecure: bool,

    /// Time for each target, waiting included
    #[arg(long, global = true, value_name = "DURATION", default_value = "30s", value_parser = duration::positive)]
    pub timeout: Duration,

    /// Ways to reach bare hosts, first choice first: ipmi
    #[arg(long = "provider", global = true, value_name = "NAME,...", value_delimiter = ',',
        default_value = "ipmi", value_parser = Protocol::from_name)]
    pub providers: Vec<Protocol>,

    #[command(flatten)]
    pub ipmi: IpmiOptions,

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
    #[arg(long, global = true, value_name = "N", default_value = "128")]
    pub parallel: NonZeroUsize,

    /// Log to standard error what happens on the wire; twice for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_grammar_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_command_is_named_as_it_is_typed() {
        for (name, rest) in [
            ("power status", "a"),
            ("power nmi", "a"),
            ("boot get", "a"),
            ("boot clear", "a"),
            ("info", "a"),
            ("sensors", "a"),
            ("sel info", "a"),
            ("sel list", "a"),
            ("sel watch", "a"),
            ("sel clear", "a"),
            ("lan show", "a"),
            ("sdr", "a"),
            ("fru", "a"),
            ("user list", "a"),
            ("identify status", "a"),
            ("identify on", "a"),
            ("identify off", "a"),
            ("mc info", "a"),
            ("mc reset cold", "a"),
            ("mc reset warm", "a"),
            ("sol", "a"),
            ("watchdog stop", "a"),
            ("dcmi limit off", "a"),
            ("boot set", "pxe a"),
            ("user set", "--id 3 --role user a"),
            ("user enable", "3 a"),
            ("user disable", "3 a"),
            ("user delete", "3 a"),
        ] {
            let line = format!("bmc {name} {rest}");
            let mut args = Args::try_parse_from(line.split(' ')).unwrap();
            assert_eq!(args.command.request().name(), name);
        }
    }

    #[test]
    fn options_stand_before_or_behind_the_command() {
        for line in [
            "bmc --user u --timeout 2m power cycle --wait a b",
            "bmc power cycle a b --wait --timeout 2m --user u",
        ] {
            let mut args = Args::try_parse_from(line.split(' ')).unwrap();
            let request = args.command.request();
            assert_eq!(request.targets(), ["a", "b"]);
            assert_eq!(request.name(), "power cycle");
            assert_eq!(args.options.timeout, Duration::from_secs(120));
        }
    }
}
