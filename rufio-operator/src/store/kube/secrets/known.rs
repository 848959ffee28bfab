//! What is known of the Secrets that were asked for. Pure.

use std::collections::{BTreeMap, BTreeSet};

use tokio::time::Instant;

use crate::store::{Key, SecretData};

#[derive(Default)]
pub(super) struct Known {
    secrets: BTreeMap<Key, Entry>,
    /// Namespaces whose watch tells every change.
    watched: BTreeSet<String>,
}

#[derive(Default)]
struct Entry {
    /// What the last read said; nothing before that, or once it has changed.
    read: Option<Option<SecretData>>,
    /// How often the watch said that it has changed: a read that began before is not kept.
    changes: u64,
    asked: Option<Instant>,
}

impl Known {
    /// The answer without a read, if one is known to be up to date. Remembers that somebody asked.
    pub(super) fn ask(&mut self, key: &Key, now: Instant) -> Option<Option<SecretData>> {
        let entry = self.secrets.entry(key.clone()).or_default();
        entry.asked = Some(now);
        let watched = self.watched.contains(&key.namespace);
        entry.read.clone().filter(|_| watched)
    }

    /// To be remembered over a read, for [`keep`](Self::keep).
    pub(super) fn changes(&self, key: &Key) -> u64 {
        self.secrets.get(key).map_or(0, |entry| entry.changes)
    }

    /// Keeps what was read, unless it has changed since.
    pub(super) fn keep(&mut self, key: &Key, changes: u64, read: Option<SecretData>) {
        let entry = self.secrets.entry(key.clone()).or_default();
        if entry.changes == changes {
            entry.read = Some(read);
        }
    }

    /// The watch of a namespace is lost.
    pub(super) fn lose(&mut self, namespace: &str) {
        self.watched.remove(namespace);
    }

    /// The watch of a namespace begins with these names and versions. Answers what has changed since it was read.
    pub(super) fn listed(
        &mut self,
        namespace: &str,
        listed: &BTreeMap<String, String>,
    ) -> Vec<Key> {
        self.watched.insert(namespace.to_owned());
        let in_namespace = |key: &&Key| key.namespace == namespace;
        let keys: Vec<Key> = self.secrets.keys().filter(in_namespace).cloned().collect();
        keys.into_iter()
            .filter(|key| self.heard(key, listed.get(&key.name).map(String::as_str)))
            .collect()
    }

    /// The Secret now has this version, or none: gone. Answers whether somebody has to read it again.
    pub(super) fn heard(&mut self, key: &Key, version: Option<&str>) -> bool {
        let Some(entry) = self.secrets.get_mut(key) else {
            return false;
        };
        if let Some(read) = &entry.read
            && read.as_ref().map(|data| data.version.as_str()) == version
        {
            return false;
        }
        entry.read = None;
        entry.changes += 1;
        true
    }

    /// Secrets of a namespace that are not there, though asked for since then.
    pub(super) fn missing(&self, namespace: &str, since: Option<Instant>) -> Vec<Key> {
        let entries = self.secrets.iter().filter(|(key, entry)| {
            key.namespace == namespace && matches!(entry.read, Some(None)) && entry.asked >= since
        });
        entries.map(|(key, _)| key.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn key(name: &str) -> Key {
        Key {
            namespace: "ns".to_owned(),
            name: name.to_owned(),
        }
    }

    fn data(version: &str) -> Option<SecretData> {
        Some(SecretData {
            version: version.to_owned(),
            ..SecretData::default()
        })
    }

    #[test]
    fn only_a_watched_secret_is_kept_and_only_until_it_changes() {
        let (mut known, now) = (Known::default(), Instant::now());
        let key = key("s");
        assert_eq!(known.ask(&key, now), None);
        known.keep(&key, 0, data("1"));
        assert_eq!(known.ask(&key, now), None, "not watched yet");
        let listed = BTreeMap::from([("s".to_owned(), "1".to_owned())]);
        assert!(known.listed("ns", &listed).is_empty());
        assert_eq!(known.ask(&key, now), Some(data("1")));
        assert!(!known.heard(&key, Some("1")), "the echo of what was read");
        assert!(known.heard(&key, Some("2")));
        assert_eq!(known.ask(&key, now), None);
        known.keep(&key, known.changes(&key), data("2"));
        assert!(known.heard(&key, None));
        known.keep(&key, known.changes(&key), None);
        assert_eq!(known.ask(&key, now), Some(None));
        known.lose("ns");
        assert_eq!(known.ask(&key, now), None);
        assert_eq!(known.listed("ns", &listed), [key]);
    }

    #[test]
    fn a_read_overtaken_by_a_change_is_not_kept() {
        let (mut known, now) = (Known::default(), Instant::now());
        let key = key("s");
        known.listed("ns", &BTreeMap::new());
        known.ask(&key, now);
        let before = known.changes(&key);
        assert!(known.heard(&key, Some("2")));
        known.keep(&key, before, data("1"));
        assert_eq!(known.ask(&key, now), None);
    }

    #[test]
    fn what_nobody_asked_for_is_not_remembered() {
        let mut known = Known::default();
        assert!(!known.heard(&key("other"), Some("1")));
        assert!(known.secrets.is_empty());
    }

    #[test]
    fn missing_secrets_are_looked_for_only_while_asked_for() {
        let (mut known, now) = (Known::default(), Instant::now());
        for (name, read) in [("gone", None), ("there", data("1"))] {
            known.ask(&key(name), now);
            known.keep(&key(name), 0, read);
        }
        assert_eq!(known.missing("ns", Some(now)), [key("gone")]);
        assert!(known.missing("elsewhere", Some(now)).is_empty());
        let later = now + Duration::from_secs(1);
        assert!(known.missing("ns", Some(later)).is_empty());
    }
}
