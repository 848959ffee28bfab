//! Targets: URLs, bare hosts, and files of them.

use std::collections::BTreeSet;
use std::fs;
use std::io;

use bmc_core::{Endpoint, InvalidEndpoint};

use super::scheme::{NoProtocol, Protocol};

/// A BMC as it was named.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Target {
    /// The text that named it; holds no password.
    pub label: String,
    /// The user, if the target names one.
    pub user: Option<String>,
    /// The ways to reach it, first choice first.
    pub ways: Vec<Way>,
}

/// A way to reach a BMC.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Way {
    /// IPMI at this endpoint.
    Ipmi(Endpoint),
    /// A webhook.
    Rpc {
        /// URL of the consumer.
        url: String,
        /// What the consumer knows the machine by: the URL's fragment, else its host and port.
        host: String,
    },
}

/// A target that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidTarget {
    #[error("target {label:?}: {reason}")]
    Target { label: String, reason: Reason },
    #[error("{file}:{line}: target {label:?}: {reason}")]
    Line {
        file: String,
        line: usize,
        label: String,
        reason: Reason,
    },
    #[error("target file {file}: {error}")]
    File { file: String, error: io::Error },
    #[error("no target in {0}")]
    Empty(String),
}

/// What is wrong with a target.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    #[error(transparent)]
    Protocol(#[from] NoProtocol),
    #[error(transparent)]
    Endpoint(#[from] InvalidEndpoint),
    #[error(
        "a password does not belong on a command line or in a file of targets: use --password-env or --password-file"
    )]
    Password,
    #[error("a path, query or fragment means nothing here: expected scheme://[user@]host[:port]")]
    Path,
    #[error(
        "a webhook has no user: requests are signed, see --hmac-sha256-env and --hmac-sha256-file"
    )]
    User,
    #[error("a %-escape is broken")]
    Escape,
    #[error("a file of targets cannot name another one")]
    Nested,
}

/// Reads what the command line names. A target that is named twice is served once.
pub fn read(words: &[String], providers: &[Protocol]) -> Result<Vec<Target>, InvalidTarget> {
    let mut targets = Vec::with_capacity(words.len());
    let mut seen = BTreeSet::new();
    let mut add = |target: Target| {
        if seen.insert(target.label.clone()) {
            targets.push(target);
        }
    };
    for word in words {
        match word.strip_prefix('@') {
            Some(file) => read_file(file, providers, &mut add)?,
            None => add(Target::parse(word, providers).map_err(|reason| {
                let label = redacted(word);
                InvalidTarget::Target { label, reason }
            })?),
        }
    }
    if targets.is_empty() {
        return Err(InvalidTarget::Empty(words.join(" ")));
    }
    Ok(targets)
}

fn read_file(
    file: &str,
    providers: &[Protocol],
    add: &mut impl FnMut(Target),
) -> Result<(), InvalidTarget> {
    let text = match file {
        "-" => io::read_to_string(io::stdin()),
        path => fs::read_to_string(path),
    };
    let text = text.map_err(|error| InvalidTarget::File {
        file: file.to_owned(),
        error,
    })?;
    for (index, line) in text.lines().enumerate() {
        let word = without_comment(line).trim();
        if word.is_empty() {
            continue;
        }
        let target = match word.starts_with('@') {
            true => Err(Reason::Nested),
            false => Target::parse(word, providers),
        };
        add(target.map_err(|reason| InvalidTarget::Line {
            file: file.to_owned(),
            line: index + 1,
            label: redacted(word),
            reason,
        })?);
    }
    Ok(())
}

/// A comment begins a line or follows a space: a webhook's URL has a `#` too.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    let begin = line.char_indices().find(|(_, it)| {
        let begins = *it == '#' && before.is_whitespace();
        before = *it;
        begins
    });
    begin.and_then(|(at, _)| line.get(..at)).unwrap_or(line)
}

impl Target {
    /// Reads `scheme://[user@]host[:port]` or `[user@]host[:port]`; a bare host is reached by all `providers`.
    ///
    /// A webhook is `rpc+https://host[:port]/path[#machine]`.
    pub fn parse(text: &str, providers: &[Protocol]) -> Result<Self, Reason> {
        let (protocols, rest) = match text.split_once("://") {
            Some((scheme, rest)) => match Protocol::from_scheme(scheme)? {
                Protocol::Rpc => return Self::webhook(text, scheme, rest),
                protocol => (vec![protocol], rest),
            },
            None => (providers.to_vec(), text),
        };
        let (user, address) = match rest.rsplit_once('@') {
            Some((user, _)) if user.contains(':') => return Err(Reason::Password),
            Some((user, address)) => (Some(unescape(user)?), address),
            None => (None, rest),
        };
        let address = address.strip_suffix('/').unwrap_or(address);
        if address.contains(['/', '?', '#']) {
            return Err(Reason::Path);
        }
        let ways = protocols
            .into_iter()
            .map(|protocol| match protocol {
                Protocol::Ipmi => {
                    let endpoint = Endpoint::parse(address, bmc_ipmi::IpmiProvider::PORT)?;
                    Ok(Way::Ipmi(endpoint))
                }
                Protocol::Rpc => Err(NoProtocol::NeedsUrl.into()),
            })
            .collect::<Result<_, Reason>>()?;
        Ok(Self {
            label: text.to_owned(),
            user,
            ways,
        })
    }

    fn webhook(text: &str, scheme: &str, rest: &str) -> Result<Self, Reason> {
        let (rest, machine) = match rest.split_once('#') {
            Some((rest, machine)) => (rest, Some(unescape(machine)?)),
            None => (rest, None),
        };
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(Reason::User);
        }
        let scheme = scheme.to_ascii_lowercase();
        let web = scheme.strip_prefix("rpc+").unwrap_or(&scheme);
        let port = if web == "http" { 80 } else { 443 };
        let endpoint = Endpoint::parse(authority, port)?;
        let machine = machine.filter(|machine| !machine.is_empty());
        Ok(Self {
            label: text.to_owned(),
            user: None,
            ways: vec![Way::Rpc {
                url: format!("{web}://{rest}"),
                host: machine.unwrap_or_else(|| endpoint.to_string()),
            }],
        })
    }
}

/// The text as an error may show it: without what stands between `:` and `@`.
fn redacted(text: &str) -> String {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), text),
    };
    let shown = match rest.rsplit_once('@') {
        Some((user, address)) => match user.split_once(':') {
            Some((user, _)) => format!("{scheme}{user}:...@{address}"),
            None => text.to_owned(),
        },
        None => text.to_owned(),
    };
    shown.chars().take(120).collect()
}

/// Undoes `%40` and its like.
fn unescape(text: &str) -> Result<String, Reason> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        let (high, low) = digit().zip(digit()).ok_or(Reason::Escape)?;
        out.push(u8::try_from(high << 4 | low).map_err(|_| Reason::Escape)?);
    }
    String::from_utf8(out).map_err(|_| Reason::Escape)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const IPMI: &[Protocol] = &[Protocol::Ipmi];

    #[test]
    fn urls_and_bare_hosts() {
        for (text, user, endpoint) in [
            ("ipmi://192.0.2.7", None, "192.0.2.7:623"),
            (
                "ipmi://root@bmc.example:6230/",
                Some("root"),
                "bmc.example:6230",
            ),
            (
                "ipmi://a%40b@[2001:db8::1]:7",
                Some("a@b"),
                "[2001:db8::1]:7",
            ),
            ("2001:db8::1", None, "[2001:db8::1]:623"),
            ("admin@node-1:1623", Some("admin"), "node-1:1623"),
        ] {
            let target = Target::parse(text, IPMI).unwrap();
            assert_eq!(target.user.as_deref(), user, "{text}");
            let Way::Ipmi(found) = &target.ways[0] else {
                panic!("{target:?}");
            };
            assert_eq!(found.to_string(), endpoint, "{text}");
            assert_eq!(target.label, text);
        }
    }

    #[test]
    fn webhooks() {
        for (text, url, host) in [
            (
                "rpc+https://hooks.example/pdu?rack=7#outlet-3",
                "https://hooks.example/pdu?rack=7",
                "outlet-3",
            ),
            (
                "RPC+HTTP://127.0.0.1:8080/",
                "http://127.0.0.1:8080/",
                "127.0.0.1:8080",
            ),
        ] {
            let target = Target::parse(text, IPMI).unwrap();
            let (url, host) = (url.to_owned(), host.to_owned());
            assert_eq!(target.ways, [Way::Rpc { url, host }], "{text}");
        }
    }

    #[test]
    fn a_password_is_refused_and_not_repeated() {
        let words = ["ipmi://root:hunter2@192.0.2.7".to_owned()];
        let error = read(&words, IPMI).unwrap_err().to_string();
        assert!(error.contains("--password-env"), "{error}");
        assert!(error.contains("root:...@192.0.2.7"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "host is empty"),
            ("ipmi://", "host is empty"),
            ("ipmi://host:0", "port"),
            ("ipmi://host:70000", "port"),
            ("ipmi://host/redfish/v1", "path"),
            ("redfish://host", "not in this build"),
            ("rpc+https://", "host is empty"),
            ("rpc+https://me@host/", "no user"),
            ("gopher://host", "unknown URL scheme"),
            ("ipmi://%4@host", "%-escape"),
            ("ho st", "host"),
        ] {
            let error = Target::parse(text, IPMI).unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn files_have_comments_blank_lines_and_line_numbers() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(
            file,
            "# rack 1\n\n a:1  # first\r\nipmi://b\na:1\nrpc+http://c/#vm # d\n"
        )
        .unwrap();
        let words = [format!("@{}", file.path().display()), "b".to_owned()];
        let labels = |words: &[String]| -> Vec<String> {
            let targets = read(words, IPMI).unwrap();
            targets.into_iter().map(|target| target.label).collect()
        };
        assert_eq!(labels(&words), ["a:1", "ipmi://b", "rpc+http://c/#vm", "b"]);

        writeln!(file, "@other").unwrap();
        let error = read(&words, IPMI).unwrap_err().to_string();
        assert!(error.contains(":7: target \"@other\""), "{error}");
    }
}
