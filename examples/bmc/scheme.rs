//! URL schemes and provider names: what this build has, and what other builds may have.

/// A protocol of this build.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Protocol {
    Ipmi,
}

/// A scheme that a target may have.
struct Scheme {
    name: &'static str,
    provider: &'static str,
    protocol: Option<Protocol>,
}

const SCHEMES: &[Scheme] = &[
    present("ipmi", "ipmi", Protocol::Ipmi),
    absent("redfish", "redfish"),
    absent("redfish+http", "redfish"),
    absent("redfish+https", "redfish"),
    absent("amt", "amt"),
    absent("amt+http", "amt"),
    absent("amt+https", "amt"),
    absent("rpc+http", "rpc"),
    absent("rpc+https", "rpc"),
];

const fn present(name: &'static str, provider: &'static str, protocol: Protocol) -> Scheme {
    Scheme {
        name,
        provider,
        protocol: Some(protocol),
    }
}

const fn absent(name: &'static str, provider: &'static str) -> Scheme {
    Scheme {
        name,
        provider,
        protocol: None,
    }
}

/// A word that names no protocol of this build.
#[derive(Debug, thiserror::Error)]
pub enum NoProtocol {
    #[error("{name:?} is not in this build, which has {}", here())]
    NotBuilt { name: String },
    #[error("unknown {what} {name:?}: this build has {}", here())]
    Unknown { what: &'static str, name: String },
}

impl Protocol {
    /// By URL scheme.
    pub fn from_scheme(name: &str) -> Result<Self, NoProtocol> {
        find("URL scheme", name, |scheme| scheme.name)
    }

    /// By provider name.
    pub fn from_name(name: &str) -> Result<Self, NoProtocol> {
        find("provider", name, |scheme| scheme.provider)
    }

    pub fn default_port(self) -> u16 {
        match self {
            Self::Ipmi => bmc_ipmi::IpmiProvider::PORT,
        }
    }
}

fn find(
    what: &'static str,
    name: &str,
    key: impl Fn(&Scheme) -> &'static str,
) -> Result<Protocol, NoProtocol> {
    let found = SCHEMES
        .iter()
        .find(|scheme| key(scheme).eq_ignore_ascii_case(name));
    let name = name.chars().take(40).collect();
    match found {
        Some(scheme) => scheme.protocol.ok_or(NoProtocol::NotBuilt { name }),
        None => Err(NoProtocol::Unknown { what, name }),
    }
}

fn here() -> String {
    let built = SCHEMES.iter().filter(|scheme| scheme.protocol.is_some());
    let names: Vec<_> = built.map(|scheme| scheme.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_from_what_is_unknown() {
        assert_eq!(Protocol::from_scheme("IPMI").unwrap(), Protocol::Ipmi);
        let missing = Protocol::from_scheme("rpc+https").unwrap_err();
        assert_eq!(
            missing.to_string(),
            "\"rpc+https\" is not in this build, which has ipmi"
        );
        let unknown = Protocol::from_name("ssh").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "unknown provider \"ssh\": this build has ipmi"
        );
    }
}
