//! The settings of an election.

use std::time::Duration;

/// Before the namespace and the identity in the holder of a lease of ours.
const MARK: &str = "rufio-operator/";

/// How to campaign.
#[derive(Clone, Debug)]
pub struct ElectionConfig {
    /// Who we are, unique among all candidates.
    pub identity: String,
    /// Namespace of the lease.
    pub namespace: String,
    /// The one namespace that is served, or all of them.
    pub scope: Option<String>,
    /// How long others wait for a silent leader.
    pub lease_duration: Duration,
    /// How long the leader tries to renew before it gives up.
    pub renew_deadline: Duration,
    /// Time between two attempts.
    pub retry_period: Duration,
}

/// The three times do not fit together.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ElectionConfigError {
    /// A Lease holds whole seconds.
    #[error("--leader-election-lease-duration: {0:?}; allowed is 1s or more")]
    LeaseDuration(Duration),
    /// A leader must stop before others may start.
    #[error(
        "--leader-election-renew-deadline: {renew_deadline:?}; it must be less than the lease duration, {lease_duration:?}"
    )]
    RenewDeadline {
        /// What was given.
        renew_deadline: Duration,
        /// What it must be less than.
        lease_duration: Duration,
    },
    /// A leader needs more than one try.
    #[error(
        "--leader-election-retry-period: {retry_period:?}; it must be at most half the renew deadline, {renew_deadline:?}"
    )]
    RetryPeriod {
        /// What was given.
        retry_period: Duration,
        /// What half of it is the most.
        renew_deadline: Duration,
    },
}

impl ElectionConfig {
    /// Whether the times fit together. The errors name the flags.
    pub fn check(&self) -> Result<(), ElectionConfigError> {
        let Self {
            lease_duration,
            renew_deadline,
            retry_period,
            ..
        } = *self;
        if lease_duration < Duration::from_secs(1) {
            return Err(ElectionConfigError::LeaseDuration(lease_duration));
        }
        if renew_deadline >= lease_duration {
            return Err(ElectionConfigError::RenewDeadline {
                renew_deadline,
                lease_duration,
            });
        }
        if retry_period > renew_deadline / 2 {
            return Err(ElectionConfigError::RetryPeriod {
                retry_period,
                renew_deadline,
            });
        }
        Ok(())
    }

    /// The `holderIdentity` that we write: it tells a lease of ours, and what that replica serves, from upstream's.
    pub(super) fn holder(&self) -> String {
        let scope = self.scope.as_deref().unwrap_or("*");
        format!("{MARK}{scope}/{}", self.identity)
    }
}

/// Who holds a lease, by the `holderIdentity`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Holder<'a> {
    /// A replica of this operator, serving one namespace or all.
    Ours { scope: Option<&'a str> },
    /// A Rufio of another make.
    Foreign,
}

impl<'a> Holder<'a> {
    pub(super) fn of(identity: &'a str) -> Self {
        match identity
            .strip_prefix(MARK)
            .and_then(|rest| rest.split_once('/'))
        {
            Some((scope, _)) => Self::Ours {
                scope: (scope != "*").then_some(scope),
            },
            None => Self::Foreign,
        }
    }

    /// Whether it may act on the same objects as one that serves `scope`. Of a foreign one that is not known.
    pub(super) fn meets(self, scope: Option<&str>) -> bool {
        match (self, scope) {
            (
                Self::Ours {
                    scope: Some(theirs),
                },
                Some(ours),
            ) => theirs == ours,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(lease: u64, renew: u64, retry: u64) -> ElectionConfig {
        ElectionConfig {
            identity: "pod_1".to_owned(),
            namespace: "ns".to_owned(),
            scope: None,
            lease_duration: Duration::from_millis(lease),
            renew_deadline: Duration::from_millis(renew),
            retry_period: Duration::from_millis(retry),
        }
    }

    #[test]
    fn times_must_fit_together() {
        assert_eq!(config(15_000, 10_000, 2_000).check(), Ok(()));
        for (config, says) in [
            (
                config(999, 500, 100),
                "lease-duration: 999ms; allowed is 1s",
            ),
            (
                config(15_000, 15_000, 2_000),
                "renew-deadline: 15s; it must be less than",
            ),
            (
                config(15_000, 10_000, 5_001),
                "retry-period: 5.001s; it must be at most half",
            ),
        ] {
            let text = config.check().unwrap_err().to_string();
            assert!(
                text.starts_with("--leader-election-") && text.contains(says),
                "{text}"
            );
        }
    }

    #[test]
    fn a_holder_tells_what_it_serves() {
        let mut ours = config(15_000, 10_000, 2_000);
        let everywhere = ours.holder();
        ours.scope = Some("a".to_owned());
        let in_a = ours.holder();
        for (identity, scope, meets) in [
            (everywhere.as_str(), None, true),
            (&everywhere, Some("a"), true),
            (&in_a, None, true),
            (&in_a, Some("a"), true),
            (&in_a, Some("b"), false),
            ("rufio-controller-manager-7d4_5c1f", Some("b"), true),
            ("", None, true),
        ] {
            assert_eq!(
                Holder::of(identity).meets(scope),
                meets,
                "{identity} {scope:?}"
            );
        }
    }
}
