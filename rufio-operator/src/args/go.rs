//! Values as Go's flag package spells them.

use std::fmt;
use std::time::Duration;

/// Where an HTTP server listens.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Listen {
    /// It does not.
    Off,
    /// On every address of the host.
    Everywhere {
        /// TCP port; 0 lets the system choose.
        port: u16,
    },
    /// On one address.
    At {
        /// IP address or name, without brackets.
        host: String,
        /// TCP port; 0 lets the system choose.
        port: u16,
    },
}

impl Listen {
    /// Whether the system picks the port.
    pub(crate) fn is_any_port(&self) -> bool {
        matches!(
            self,
            Self::Everywhere { port: 0 } | Self::At { port: 0, .. }
        )
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("0"),
            Self::Everywhere { port } => write!(f, ":{port}"),
            Self::At { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::At { host, port } => write!(f, "{host}:{port}"),
        }
    }
}

/// `:8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or `0` for off.
pub(super) fn listen(text: &str) -> Result<Listen, String> {
    const ALLOWED: &str = "expected :PORT, HOST:PORT, [IPV6]:PORT, or 0 to switch it off";
    if text == "0" {
        return Ok(Listen::Off);
    }
    let (host, port) = text.rsplit_once(':').ok_or(ALLOWED)?;
    let port = port
        .parse()
        .map_err(|_| format!("port {port:?} is not a number from 0 to 65535; {ALLOWED}"))?;
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    match bare {
        Some(address) => match address.parse::<std::net::Ipv6Addr>() {
            Ok(_) => Ok(Listen::At {
                host: address.to_owned(),
                port,
            }),
            Err(_) => Err(format!("{address:?} is not an IPv6 address; {ALLOWED}")),
        },
        None if host.contains(':') => Err(format!("an IPv6 address needs brackets; {ALLOWED}")),
        None if host.is_empty() => Ok(Listen::Everywhere { port }),
        None => Ok(Listen::At {
            host: host.to_owned(),
            port,
        }),
    }
}

/// Go's `strconv.ParseBool`.
pub(super) fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("expected true or false".to_owned()),
    }
}

/// A duration that is not zero.
pub(super) fn positive_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("expected more than 0".to_owned()),
        duration => Ok(duration),
    }
}

/// Go's `time.ParseDuration`, without negative values: `1m30s`, `1.5h`, `300ms`, `0`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const ALLOWED: &str =
        "expected a duration such as 300ms, 30s, 1m30s or 1.5h (units: ns, us, ms, s, m, h)";
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    if rest.starts_with('-') {
        return Err(format!("negative; {ALLOWED}"));
    }
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    if rest.is_empty() {
        return Err(ALLOWED.to_owned());
    }
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let number_len = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or_else(|| format!("unit missing; {ALLOWED}"))?;
        let (number, tail) = rest.split_at(number_len);
        let unit_len = tail
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_len);
        let unit = nanoseconds(unit).ok_or_else(|| format!("unknown unit {unit:?}; {ALLOWED}"))?;
        let part = scaled(number, unit).ok_or(ALLOWED)?;
        total = total
            .checked_add(part)
            .ok_or_else(|| format!("too long; {ALLOWED}"))?;
        rest = tail;
    }
    // Go's durations are 64-bit nanoseconds, signed.
    match u64::try_from(total) {
        Ok(nanoseconds) if i64::try_from(nanoseconds).is_ok() => {
            Ok(Duration::from_nanos(nanoseconds))
        }
        _ => Err(format!("longer than 292 years; {ALLOWED}")),
    }
}

fn nanoseconds(unit: &str) -> Option<u128> {
    Some(match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// `number` of units, in nanoseconds, cut off after the last whole one.
fn scaled(number: &str, unit: u128) -> Option<u128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let whole: u128 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let mut total = whole.checked_mul(unit)?;
    let mut scale = unit;
    for digit in fraction.chars() {
        scale /= 10;
        total = total.checked_add(u128::from(digit.to_digit(10)?).checked_mul(scale)?)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let table: [(&str, Option<u64>); 22] = [
            ("0", Some(0)),
            ("+0", Some(0)),
            ("1s", Some(1_000_000_000)),
            ("1m30s", Some(90_000_000_000)),
            ("1.5h", Some(5_400_000_000_000)),
            (".5s", Some(500_000_000)),
            ("1.s", Some(1_000_000_000)),
            ("300ms", Some(300_000_000)),
            ("2us", Some(2_000)),
            ("2\u{b5}s", Some(2_000)),
            ("30m0s", Some(1_800_000_000_000)),
            ("0.000000001s", Some(1)),
            ("", None),
            ("30", None),
            ("-1s", None),
            ("1d", None),
            (".s", None),
            ("s", None),
            ("1.2.3s", None),
            ("1 s", None),
            ("99999999999999999999h", None),
            ("9999999999999999999999999999999999999999999h", None),
        ];
        for (text, nanoseconds) in table {
            assert_eq!(
                duration(text).ok(),
                nanoseconds.map(Duration::from_nanos),
                "{text:?}"
            );
        }
        assert!(positive_duration("0").is_err());
    }

    #[test]
    fn addresses() {
        let at = |host: &str, port| Listen::At {
            host: host.to_owned(),
            port,
        };
        let table = [
            ("0", Some(Listen::Off)),
            (":8080", Some(Listen::Everywhere { port: 8080 })),
            ("127.0.0.1:8080", Some(at("127.0.0.1", 8080))),
            ("[::1]:0", Some(at("::1", 0))),
            ("localhost:80", Some(at("localhost", 80))),
            ("8080", None),
            ("", None),
            (":x", None),
            (":65536", None),
            ("::1:80", None),
            ("[host]:80", None),
        ];
        for (text, expected) in table {
            let parsed = listen(text);
            assert_eq!(
                parsed.as_ref().ok(),
                expected.as_ref(),
                "{text:?}: {parsed:?}"
            );
            if let Ok(parsed) = parsed {
                assert_eq!(parsed.to_string(), text);
            }
        }
    }

    #[test]
    fn booleans() {
        for text in ["1", "t", "T", "true", "TRUE", "True"] {
            assert_eq!(boolean(text), Ok(true), "{text}");
        }
        for text in ["0", "f", "F", "false", "FALSE", "False"] {
            assert_eq!(boolean(text), Ok(false), "{text}");
        }
        for text in ["yes", "no", "on", "", "tRue"] {
            assert!(boolean(text).is_err(), "{text}");
        }
    }
}
