//! Who holds a lease, judged on our own clock: pure.

use std::time::Duration;

use tokio::time::Instant;

use super::lease::Record;

/// What a lease says, and since when we have seen it say that.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    pub(super) record: Record,
    since: Instant,
    patience: Duration,
    /// Whether we have seen it change.
    pub(super) changed: bool,
}

/// What to do about a lease.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// It is there for the taking, or ours already.
    Take,
    /// Somebody else may be alive.
    Wait {
        /// Who.
        holder: String,
    },
}

impl Observed {
    /// Counts from `now` if the record differs from the one before. `patience` is for a record that names none.
    pub(super) fn next(
        before: Option<&Self>,
        record: Record,
        patience: Duration,
        now: Instant,
    ) -> Self {
        let patience = record.duration.unwrap_or(patience);
        match before {
            Some(before) if before.record == record => Self {
                patience,
                ..before.clone()
            },
            _ => Self {
                record,
                since: now,
                patience,
                changed: before.is_some(),
            },
        }
    }

    /// The holder, if it may be alive: silent for less than it has announced.
    pub(super) fn holder(&self, now: Instant) -> Option<&str> {
        let holder = self.record.holder.as_deref();
        holder.filter(|holder| !holder.is_empty() && now < self.since + self.patience)
    }
}

/// What `me` may do about a lease; `None` does not exist.
pub(super) fn decide(observed: Option<&Observed>, me: &str, now: Instant) -> Step {
    match observed.and_then(|observed| observed.holder(now)) {
        Some(holder) if holder != me => Step::Wait {
            holder: holder.to_owned(),
        },
        _ => Step::Take,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(15);

    fn record(holder: Option<&str>, seconds: Option<u64>) -> Record {
        Record {
            holder: holder.map(str::to_owned),
            duration: seconds.map(Duration::from_secs),
            ..Record::default()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_is_taken_when_free_ours_or_silent_for_too_long() {
        let seen = Instant::now();
        let cases = [
            (None, None, 0, true),
            (Some(""), Some(15), 0, true),
            (Some("me"), Some(15), 0, true),
            (Some("me"), Some(15), 99_000, true),
            (Some("other"), Some(15), 0, false),
            (Some("other"), Some(15), 14_999, false),
            (Some("other"), Some(15), 15_000, true),
            // Their word counts, not ours.
            (Some("other"), Some(60), 59_999, false),
            (Some("other"), Some(1), 1_000, true),
            (Some("other"), None, 14_999, false),
            (Some("other"), None, 15_000, true),
        ];
        for (holder, seconds, after, free) in cases {
            let observed = Observed::next(None, record(holder, seconds), PATIENCE, seen);
            let now = seen + Duration::from_millis(after);
            let step = decide(Some(&observed), "me", now);
            assert_eq!(step == Step::Take, free, "{holder:?} {seconds:?} {after}");
        }
        assert_eq!(decide(None, "me", seen), Step::Take);
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_change_starts_the_wait_anew() {
        let start = Instant::now();
        let first = Observed::next(None, record(Some("other"), Some(15)), PATIENCE, start);
        assert!(!first.changed);
        let later = start + Duration::from_secs(10);
        let same = Observed::next(
            Some(&first),
            record(Some("other"), Some(15)),
            PATIENCE,
            later,
        );
        assert!(!same.changed);
        assert_eq!(same.holder(start + PATIENCE), None);
        let renewed = Record {
            transitions: 1,
            ..record(Some("other"), Some(15))
        };
        let renewed = Observed::next(Some(&same), renewed, PATIENCE, later);
        assert!(renewed.changed);
        assert_eq!(renewed.holder(start + PATIENCE), Some("other"));
    }
}
