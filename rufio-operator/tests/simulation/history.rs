//! What has happened, as watchers see it and as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use rufio_operator::api::{Job, Task};
use rufio_operator::status::{job_finished, task_finished};
use rufio_operator::store::memory::{MemoryStore, User};
use rufio_operator::store::{Change, Kind, Store};
use tokio::time::Instant;

/// Everything that watchers have seen.
#[derive(Default)]
pub(crate) struct History {
    pub(crate) log: Vec<String>,
    /// Every Task that ever existed, as it was at its end.
    pub(crate) truth: BTreeMap<String, Arc<Task>>,
    tasks: BTreeMap<String, Arc<Task>>,
    jobs: BTreeMap<String, Arc<Job>>,
    pub(crate) wrongs: Vec<String>,
}

impl History {
    /// Whether the Task is known with a startTime.
    pub(crate) fn has_begun(&self, uid: &str) -> bool {
        let task = self.truth.get(uid);
        task.and_then(|task| task.status.as_ref()?.start_time.as_ref())
            .is_some()
    }
}

/// Notes every Task before it can vanish.
pub(crate) fn audit(user: &User, history: &Mutex<History>) {
    let tasks = user.list::<Task>();
    let mut history = history.lock().unwrap();
    history
        .truth
        .extend(tasks.into_iter().map(|task| (task.uid().to_owned(), task)));
}

pub(crate) async fn watch<K: Kind>(
    store: MemoryStore,
    began: Instant,
    history: Arc<Mutex<History>>,
    seen: fn(&mut History, &Arc<K>),
) {
    let mut changes = Box::pin(store.changes::<K>());
    while let Some(change) = changes.next().await {
        let mut history = history.lock().unwrap();
        let objects: Vec<Arc<K>> = match change {
            Change::Reset(objects) => objects,
            Change::Applied(object) => vec![object],
            Change::Deleted(object) => {
                history.log.push(format!(
                    "{:?} {} {} deleted",
                    began.elapsed(),
                    K::KIND,
                    object.key()
                ));
                vec![object]
            }
        };
        for object in objects {
            let line = format!(
                "{:?} {} {} {}: {:?}",
                began.elapsed(),
                K::KIND,
                object.key(),
                object.uid(),
                object.status()
            );
            history.log.push(line);
            seen(&mut history, &object);
        }
    }
}

pub(crate) fn seen_task(history: &mut History, task: &Arc<Task>) {
    let before = history
        .tasks
        .insert(task.uid().to_owned(), Arc::clone(task));
    if let Some(before) = before
        && task_finished(before.status.as_ref())
        && before.status != task.status
    {
        history
            .wrongs
            .push(format!("a finished task changed: {before:?} {task:?}"));
    }
}

pub(crate) fn seen_job(history: &mut History, job: &Arc<Job>) {
    let before = history.jobs.insert(job.uid().to_owned(), Arc::clone(job));
    if let Some(before) = before
        && job_finished(before.status.as_ref())
        && before.status != job.status
    {
        history
            .wrongs
            .push(format!("a finished job changed: {before:?} {job:?}"));
    }
}

/// Uids of the Tasks that do this, of all that ever existed.
pub(crate) fn doing(history: &History, action: &str) -> BTreeSet<String> {
    let does =
        |task: &Task| serde_json::to_value(&task.spec.task).unwrap()["powerAction"] == action;
    let tasks = history.truth.iter().filter(|(_, task)| does(task));
    tasks.map(|(uid, _)| uid.clone()).collect()
}
