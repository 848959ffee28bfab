//! Which objects depend on which.

use std::collections::{BTreeMap, BTreeSet};

/// A relation between objects and what they depend on, to be asked from the other side.
#[derive(Debug)]
pub(super) struct Relation<O, T> {
    forward: BTreeMap<O, BTreeSet<T>>,
    backward: BTreeMap<T, BTreeSet<O>>,
}

impl<O: Ord + Clone, T: Ord + Clone> Relation<O, T> {
    /// The object depends on exactly these.
    pub(super) fn set(&mut self, object: &O, targets: impl IntoIterator<Item = T>) {
        self.remove(object);
        let targets: BTreeSet<T> = targets.into_iter().collect();
        if targets.is_empty() {
            return;
        }
        for target in &targets {
            let dependents = self.backward.entry(target.clone()).or_default();
            dependents.insert(object.clone());
        }
        self.forward.insert(object.clone(), targets);
    }

    /// The object depends on nothing.
    pub(super) fn remove(&mut self, object: &O) {
        for target in self.forward.remove(object).unwrap_or_default() {
            if let Some(dependents) = self.backward.get_mut(&target) {
                dependents.remove(object);
                if dependents.is_empty() {
                    self.backward.remove(&target);
                }
            }
        }
    }

    /// The objects that depend on `target`.
    pub(super) fn dependents(&self, target: &T) -> Vec<O> {
        let dependents = self.backward.get(target);
        dependents.into_iter().flatten().cloned().collect()
    }
}

impl<O, T> Default for Relation<O, T> {
    fn default() -> Self {
        Self {
            forward: BTreeMap::new(),
            backward: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts() {
        let mut relation = Relation::default();
        relation.set(&"a", [1, 2]);
        relation.set(&"b", [2]);
        assert_eq!(relation.dependents(&2), ["a", "b"]);
        relation.set(&"a", [3]);
        assert_eq!(relation.dependents(&2), ["b"]);
        relation.remove(&"b");
        assert!(relation.dependents(&2).is_empty());
        assert_eq!(relation.backward.len(), 1);
    }
}
