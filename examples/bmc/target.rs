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
    pub ways: Vec<(Protocol, Endpoint)>,
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
    #[error("user name has a broken %-escape")]
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
        let word = line
            .split_once('#')
            .map_or(line, |(before, _)| before)
            .trim();
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

impl Target {
    /// Reads `scheme://[user@]host[:port]` or `[user@]host[:port]`; a bare host is reached by all `providers`.
    pub fn parse(text: &str, providers: &[Protocol]) -> Result<Self, Reason> {
        let (protocols, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (vec![Protocol::from_scheme(scheme)?], rest),
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
            .map(|protocol| Ok((protocol, Endpoint::parse(address, protocol.default_port())?)))
            .collect::<Result<_, InvalidEndpoint>>()?;
        Ok(Self {
            label: text.to_owned(),
            user,
            ways,
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
            assert_eq!(target.ways[0].1.to_string(), endpoint, "{text}");
            assert_eq!(target.label, text);
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
        write!(file, "# rack 1\n\n a:1  # first\r\nipmi://b\na:1\n").unwrap();
        let words = [format!("@{}", file.path().display()), "b".to_owned()];
        let labels = |words: &[String]| -> Vec<String> {
            let targets = read(words, IPMI).unwrap();
            targets.into_iter().map(|target| target.label).collect()
        };
        assert_eq!(labels(&words), ["a:1", "ipmi://b", "b"]);

        writeln!(file, "@other").unwrap();
        let error = read(&words, IPMI).unwrap_err().to_string();
        assert!(error.contains(":6: target \"@other\""), "{error}");
    }
}
