//! Manifests from files: parsed, checked as a cluster would check them, and taken whole or not at all.

mod document;
mod secret;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::api::{Job, Machine, Task};
use crate::crd::schema::Violation;
use crate::store::{Key, SecretData};

use document::{Document, Parsed};

/// The objects of all manifests.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// Machines, in the order of the documents.
    pub machines: Vec<Machine>,
    /// Jobs, in the order of the documents.
    pub jobs: Vec<Job>,
    /// Tasks, in the order of the documents.
    pub tasks: Vec<Task>,
    /// Secrets by namespace and name.
    pub secrets: BTreeMap<Key, SecretData>,
    /// What was accepted here but a cluster takes otherwise.
    pub notices: Vec<String>,
}

/// One text with manifests.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages call it: the file's name.
    pub name: String,
    /// YAML documents, or JSON.
    pub text: String,
}

/// Everything that is wrong with the manifests. Nothing of them was used.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub struct InvalidManifests {
    /// One line for each problem: file, document, field, what is allowed.
    pub problems: Vec<String>,
}

impl fmt::Display for InvalidManifests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl Manifests {
    /// Reads all sources; every document must be good.
    pub fn parse(sources: &[Source]) -> Result<Self, InvalidManifests> {
        let mut reader = Reader::default();
        for source in sources {
            match document::split(source) {
                Ok(documents) => documents
                    .into_iter()
                    .for_each(|document| reader.document(document)),
                Err(problem) => reader.problems.push(problem),
            }
        }
        if reader.problems.is_empty() {
            Ok(reader.manifests)
        } else {
            Err(InvalidManifests {
                problems: reader.problems,
            })
        }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.machines.is_empty() && self.jobs.is_empty() && self.tasks.is_empty()
    }
}

#[derive(Default)]
struct Reader {
    manifests: Manifests,
    problems: Vec<String>,
    /// Where each object was seen first.
    places: BTreeMap<(String, Key), String>,
}

impl Reader {
    fn document(&mut self, document: Document) {
        let place = document.place();
        let kind = document.text_at("kind").to_owned();
        match (document.text_at("apiVersion"), kind.as_str()) {
            ("v1", "Namespace") => {}
            ("v1", "List") | (API_VERSION, "MachineList" | "JobList" | "TaskList") => {
                match document.items() {
                    Ok(items) => items.into_iter().for_each(|item| self.document(item)),
                    Err(problem) => self.problems.push(format!("{place}: {problem}")),
                }
            }
            ("v1", "Secret") => self.secret(&document),
            (API_VERSION, "Machine" | "Job" | "Task") => self.object(&kind, document),
            ("", _) => self.problems.push(format!("{place}: apiVersion: required")),
            (_, "") => self.problems.push(format!("{place}: kind: required")),
            (version, kind) => self.problems.push(format!(
                "{place}: {kind} of {version} is not known here; allowed are Machine, Job and Task of {API_VERSION}, \
                 and Secret, Namespace and List of v1"
            )),
        }
    }

    fn secret(&mut self, document: &Document) {
        let place = document.place();
        match document
            .key()
            .and_then(|key| Ok((key, secret::data(&document.strict)?)))
        {
            Ok((key, data)) => {
                if self.is_first("Secret", &key, &place) {
                    self.manifests.secrets.insert(key, data);
                }
            }
            Err(found) => self.refuse(&place, &found),
        }
    }

    fn object(&mut self, kind: &str, document: Document) {
        let place = document.place();
        let key = match document.key() {
            Ok(key) => key,
            Err(found) => return self.refuse(&place, &found),
        };
        match document.into_object(kind) {
            Ok(Parsed { value, notices }) => {
                let notices = notices
                    .into_iter()
                    .map(|notice| format!("{place}: {notice}"));
                self.manifests.notices.extend(notices);
                if self.is_first(kind, &key, &place) {
                    self.typed(kind, value, &place);
                }
            }
            Err(found) => self.refuse(&place, &found),
        }
    }

    fn typed(&mut self, kind: &str, value: Value, place: &str) {
        let stored = match kind {
            "Machine" => serde_json::from_value(value).map(|it| self.manifests.machines.push(it)),
            "Job" => serde_json::from_value(value).map(|it| self.manifests.jobs.push(it)),
            _ => serde_json::from_value(value).map(|it| self.manifests.tasks.push(it)),
        };
        if let Err(error) = stored {
            self.problems.push(format!("{place}: {error}"));
        }
    }

    fn is_first(&mut self, kind: &str, key: &Key, place: &str) -> bool {
        let entry = (kind.to_owned(), key.clone());
        if let Some(first) = self.places.get(&entry) {
            self.problems
                .push(format!("{place}: {kind} {key} is there already: {first}"));
            return false;
        }
        self.places.insert(entry, place.to_owned());
        true
    }

    fn refuse(&mut self, place: &str, found: &[Violation]) {
        let lines = found
            .iter()
            .map(|violation| format!("{place}: {violation}"));
        self.problems.extend(lines);
    }
}

const API_VERSION: &str = "bmc.tinkerbell.org/v1alpha1";

#[cfg(test)]
mod tests;
