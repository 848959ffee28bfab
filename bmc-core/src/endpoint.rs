//! Where a BMC listens.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// A host (IPv4, IPv6 or name) and a port.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Endpoint {
    host: Host,
    port: u16,
}

/// The host part of an [`Endpoint`].
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Host {
    /// An address; an IPv6 zone (`fe80::1%eth0`) is kept as a name for the resolver.
    Ip(IpAddr),
    /// A name to resolve.
    Name(String),
}

/// Why a text is not an endpoint.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum InvalidEndpoint {
    /// There is no host.
    #[error("host is empty")]
    EmptyHost,
    /// The host has characters that no address and no name has.
    #[error("host {0:?} is neither an IP address nor a host name")]
    Host(String),
    /// The port is not a number from 1 to 65535.
    #[error("port {0:?} is not a number from 1 to 65535")]
    Port(String),
}

impl Endpoint {
    /// Reads a host and checks the port: `host` is an IPv4 address, an IPv6 address with or without brackets, or a name.
    ///
    /// # Errors
    /// The host is empty or malformed, or the port is 0.
    pub fn new(host: &str, port: u16) -> Result<Self, InvalidEndpoint> {
        if port == 0 {
            return Err(InvalidEndpoint::Port("0".into()));
        }
        Ok(Self {
            host: Host::parse(host.trim())?,
            port,
        })
    }

    /// Reads `host`, `host:port`, `[v6]` or `[v6]:port`; a bare IPv6 address takes `default_port`.
    ///
    /// # Errors
    /// The host is empty or malformed, or the port is not a number from 1 to 65535.
    pub fn parse(text: &str, default_port: u16) -> Result<Self, InvalidEndpoint> {
        let (host, port) = split(text);
        let port = match port {
            None => default_port,
            Some(digits) => digits
                .parse::<u16>()
                .ok()
                .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
                .ok_or_else(|| InvalidEndpoint::Port(digits.to_owned()))?,
        };
        Self::new(host, port)
    }

    /// The host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Host {
    /// Reads what stood before the port: brackets, if any, hold an IPv6 address.
    fn parse(text: &str) -> Result<Self, InvalidEndpoint> {
        let bracketed = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let bare = bracketed.unwrap_or(text);
        if bare.is_empty() {
            return Err(InvalidEndpoint::EmptyHost);
        }
        match bare.parse() {
            Ok(IpAddr::V4(_)) if bracketed.is_some() => {}
            Ok(ip) => return Ok(Self::Ip(ip)),
            Err(_) if is_zoned(bare) => return Ok(Self::Name(bare.to_owned())),
            Err(_) if bracketed.is_none() && is_name(bare) => {
                return Ok(Self::Name(bare.to_owned()));
            }
            Err(_) => {}
        }
        Err(InvalidEndpoint::Host(text.chars().take(80).collect()))
    }
}

/// An IPv6 address with a zone (RFC 4007 section 11), such as `fe80::1%eth0`.
fn is_zoned(text: &str) -> bool {
    text.split_once('%').is_some_and(|(ip, zone)| {
        ip.parse::<Ipv6Addr>().is_ok() && !zone.is_empty() && zone.bytes().all(is_name_byte)
    })
}

/// A host name (RFC 1123 section 2.1; underscores occur and are let through). One that ends in a number is refused:
/// resolvers read `10.1` and `300.1.1.1` in surprising ways.
fn is_name(text: &str) -> bool {
    let labels = text.strip_suffix('.').unwrap_or(text).split('.');
    let number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= 253
        && !labels.clone().next_back().is_none_or(number)
        && labels.into_iter().all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| is_name_byte(byte) && byte != b'.')
        })
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._".contains(&byte)
}

/// Splits off `:port`, minding brackets and bare IPv6 addresses.
fn split(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    if text.starts_with('[') {
        return match text.split_once("]:") {
            // The bracket goes with the host.
            Some((host, port)) => (text.get(..=host.len()).unwrap_or(text), Some(port)),
            None => (text, None),
        };
    }
    match text.split_once(':') {
        Some((host, port)) if !port.contains(':') => (host, Some(port)),
        _ => (text, None),
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(ip) => ip.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.to_string();
        if host.contains(':') {
            return write!(f, "[{host}]:{}", self.port);
        }
        write!(f, "{host}:{}", self.port)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> Result<String, String> {
        Endpoint::parse(text, 623)
            .map(|endpoint| endpoint.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn every_form_of_address_is_read() {
        for (text, expected) in [
            ("10.0.0.1", "10.0.0.1:623"),
            ("10.0.0.1:1623", "10.0.0.1:1623"),
            (" bmc-1.example.com ", "bmc-1.example.com:623"),
            ("bmc_1.:9", "bmc_1.:9"),
            ("2001:DB8::1", "[2001:db8::1]:623"),
            ("[2001:db8::1]", "[2001:db8::1]:623"),
            ("[::1]:65535", "[::1]:65535"),
            ("::ffff:10.0.0.1", "[::ffff:10.0.0.1]:623"),
            ("fe80::1%eth0", "[fe80::1%eth0]:623"),
            ("[fe80::1%eth0.5]:7", "[fe80::1%eth0.5]:7"),
        ] {
            assert_eq!(shown(text), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let host = |text| format!("host {text:?} is neither an IP address nor a host name");
        let port = |text| format!("port {text:?} is not a number from 1 to 65535");
        for (text, expected) in [
            ("", "host is empty".to_owned()),
            (":623", "host is empty".to_owned()),
            ("[]:623", "host is empty".to_owned()),
            ("a b", host("a b")),
            ("bmc/1", host("bmc/1")),
            ("user@bmc", host("user@bmc")),
            ("bmc..example", host("bmc..example")),
            ("300.1.1.1", host("300.1.1.1")),
            ("10.1", host("10.1")),
            ("[10.0.0.1]:1", host("[10.0.0.1]")),
            ("[bmc]", host("[bmc]")),
            ("[::1", host("[::1")),
            ("[[::1]]:1", host("[[::1]]")),
            ("[::1]x", host("[::1]x")),
            ("fe80::1%", host("fe80::1%")),
            ("10.0.0.1%eth0", host("10.0.0.1%eth0")),
            ("1:2:3", host("1:2:3")),
            ("bmc:", port("")),
            ("bmc:0", port("0")),
            ("bmc:+1", port("+1")),
            ("bmc:65536", port("65536")),
            ("[::1]:http", port("http")),
        ] {
            assert_eq!(shown(text), Err(expected), "{text}");
        }
        assert_eq!(
            Endpoint::new("bmc", 0),
            Err(InvalidEndpoint::Port("0".into()))
        );
    }

    #[test]
    fn addresses_are_told_from_names() {
        let host = |text| Endpoint::new(text, 1).unwrap().host().clone();
        assert_eq!(host("::1"), Host::Ip(Ipv6Addr::LOCALHOST.into()));
        assert_eq!(host("[::1]"), Host::Ip(Ipv6Addr::LOCALHOST.into()));
        assert_eq!(host("bmc"), Host::Name("bmc".into()));
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_back(
            host in prop_oneof![
                any::<IpAddr>().prop_map(|ip| ip.to_string()),
                any::<Ipv6Addr>().prop_map(|ip| format!("{ip}%eth0")),
                "[a-z0-9_-]{1,63}(\\.[a-z][a-z0-9-]{0,9}){0,3}\\.[a-z]{2,5}",
            ],
            port in 1..=u16::MAX,
        ) {
            let endpoint = Endpoint::new(&host, port).unwrap();
            prop_assert_eq!(Endpoint::parse(&endpoint.to_string(), 1), Ok(endpoint));
        }

        #[test]
        fn anything_else_is_an_error_or_reads_back(text in ".{0,24}") {
            if let Ok(endpoint) = Endpoint::parse(&text, 623) {
                prop_assert_eq!(Endpoint::parse(&endpoint.to_string(), 1), Ok(endpoint));
            }
        }

        #[test]
        fn brackets_and_colons_never_confuse(text in "[\\[\\]:%.0-9a-f]{0,16}") {
            if let Ok(endpoint) = Endpoint::parse(&text, 623) {
                prop_assert_eq!(Endpoint::parse(&endpoint.to_string(), 1), Ok(endpoint));
            }
        }
    }
}
