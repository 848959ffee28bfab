//! What was done, so that a request that comes twice is carried out once.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::payload::{Request, Response};

/// Remembers actions by host, id and method. A sender that lost an answer, and an attacker that replays a request, get the
/// answer again and nothing is done again.
///
/// Only requests that change something are remembered. A failure is forgotten: the sender may try again.
#[derive(Debug)]
pub struct Repeats {
    keep: Duration,
    capacity: usize,
    seen: Mutex<BTreeMap<Key, Entry>>,
}

/// Whether to carry a request out.
#[derive(Debug)]
pub enum Begin<'a> {
    /// Yes; then tell [`Turn::end`] the answer. Dropped before that, it is as if the request had never come: where the
    /// framework drops a handler whose caller has gone, carry it out in a task of its own.
    First(Turn<'a>),
    /// No, it was done, and this was the answer.
    Again(Response),
    /// No, it is being done right now. Answer status 503: any other failure would tell the sender that nothing is done.
    Running,
    /// No, as long as there is no room to remember it: a repeat would be carried out twice. Answer status 429: try later.
    Full,
}

/// The right to carry a request out.
#[derive(Debug)]
pub struct Turn<'a> {
    repeats: &'a Repeats,
    /// None: need not be remembered.
    key: Option<Key>,
}

type Key = (String, i64, String);

#[derive(Debug)]
struct Entry {
    since: SystemTime,
    /// None: under way.
    answer: Option<Response>,
}

impl Default for Repeats {
    /// 4096 actions for 15 minutes.
    fn default() -> Self {
        Self::new(Duration::from_secs(900), 4096)
    }
}

impl Repeats {
    /// Remembers at most `capacity` actions, each for `keep`: longer than twice the verifier's window.
    pub fn new(keep: Duration, capacity: usize) -> Self {
        Self {
            keep,
            capacity,
            seen: Mutex::default(),
        }
    }

    /// Whether to carry out `request`.
    pub fn begin(&self, request: &Request, now: SystemTime) -> Begin<'_> {
        if !request.call.changes() {
            return Begin::First(Turn {
                repeats: self,
                key: None,
            });
        }
        let key = (
            request.host.clone(),
            request.id,
            request.call.method().to_owned(),
        );
        let mut seen = self.seen();
        match seen.get(&key) {
            Some(Entry { answer: None, .. }) => return Begin::Running,
            Some(Entry {
                since,
                answer: Some(answer),
            }) if !self.is_old(*since, now) => {
                return Begin::Again(answer.clone());
            }
            _ => {}
        }
        if seen.len() >= self.capacity {
            seen.retain(|_, entry| entry.answer.is_none() || !self.is_old(entry.since, now));
        }
        if seen.len() >= self.capacity {
            return Begin::Full;
        }
        let entry = Entry {
            since: now,
            answer: None,
        };
        seen.insert(key.clone(), entry);
        Begin::First(Turn {
            repeats: self,
            key: Some(key),
        })
    }

    fn is_old(&self, since: SystemTime, now: SystemTime) -> bool {
        now.duration_since(since).is_ok_and(|age| age > self.keep)
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<Key, Entry>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// The request was answered.
    pub fn end(mut self, answer: &Response) {
        if answer.failed().is_some() {
            return;
        }
        if let Some(key) = self.key.take()
            && let Some(entry) = self.repeats.seen().get_mut(&key)
        {
            entry.answer = Some(answer.clone());
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            self.repeats.seen().remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::Call;

    fn request(id: i64) -> Request {
        Request {
            id,
            host: "bmc".into(),
            call: Call::SetPowerState {
                state: "cycle".into(),
            },
        }
    }

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn carry_out(repeats: &Repeats, request: &Request, now: SystemTime, answer: &Response) {
        let Begin::First(turn) = repeats.begin(request, now) else {
            panic!("{request:?} is no first");
        };
        assert!(!request.call.changes() || matches!(repeats.begin(request, now), Begin::Running));
        turn.end(answer);
    }

    #[test]
    fn a_repeat_gets_the_same_answer() {
        let repeats = Repeats::default();
        let done = Response::done(&request(1));
        carry_out(&repeats, &request(1), at(0), &done);
        assert!(
            matches!(repeats.begin(&request(1), at(900)), Begin::Again(answer) if answer == done)
        );
        carry_out(&repeats, &request(2), at(0), &done);
        carry_out(&repeats, &request(1), at(901), &done);
    }

    #[test]
    fn a_failure_may_be_tried_again() {
        let repeats = Repeats::default();
        carry_out(
            &repeats,
            &request(1),
            at(0),
            &Response::failure(&request(1), 1, "no"),
        );
        carry_out(&repeats, &request(1), at(0), &Response::done(&request(1)));
    }

    #[test]
    fn what_cannot_be_remembered_is_not_done() {
        let repeats = Repeats::new(Duration::from_secs(10), 2);
        for id in [1, 2] {
            carry_out(&repeats, &request(id), at(0), &Response::done(&request(id)));
        }
        assert!(matches!(repeats.begin(&request(3), at(10)), Begin::Full));
        carry_out(&repeats, &request(3), at(11), &Response::done(&request(3)));
    }

    #[test]
    fn another_machine_or_method_is_another_action() {
        let repeats = Repeats::default();
        carry_out(&repeats, &request(1), at(0), &Response::done(&request(1)));
        let elsewhere = Request {
            host: "other".into(),
            ..request(1)
        };
        let boot = Call::SetBootDevice {
            device: "pxe".into(),
            persistent: false,
            efi_boot: false,
        };
        let otherwise = Request {
            call: boot,
            ..request(1)
        };
        for other in [elsewhere, otherwise] {
            carry_out(&repeats, &other, at(0), &Response::done(&other));
        }
    }

    #[test]
    fn what_is_under_way_is_never_forgotten() {
        let repeats = Repeats::new(Duration::from_secs(10), 1);
        let Begin::First(_turn) = repeats.begin(&request(1), at(0)) else {
            panic!("no first");
        };
        assert!(matches!(repeats.begin(&request(2), at(100)), Begin::Full));
        assert!(matches!(
            repeats.begin(&request(1), at(100)),
            Begin::Running
        ));
    }

    #[test]
    fn reads_are_never_repeats() {
        let repeats = Repeats::new(Duration::from_secs(10), 0);
        let read = Request {
            call: Call::GetPowerState,
            ..request(1)
        };
        for _ in 0..3 {
            carry_out(&repeats, &read, at(0), &Response::result(&read, "on"));
        }
    }
}
