//! Faults on the command line: `KIND` or `KIND=VALUE`.

use std::str::FromStr;
use std::time::Duration;

use bmc_ipmi::sim::Faults;
use bmc_ipmi::wire::Status;
use examples::duration;

/// A fault that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    Drop(f64),
    Corrupt(f64),
    Delay(Duration),
    Reorder(Duration),
    Duplicate,
    DropNextRequests(u32),
    DropNextReplies(u32),
    Silent,
    Ignore,
    RefuseAuth,
}

/// A text that is no fault.
#[derive(Debug, thiserror::Error)]
pub enum InvalidFault {
    #[error("unknown fault {0:?}: expected one of {KINDS}")]
    Kind(String),
    #[error("{kind}: {reason}")]
    Value { kind: String, reason: String },
}

const KINDS: &str = "drop, corrupt, delay, reorder, duplicate, drop-next-requests, drop-next-replies, silent, ignore, refuse-auth";

impl FromStr for Fault {
    type Err = InvalidFault;

    fn from_str(text: &str) -> Result<Self, InvalidFault> {
        let (kind, value) = match text.split_once('=') {
            Some((kind, value)) => (kind, Some(value)),
            None => (text, None),
        };
        let parsed = match kind {
            "drop" => probability(value).map(Self::Drop),
            "corrupt" => probability(value).map(Self::Corrupt),
            "delay" => time(value).map(Self::Delay),
            "reorder" => time(value).map(Self::Reorder),
            "duplicate" => nothing(value, Self::Duplicate),
            "drop-next-requests" => number(value).map(Self::DropNextRequests),
            "drop-next-replies" => number(value).map(Self::DropNextReplies),
            "silent" => nothing(value, Self::Silent),
            "ignore" => nothing(value, Self::Ignore),
            "refuse-auth" => nothing(value, Self::RefuseAuth),
            _ => return Err(InvalidFault::Kind(kind.into())),
        };
        parsed.map_err(|reason| InvalidFault::Value {
            kind: kind.into(),
            reason,
        })
    }
}

/// The faults of a BMC that has all of these.
pub fn combine(faults: &[Fault]) -> Faults {
    let mut all = Faults::default();
    for fault in faults {
        match *fault {
            Fault::Drop(probability) => all.drop = probability,
            Fault::Corrupt(probability) => all.corrupt = probability,
            Fault::Delay(time) => all.delay = time,
            Fault::Reorder(time) => all.reorder = time,
            Fault::Duplicate => all.duplicate = true,
            Fault::DropNextRequests(count) => all.drop_next_requests = count,
            Fault::DropNextReplies(count) => all.drop_next_replies = count,
            Fault::Silent => all.silent = true,
            Fault::Ignore => all.ignore = true,
            Fault::RefuseAuth => all.refuse_auth = Some(Status::UNAUTHORIZED_NAME),
        }
    }
    all
}

fn probability(value: Option<&str>) -> Result<f64, String> {
    let parsed = value.and_then(|value| value.parse().ok());
    parsed
        .filter(|probability| (0.0..=1.0).contains(probability))
        .ok_or_else(|| "expected =P with P from 0 to 1".into())
}

fn time(value: Option<&str>) -> Result<Duration, String> {
    duration::any(value.ok_or("expected =DURATION, such as =50ms")?)
}

fn number(value: Option<&str>) -> Result<u32, String> {
    let parsed = value.and_then(|value| value.parse().ok());
    parsed.ok_or_else(|| "expected =N".into())
}

fn nothing(value: Option<&str>, fault: Fault) -> Result<Fault, String> {
    match value {
        None => Ok(fault),
        Some(_) => Err("takes no value".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_values() {
        assert_eq!(
            "delay=50ms".parse::<Fault>().unwrap(),
            Fault::Delay(Duration::from_millis(50))
        );
        for (wrong, part) in [
            ("fire", "unknown fault \"fire\""),
            ("drop", "drop: expected =P"),
            ("drop=NaN", "from 0 to 1"),
            ("delay=50", "with a unit"),
            ("silent=yes", "no value"),
            ("drop-next-replies=-1", "expected =N"),
        ] {
            let error = wrong.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains(part), "{wrong}: {error}");
        }
    }

    #[test]
    fn every_kind_is_named_in_the_advice() {
        for kind in KINDS.split(", ") {
            let with_value = ["", "=1", "=1s"].map(|value| format!("{kind}{value}"));
            assert!(
                with_value.iter().any(|text| text.parse::<Fault>().is_ok()),
                "{kind}"
            );
        }
    }
}
