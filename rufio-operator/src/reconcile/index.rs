//! What the controllers know besides the objects. Everything here can be lost with the process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::time::Instant;

use super::line::Lines;
use super::relation::Relation;
use crate::api::{Connection, Machine, MachineStatus, Task, TaskConditionType};
use crate::plan::{job, machine::Fingerprint, task::Progress};
use crate::store::{Event, Key, Kind, ObjectRef};

/// What the controllers know besides the objects.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) lines: Lines,
    pub(super) machines: BTreeMap<Key, MachineEntry>,
    pub(super) tasks: BTreeMap<String, TaskEntry>,
    pub(super) jobs: BTreeMap<String, job::Memory>,
    /// Uids of Tasks that may have acted.
    pub(super) acted: BTreeSet<String>,
    pub(super) machine_secrets: Relation<Key, Key>,
    pub(super) machine_bmcs: Relation<Key, Address>,
    pub(super) task_secrets: Relation<Key, Key>,
    news: BTreeMap<ObjectRef, (&'static str, String)>,
}

/// What is known of a Machine.
#[derive(Clone, Debug, Default)]
pub(super) struct MachineEntry {
    pub(super) uid: String,
    pub(super) fingerprint: Fingerprint,
    /// A user has changed the object, which ends the memory of refused logins.
    pub(super) poked: bool,
    pub(super) looks: u32,
    pub(super) failures: u32,
    /// The status that was wanted last, and the object as the server kept it.
    pub(super) written: Option<(MachineStatus, Arc<Machine>)>,
    /// A write may have happened or not: the cache must not be trusted before the object was read live.
    pub(super) in_doubt: bool,
}

/// What a user did to a Machine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Touched {
    /// Created it.
    New,
    /// Changed it.
    Changed,
    /// Nothing.
    Unchanged,
}

/// What is known of a Task.
#[derive(Clone, Debug)]
pub(super) struct TaskEntry {
    pub(super) key: Key,
    pub(super) progress: Progress,
    /// The Task as this process wrote it last; the cache may be older.
    pub(super) latest: Option<Arc<Task>>,
    /// When the next look is due.
    pub(super) due: Option<Instant>,
    /// How it has ended, until that is written.
    pub(super) ending: Option<(TaskConditionType, String)>,
}

impl Index {
    /// Whether the Event differs from the last one about its object.
    pub(super) fn is_news(&mut self, event: &Event) -> bool {
        let news = (event.reason, event.note.clone());
        let before = self.news.insert(event.regarding.clone(), news.clone());
        before != Some(news)
    }

    /// Forgets the Events about an object that is gone.
    pub(super) fn no_news(&mut self, object: &ObjectRef) {
        self.news.remove(object);
    }

    /// The Machines and Tasks that depend on this Secret.
    pub(super) fn secret_changed(&mut self, secret: &Key) -> (Vec<Key>, Vec<Key>) {
        let tasks = self.task_secrets.dependents(secret);
        for entry in self.tasks.values_mut() {
            if tasks.binary_search(&entry.key).is_ok() {
                entry.progress.wake();
                entry.due = None;
            }
        }
        (self.machine_secrets.dependents(secret), tasks)
    }

    /// The Machines whose BMC is the one of this connection.
    pub(super) fn machines_at(&self, connection: &Connection) -> Vec<Key> {
        self.machine_bmcs.dependents(&address(connection))
    }

    /// Forgets everything about a Job and its Tasks.
    pub(super) fn forget_job(&mut self, uid: &str) {
        if let Some(memory) = self.jobs.remove(uid) {
            for task in memory.uids() {
                self.acted.remove(task);
            }
        }
    }

    /// A Machine's dependencies as they are now.
    pub(super) fn machine_changed(&mut self, machine: &Machine) -> Touched {
        let key = machine.key();
        let connection = &machine.spec.connection;
        let secrets = crate::connect::secrets_of(connection, &key.namespace);
        self.machine_secrets.set(&key, secrets);
        self.machine_bmcs.set(&key, [address(connection)]);
        let fingerprint = Fingerprint::of(machine);
        let entry = self.machines.entry(key).or_default();
        let mut touched = Touched::Changed;
        if entry.uid != machine.uid() {
            *entry = MachineEntry {
                uid: machine.uid().to_owned(),
                ..MachineEntry::default()
            };
            touched = Touched::New;
        } else if entry.fingerprint == fingerprint {
            return Touched::Unchanged;
        }
        entry.fingerprint = fingerprint;
        entry.poked = true;
        touched
    }

    /// The Machine is gone.
    pub(super) fn machine_gone(&mut self, key: &Key) {
        self.machine_secrets.remove(key);
        self.machine_bmcs.remove(key);
        self.machines.remove(key);
    }
}

/// Where a BMC is reached: many of them may share a host, as behind a gateway or in a test.
type Address = (String, i32);

fn address(connection: &Connection) -> Address {
    let options = connection.provider_options.as_ref();
    let ipmi = options.and_then(|options| options.ipmitool.as_ref()?.port);
    let port = ipmi.unwrap_or(connection.port);
    (connection.host.to_ascii_lowercase(), port)
}
