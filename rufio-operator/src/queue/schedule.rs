//! The queue's state: pure, time comes in as an argument. Every step costs O(log n).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tokio::time::Instant;

use super::Priority;

/// What [`Schedule::take`] found.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Turn<K> {
    /// This key runs now.
    Run(K, Priority),
    /// Nothing to do until something changes or, if given, until then.
    Wait(Option<Instant>),
    /// Shut down and drained.
    Over,
}

/// All keys and what they wait for.
pub(super) struct Schedule<K: Ord> {
    entries: BTreeMap<K, Entry>,
    /// Ready keys in order: high before low, then first come, first served.
    ready: BTreeMap<(Reverse<Priority>, u64), K>,
    /// Waiting keys in order of time.
    waiting: BTreeMap<(Instant, u64), K>,
    /// Numbers arrivals.
    arrivals: u64,
    failing: usize,
    /// Keys that run and will run again.
    dirty: usize,
    shut_down: bool,
}

#[derive(Default)]
struct Entry {
    state: State,
    /// When the key becomes ready although it is not yet.
    wait: Option<Wait>,
    /// At which it ran last.
    last: Priority,
    failures: u32,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Idle,
    Ready {
        priority: Priority,
        arrival: u64,
    },
    Running {
        again: Option<Priority>,
    },
}

#[derive(Clone, Copy)]
struct Wait {
    due: Instant,
    arrival: u64,
    priority: Priority,
}

impl<K: Ord> Default for Schedule<K> {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            ready: BTreeMap::new(),
            waiting: BTreeMap::new(),
            arrivals: 0,
            failing: 0,
            dirty: 0,
            shut_down: false,
        }
    }
}

impl<K: Ord + Clone> Schedule<K> {
    /// The key is to run at once.
    pub(super) fn add(&mut self, key: K, priority: Priority) {
        if self.shut_down {
            return;
        }
        self.arrivals += 1;
        let entry = self.entries.entry(key.clone()).or_default();
        if let Some(wait) = entry.wait.take() {
            self.waiting.remove(&(wait.due, wait.arrival));
        }
        match &mut entry.state {
            State::Running { again } => {
                if again.is_none() {
                    self.dirty += 1;
                }
                *again = (*again).max(Some(priority));
            }
            State::Ready {
                priority: present, ..
            } if *present >= priority => {}
            state => {
                if let State::Ready { priority, arrival } = *state {
                    self.ready.remove(&(Reverse(priority), arrival));
                }
                *state = State::Ready {
                    priority,
                    arrival: self.arrivals,
                };
                self.ready.insert((Reverse(priority), self.arrivals), key);
            }
        }
    }

    /// The key is to run at `due`.
    pub(super) fn add_at(&mut self, key: K, due: Instant, priority: Priority) {
        if self.shut_down {
            return;
        }
        self.arrivals += 1;
        let entry = self.entries.entry(key.clone()).or_default();
        let at_once = matches!(
            entry.state,
            State::Ready { .. } | State::Running { again: Some(_) }
        );
        if at_once || entry.wait.is_some_and(|wait| wait.due <= due) {
            return;
        }
        let wait = Wait {
            due,
            arrival: self.arrivals,
            priority,
        };
        if let Some(later) = entry.wait.replace(wait) {
            self.waiting.remove(&(later.due, later.arrival));
        }
        self.waiting.insert((due, self.arrivals), key);
    }

    /// Hands out the next key.
    pub(super) fn take(&mut self, now: Instant) -> Turn<K> {
        self.wake(now);
        let Some(((Reverse(priority), _), key)) = self.ready.pop_first() else {
            return match self.waiting.first_key_value() {
                Some(((due, _), _)) => Turn::Wait(Some(*due)),
                None if self.shut_down && self.dirty == 0 => Turn::Over,
                None => Turn::Wait(None),
            };
        };
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.state = State::Running { again: None };
            entry.last = priority;
        }
        Turn::Run(key, priority)
    }

    /// The key has run.
    pub(super) fn done(&mut self, key: &K) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        match entry.state {
            State::Running { again: None } => {
                entry.state = State::Idle;
                self.tidy(key);
            }
            State::Running {
                again: Some(priority),
            } => {
                self.dirty -= 1;
                self.arrivals += 1;
                entry.state = State::Ready {
                    priority,
                    arrival: self.arrivals,
                };
                self.ready
                    .insert((Reverse(priority), self.arrivals), key.clone());
            }
            State::Idle | State::Ready { .. } => {}
        }
    }

    /// Counts a failure; answers how many there are, and the priority at which the key ran last.
    pub(super) fn failed(&mut self, key: &K) -> (u32, Priority) {
        if self.shut_down {
            return (1, Priority::Low);
        }
        let entry = self.entries.entry(key.clone()).or_default();
        if entry.failures == 0 {
            self.failing += 1;
        }
        entry.failures = entry.failures.saturating_add(1);
        (entry.failures, entry.last)
    }

    /// Forgets the failures.
    pub(super) fn forget(&mut self, key: &K) {
        if let Some(entry) = self.entries.get_mut(key) {
            if entry.failures > 0 {
                self.failing -= 1;
            }
            entry.failures = 0;
            self.tidy(key);
        }
    }

    /// Takes no more keys and drops the waiting ones.
    pub(super) fn shut_down(&mut self) {
        self.shut_down = true;
        for key in std::mem::take(&mut self.waiting).into_values() {
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.wait = None;
            }
            self.tidy(&key);
        }
    }

    /// Makes those ready whose time has come, in order of their time.
    fn wake(&mut self, now: Instant) {
        while let Some(first) = self.waiting.first_entry() {
            if first.key().0 > now {
                break;
            }
            let key = first.remove();
            if let Some(wait) = self.entries.get_mut(&key).and_then(|e| e.wait.take()) {
                self.add(key, wait.priority);
            }
        }
    }

    /// A key of which nothing is left to remember costs nothing.
    fn tidy(&mut self, key: &K) {
        let forgettable = self.entries.get(key).is_some_and(|entry| {
            matches!(entry.state, State::Idle) && entry.wait.is_none() && entry.failures == 0
        });
        if forgettable {
            self.entries.remove(key);
        }
    }
}

impl<K: Ord> Schedule<K> {
    /// Whether someone else may have something to do or to wait for.
    pub(super) fn has_more(&self) -> bool {
        !self.ready.is_empty() || !self.waiting.is_empty()
    }

    /// How many keys are ready.
    pub(super) fn depth(&self) -> usize {
        self.ready.len()
    }

    /// How many keys have failures.
    pub(super) fn failing(&self) -> usize {
        self.failing
    }

    /// How many keys are remembered.
    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.entries.len()
    }
}
