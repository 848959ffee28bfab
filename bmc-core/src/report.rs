//! What was tried: every operation returns it, on success and on failure.

use std::fmt;
use std::time::Duration;

use crate::error::{Effect, Error, ErrorKind};

/// A value together with how it was obtained.
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    /// What the operation yielded.
    pub value: T,
    /// Every attempt, the successful one last.
    pub report: Report,
}

/// Every provider that could be tried has failed, or the operation must not go on.
#[derive(Clone, Debug)]
pub struct Exhausted {
    /// Every attempt, in order.
    pub report: Report,
    /// Whether some attempt may have acted.
    pub effect: Effect,
}

/// The attempts of one operation, in order. On failure every provider appears, also one that was left out; on success
/// those behind the winner do not.
#[derive(Clone, Debug)]
pub struct Report {
    /// The operation's name.
    pub operation: &'static str,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
}

/// One step against one provider.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The provider's name.
    pub provider: &'static str,
    /// Which step.
    pub stage: Stage,
    /// How long it took.
    pub elapsed: Duration,
    /// Why it failed; `None` if it did not.
    pub error: Option<Error>,
}

/// A step of an operation.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Stage {
    /// Log in.
    Open,
    /// Carry out the operation.
    Operate,
    /// Look whether an earlier attempt of unknown effect has worked.
    Verify,
}

impl Report {
    /// The provider that carried out the operation, if one did.
    pub fn winner(&self) -> Option<&'static str> {
        let last = self.attempts.last()?;
        (last.error.is_none() && last.stage != Stage::Open).then_some(last.provider)
    }

    /// The attempts that failed.
    pub fn failures(&self) -> impl Iterator<Item = (&Attempt, &Error)> {
        self.attempts
            .iter()
            .filter_map(|attempt| Some((attempt, attempt.error.as_ref()?)))
    }
}

impl Exhausted {
    /// The failure that says most about what to do: a refused credential before an unreachable address, and so on.
    /// `None` only if there was no provider to try.
    pub fn primary(&self) -> Option<&Error> {
        self.report
            .failures()
            .map(|(_, error)| error)
            .min_by_key(|error| significance(error.kind()))
    }

    /// The kind of the [`primary`](Self::primary) failure.
    pub fn kind(&self) -> ErrorKind {
        self.primary().map_or(ErrorKind::Unsupported, Error::kind)
    }

    /// Whether the same operation may succeed later without anybody changing anything: some provider failed with a
    /// passing error.
    pub fn is_retryable(&self) -> bool {
        self.report
            .failures()
            .any(|(_, error)| error.is_retryable())
    }
}

/// Smaller says more: what a person can act on comes first.
fn significance(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Authentication => 0,
        ErrorKind::PermissionDenied => 1,
        ErrorKind::Tls => 2,
        ErrorKind::Rejected => 3,
        ErrorKind::InvalidInput => 4,
        ErrorKind::NotFound => 5,
        ErrorKind::Busy => 6,
        ErrorKind::Protocol => 7,
        ErrorKind::Timeout => 8,
        ErrorKind::Unreachable => 9,
        ErrorKind::Closed => 10,
        ErrorKind::Unsupported => 11,
        ErrorKind::NotTried => 12,
    }
}

impl fmt::Display for Report {
    /// The attempts that failed, as `ipmi: no answer (1.0s); redfish: connection refused (0.2s)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (attempt, error)) in self.failures().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            let seconds = attempt.elapsed.as_secs_f64();
            write!(
                f,
                "{separator}{}: {error} ({seconds:.1}s)",
                attempt.provider
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.report.attempts.is_empty() {
            return write!(f, "{} failed: no provider", self.report.operation);
        }
        write!(f, "{} failed: {}", self.report.operation, self.report)
    }
}

impl std::error::Error for Exhausted {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.primary()
            .map(|error| error as &(dyn std::error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(
        provider: &'static str,
        stage: Stage,
        error: Option<(ErrorKind, &'static str)>,
    ) -> Attempt {
        Attempt {
            provider,
            stage,
            elapsed: Duration::from_millis(1250),
            error: error.map(|(kind, message)| Error::new(kind, message)),
        }
    }

    fn report(attempts: Vec<Attempt>) -> Report {
        Report {
            operation: "power on",
            attempts,
        }
    }

    #[test]
    fn a_failure_names_every_provider_and_its_reason() {
        let failed = Exhausted {
            report: report(vec![
                attempt("ipmi", Stage::Open, Some((ErrorKind::Timeout, "no answer"))),
                attempt("redfish", Stage::Open, None),
                attempt(
                    "redfish",
                    Stage::Operate,
                    Some((ErrorKind::Busy, "updating")),
                ),
            ]),
            effect: Effect::None,
        };
        let expected = "power on failed: ipmi: no answer (1.2s); redfish: updating (1.2s)";
        assert_eq!(failed.to_string(), expected);
        assert_eq!(failed.kind(), ErrorKind::Busy);
        assert!(failed.is_retryable());
        assert_eq!(failed.report.winner(), None);
    }

    #[test]
    fn a_success_names_who_did_it() {
        let done = report(vec![
            attempt("ipmi", Stage::Open, Some((ErrorKind::Timeout, "no answer"))),
            attempt("redfish", Stage::Open, None),
            attempt("redfish", Stage::Operate, None),
        ]);
        assert_eq!(done.winner(), Some("redfish"));
        assert_eq!(done.to_string(), "ipmi: no answer (1.2s)");
        assert_eq!(
            report(vec![attempt("ipmi", Stage::Open, None)]).winner(),
            None
        );
    }

    #[test]
    fn what_a_person_can_act_on_comes_first() {
        let failed = Exhausted {
            report: report(vec![
                attempt(
                    "a",
                    Stage::Open,
                    Some((ErrorKind::Unreachable, "nothing listens")),
                ),
                attempt(
                    "b",
                    Stage::Open,
                    Some((ErrorKind::Authentication, "refused")),
                ),
                attempt("c", Stage::Open, Some((ErrorKind::NotTried, "left out"))),
            ]),
            effect: Effect::None,
        };
        assert_eq!(failed.kind(), ErrorKind::Authentication);
        let source = std::error::Error::source(&failed).unwrap();
        assert_eq!(source.to_string(), "refused");
    }
}
