//! What can go wrong between the operator and the objects, for simulation: seeded, and switchable at run time.

use std::time::Duration;

use serde_json::Value;

/// Faults of a [`MemoryStore`](super::memory::MemoryStore). Chances are from 0 (never) to 1 (always).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// Of creating an object.
    pub create: Odds,
    /// Of writing a status.
    pub write_status: Odds,
    /// Of deleting an object.
    pub delete: Odds,
    /// Chance that a live read, of a Secret too, ends with `Unavailable`.
    pub read_unavailable: f64,
    /// Longest time that a request takes; the effect comes somewhere in between.
    pub latency: Duration,
    /// Longest time by which the cache is behind.
    pub lag: Duration,
    /// Chance that a write costs the watch of its kind: changes are not seen until all objects are listed again.
    pub watch_lost: f64,
    /// Longest time until a lost watch is back.
    pub watch_outage: Duration,
    /// Fields that are dropped without a word, as by somebody else's definitions.
    pub pruned: Vec<Pruned>,
}

/// Chances of one kind of write to go wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Odds {
    /// `Conflict`, not written. A create does not conflict.
    pub conflict: f64,
    /// `Unknown`, but written.
    pub unknown_written: f64,
    /// `Unknown`, and not written.
    pub unknown_lost: f64,
    /// `Unavailable`, not written.
    pub unavailable: f64,
}

/// A field that is dropped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Pruned {
    /// Kind, such as `Machine`.
    pub kind: &'static str,
    /// Path in the object; `[]` stands for every item, as in `status.conditions[].reason`.
    pub path: &'static str,
}

/// On which side of a write everything stops.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Moment {
    /// The request never reaches the server.
    BeforeWrite,
    /// The server has written, and nobody hears of it.
    AfterWrite,
}

impl Faults {
    /// No faults.
    pub fn none() -> Self {
        Self::default()
    }

    /// Every fault but pruning, each as likely as `odds`, with a cache and requests that are late by up to `delay`.
    pub fn storm(odds: f64, delay: Duration) -> Self {
        let write = Odds {
            conflict: odds,
            unknown_written: odds,
            unknown_lost: odds,
            unavailable: odds,
        };
        Self {
            create: write,
            write_status: write,
            delete: write,
            read_unavailable: odds,
            latency: delay,
            lag: delay,
            watch_lost: odds,
            watch_outage: delay * 4,
            pruned: Vec::new(),
        }
    }
}

impl Pruned {
    /// Drops the field from an object of the kind.
    pub(super) fn prune(&self, kind: &str, object: &mut Value) {
        if self.kind == kind {
            drop_field(object, self.path);
        }
    }
}

fn drop_field(value: &mut Value, path: &str) {
    let Some((name, rest)) = path.split_once('.') else {
        if let Value::Object(object) = value {
            object.remove(path);
        }
        return;
    };
    match name.strip_suffix("[]") {
        None => {
            if let Some(child) = value.get_mut(name) {
                drop_field(child, rest);
            }
        }
        Some(name) => {
            if let Some(Value::Array(list)) = value.get_mut(name) {
                for item in list {
                    drop_field(item, rest);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pruning_reaches_into_lists() {
        let pruned = Pruned {
            kind: "Machine",
            path: "status.conditions[].reason",
        };
        let object =
            json!({"status": {"conditions": [{"reason": "a", "type": "t"}, {"type": "u"}]}});
        let mut machine = object.clone();
        pruned.prune("Machine", &mut machine);
        assert_eq!(
            machine,
            json!({"status": {"conditions": [{"type": "t"}, {"type": "u"}]}})
        );
        let mut job = object.clone();
        pruned.prune("Job", &mut job);
        assert_eq!(job, object);
    }
}
