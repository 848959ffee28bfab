//! Events, counted instead of repeated.

use std::collections::BTreeMap;

use crate::store::{Event, ObjectRef};

/// Events kept.
const LIMIT: usize = 10_000;

/// An Event and how often it happened.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recorded {
    /// The Event.
    pub event: Event,
    /// How often.
    pub count: u64,
}

#[derive(Debug, Default)]
pub(super) struct Events {
    recorded: BTreeMap<u64, Recorded>,
    index: BTreeMap<Identity, u64>,
    last: u64,
}

type Identity = (ObjectRef, &'static str, &'static str, String);

impl Events {
    pub(super) fn record(&mut self, mut event: Event) {
        event.cut_note();
        let identity = identity(&event);
        if let Some(number) = self.index.get(&identity)
            && let Some(recorded) = self.recorded.get_mut(number)
        {
            recorded.count += 1;
            return;
        }
        self.last += 1;
        self.index.insert(identity, self.last);
        self.recorded
            .insert(self.last, Recorded { event, count: 1 });
        if self.recorded.len() > LIMIT
            && let Some((_, oldest)) = self.recorded.pop_first()
        {
            self.index.remove(&self::identity(&oldest.event));
        }
    }

    pub(super) fn all(&self) -> Vec<Recorded> {
        self.recorded.values().cloned().collect()
    }
}

fn identity(event: &Event) -> Identity {
    (
        event.regarding.clone(),
        event.reason,
        event.action,
        event.note.clone(),
    )
}
