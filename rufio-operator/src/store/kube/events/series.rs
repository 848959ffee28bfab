//! Which Events are new, which repeat an earlier one, and how fast they may be written. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::store::{Event, ObjectRef};

/// An Event that was not repeated for so long is forgotten: the next one is new.
const WINDOW: Duration = Duration::from_secs(6 * 60);
/// Least time between two writes of one count.
const COUNT_INTERVAL: Duration = Duration::from_secs(10);
/// Events remembered.
const LIMIT: usize = 4096;

/// What to write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// A new Event.
    Create,
    /// A new count of this Event.
    Count {
        /// Its name.
        name: String,
        /// How often it has happened.
        count: i32,
    },
}

/// The Events of the last minutes.
#[derive(Default)]
pub(super) struct Seen {
    series: BTreeMap<Identity, Series>,
}

/// Two Events are the same if all of this is, the note too: otherwise the first note would hide the later ones.
#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
struct Identity {
    regarding: ObjectRef,
    reason: &'static str,
    action: &'static str,
    note: String,
}

struct Series {
    event: Event,
    /// Nothing until it is created.
    name: Option<String>,
    count: i32,
    written_count: i32,
    written: Instant,
    last: Instant,
}

impl Seen {
    /// An Event has happened. Answers what to write now, if anything.
    pub(super) fn observe(&mut self, event: &Event, now: Instant) -> Option<Step> {
        let identity = Identity::of(event);
        if let Some(series) = self.series.get_mut(&identity)
            && now.duration_since(series.last) < WINDOW
        {
            series.last = now;
            series.count = series.count.saturating_add(1);
            return series.due(now, COUNT_INTERVAL);
        }
        if self.series.len() >= LIMIT {
            self.drop_oldest();
        }
        let series = Series {
            event: event.clone(),
            name: None,
            count: 1,
            written_count: 1,
            written: now,
            last: now,
        };
        self.series.insert(identity, series);
        Some(Step::Create)
    }

    /// The Event was created under this name.
    pub(super) fn created(&mut self, event: &Event, name: String) {
        if let Some(series) = self.series.get_mut(&Identity::of(event)) {
            series.name = Some(name);
            // A series that is created anew begins anew.
            series.count = 1;
            series.written_count = 1;
        }
    }

    /// The Event could not be created: its repetition is new.
    pub(super) fn forget(&mut self, event: &Event) {
        self.series.remove(&Identity::of(event));
    }

    /// Forgets what is over; answers the counts that are due.
    pub(super) fn sweep(&mut self, now: Instant) -> Vec<(Event, Step)> {
        let due = self.due(now, COUNT_INTERVAL);
        self.series
            .retain(|_, series| now.duration_since(series.last) < WINDOW);
        due
    }

    /// All counts that have not been written.
    pub(super) fn flush(&mut self, now: Instant) -> Vec<(Event, Step)> {
        self.due(now, Duration::ZERO)
    }

    fn due(&mut self, now: Instant, interval: Duration) -> Vec<(Event, Step)> {
        let series = self.series.values_mut();
        series
            .filter_map(|series| Some((series.event.clone(), series.due(now, interval)?)))
            .collect()
    }

    fn drop_oldest(&mut self) {
        let oldest = self.series.iter().min_by_key(|(_, series)| series.last);
        if let Some(identity) = oldest.map(|(identity, _)| identity.clone()) {
            self.series.remove(&identity);
        }
    }
}

impl Series {
    fn due(&mut self, now: Instant, interval: Duration) -> Option<Step> {
        let name = self.name.clone()?;
        if self.count == self.written_count || now.duration_since(self.written) < interval {
            return None;
        }
        self.written = now;
        self.written_count = self.count;
        Some(Step::Count {
            name,
            count: self.count,
        })
    }
}

impl Identity {
    fn of(event: &Event) -> Self {
        Self {
            regarding: event.regarding.clone(),
            reason: event.reason,
            action: event.action,
            note: event.note.clone(),
        }
    }
}

/// A token bucket that may go into debt: it answers when the write may begin.
pub(super) struct Tokens {
    interval: Duration,
    /// How much time a full bucket stands for.
    capacity: Duration,
    /// When the bucket would be full if nothing more were taken.
    full: Instant,
}

impl Tokens {
    pub(super) fn new(burst: u32, per_second: u32, now: Instant) -> Self {
        let interval = Duration::from_secs(1) / per_second.max(1);
        Self {
            interval,
            capacity: interval * burst,
            full: now,
        }
    }

    /// Takes a token; answers when it is there.
    pub(super) fn take(&mut self, now: Instant) -> Instant {
        self.full = self.full.max(now) + self.interval;
        let debt = self.full.duration_since(now).saturating_sub(self.capacity);
        now + debt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Key, Severity};

    fn event(note: &str) -> Event {
        Event {
            regarding: ObjectRef {
                kind: "Machine",
                key: Key {
                    namespace: "ns".to_owned(),
                    name: "m".to_owned(),
                },
                uid: "u".to_owned(),
            },
            severity: Severity::Warning,
            reason: "NotContactable",
            action: "Poll",
            note: note.to_owned(),
        }
    }

    fn count(count: i32) -> Step {
        Step::Count {
            name: "e".to_owned(),
            count,
        }
    }

    #[test]
    fn repetitions_are_counted_and_written_now_and_then() {
        let (mut seen, start) = (Seen::default(), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        let a = event("a");
        assert_eq!(seen.observe(&a, start), Some(Step::Create));
        assert_eq!(seen.observe(&a, start), None, "not created yet");
        seen.created(&a, "e".to_owned());
        assert_eq!(seen.observe(&a, after(1)), None);
        assert_eq!(seen.observe(&a, after(11)), Some(count(3)));
        assert_eq!(seen.observe(&a, after(12)), None);
        assert_eq!(seen.sweep(after(20)), []);
        assert_eq!(seen.sweep(after(21)), [(a.clone(), count(4))]);
        assert_eq!(seen.sweep(after(40)), []);
        assert_eq!(seen.observe(&event("b"), after(40)), Some(Step::Create));
        assert_eq!(seen.observe(&a, after(41)), Some(count(5)));
        assert_eq!(seen.observe(&a, after(42)), None);
        assert_eq!(seen.flush(after(42)), [(a.clone(), count(6))]);
        assert_eq!(seen.observe(&a, after(42 + 360)), Some(Step::Create));
    }

    #[test]
    fn what_could_not_be_created_is_new_again() {
        let (mut seen, now) = (Seen::default(), Instant::now());
        assert_eq!(seen.observe(&event("a"), now), Some(Step::Create));
        seen.forget(&event("a"));
        assert_eq!(seen.observe(&event("a"), now), Some(Step::Create));
    }

    #[test]
    fn memory_is_bounded() {
        let (mut seen, now) = (Seen::default(), Instant::now());
        for n in 0..LIMIT + 10 {
            let step = seen.observe(&event(&n.to_string()), now);
            assert_eq!(step, Some(Step::Create));
        }
        assert_eq!(seen.series.len(), LIMIT);
        seen.sweep(now + WINDOW);
        assert!(seen.series.is_empty());
    }

    #[test]
    fn a_burst_goes_at_once_and_the_rest_in_step() {
        let now = Instant::now();
        let mut tokens = Tokens::new(3, 10, now);
        let waits: Vec<_> = (0..6)
            .map(|_| tokens.take(now).duration_since(now).as_millis())
            .collect();
        assert_eq!(waits, [0, 0, 0, 100, 200, 300]);
        let later = now + Duration::from_secs(60);
        assert_eq!(tokens.take(later), later);
    }
}
