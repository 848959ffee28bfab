//! URL schemes and provider names: what this build has, and what other builds may have.

/// A protocol of this build.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Protocol {
    Ipmi,
    /// A webhook, by HTTP or by HTTPS.
    Rpc,
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
    present("rpc+http", "rpc", Protocol::Rpc),
    present("rpc+https", "rpc", Protocol::Rpc),
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
    #[error("a webhook is named by its URL: rpc+https://host[:port]/path")]
    NeedsUrl,
}

impl Protocol {
    /// By URL scheme.
    pub fn from_scheme(name: &str) -> Result<Self, NoProtocol> {
        find("URL scheme", name, |scheme| scheme.name)
    }

    /// By provider name. A bare host does not say where a webhook is.
    pub fn from_name(name: &str) -> Result<Self, NoProtocol> {
        match find("provider", name, |scheme| scheme.provider)? {
            Self::Rpc => Err(NoProtocol::NeedsUrl),
            protocol => Ok(protocol),
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
        assert_eq!(Protocol::from_scheme("rpc+https").unwrap(), Protocol::Rpc);
        let missing = Protocol::from_scheme("redfish").unwrap_err();
        assert_eq!(
            missing.to_string(),
            "\"redfish\" is not in this build, which has ipmi, rpc+http, rpc+https"
        );
        let webhook = Protocol::from_name("rpc").unwrap_err();
        assert!(webhook.to_string().contains("by its URL"), "{webhook}");
        let unknown = Protocol::from_name("ssh").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "unknown provider \"ssh\": this build has ipmi, rpc+http, rpc+https"
        );
    }
}
