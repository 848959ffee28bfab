//! The command line.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

use bmc_ipmi::IpmiProvider;
use bmc_ipmi::crypto::CipherSuite;
use clap::Parser;
use examples::duration;

use super::fault::Fault;

/// Simulated BMCs on this machine, each with a machine of its own that can be switched.
#[derive(Debug, Parser)]
#[command(
    name = "virtual-bmc",
    version,
    after_help = "FAULT is one of:\n\
    \x20 drop=P, corrupt=P              probability, such as 0.25, for each datagram\n\
    \x20 delay=DURATION                 every reply takes longer\n\
    \x20 reorder=DURATION               every reply takes up to so much longer\n\
    \x20 duplicate                      every reply is sent twice\n\
    \x20 drop-next-requests=N, drop-next-replies=N\n\
    \x20 silent                         answers nothing\n\
    \x20 ignore                         accepts commands and does nothing\n\
    \x20 refuse-auth                    refuses every login"
)]
pub struct Args {
    /// Where to serve IPMI; port 623 if left out, a free one if 0
    #[arg(long, value_name = "ADDR", num_args = 1.., default_value = "127.0.0.1:6230", value_parser = address)]
    pub ipmi: Vec<SocketAddr>,

    /// The user that may log in, as administrator
    #[arg(long, value_name = "USER")]
    pub user: String,

    /// Environment variable that holds the password
    #[arg(long, value_name = "VAR")]
    pub password_env: String,

    /// So many BMCs for each address, on successive ports
    #[arg(long, value_name = "N", default_value = "1")]
    pub count: NonZeroU16,

    /// Whether the machines are on at first
    #[arg(long)]
    pub on: bool,

    /// How long a machine takes to switch
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = duration::any)]
    pub power_delay: Duration,

    /// What goes wrong
    #[arg(long = "fault", value_name = "FAULT,...", value_delimiter = ',')]
    pub faults: Vec<Fault>,

    /// IPMI cipher suites on offer
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "3,17", value_parser = suite)]
    pub suites: Vec<CipherSuite>,

    /// Write one line for each executed command to a file, or to standard error for -
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let bare = |_| {
        text.parse::<IpAddr>()
            .map(|ip| (ip, IpmiProvider::PORT).into())
    };
    text.parse().or_else(bare).map_err(|_| {
        "expected an IP address with or without port, such as 127.0.0.1:6230 or [::1]:0".into()
    })
}

fn suite(text: &str) -> Result<CipherSuite, String> {
    let id: u8 = text.parse().map_err(|_| "expected a number, such as 17")?;
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
    fn words_become_settings() {
        let line = "virtual-bmc --ipmi 127.0.0.1:0 ::1 --user u --password-env V --suites 17 --fault silent,drop=0.5";
        let args = Args::try_parse_from(line.split(' ')).unwrap();
        assert_eq!(args.ipmi[0].to_string(), "127.0.0.1:0");
        assert_eq!(args.ipmi[1].to_string(), "[::1]:623");
        assert_eq!(args.suites, [CipherSuite::SUITE_17]);
        assert_eq!(args.faults, [Fault::Silent, Fault::Drop(0.5)]);
        for wrong in [
            "--suites 4",
            "--ipmi localhost:1",
            "--count 0",
            "--fault drop=2",
        ] {
            let line = format!("virtual-bmc --user u --password-env V {wrong}");
            assert!(Args::try_parse_from(line.split(' ')).is_err(), "{wrong}");
        }
    }
}
