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
            host: Host::parse(host)?,
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
    fn parse(text: &str) -> Result<Self, InvalidEndpoint> {
        let text = text.trim();
        let bare = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap_or(text);
        if bare.is_empty() {
            return Err(InvalidEndpoint::EmptyHost);
        }
        if let Ok(ip) = bare.parse() {
            return Ok(Self::Ip(ip));
        }
        let zoned = bare
            .split_once('%')
            .is_some_and(|(ip, zone)| ip.parse::<Ipv6Addr>().is_ok() && !zone.is_empty());
        let name = bare.len() <= 253
            && bare
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
        if zoned || name {
            return Ok(Self::Name(bare.to_owned()));
        }
        Err(InvalidEndpoint::Host(text.chars().take(80).collect()))
    }
}

/// Splits off `:port`, minding brackets and bare IPv6 addresses.
fn split(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    if text.starts_with('[') {
        return match text.rsplit_once("]:") {
            Some((host, port)) => (host.trim_start_matches('['), Some(port)),
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
