//! A pass over a Task: look, swap startTime in, send, look again, write the end.

mod run;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kube::Resource;
use tokio::time::Instant;

use self::run::Run;
use super::index::{Index, TaskEntry};
use super::relation::Relation;
use super::{Next, Shared, is_newer};
use crate::api::{Job, Task};
use crate::connect::{Connect, secrets_of};
use crate::plan::job::{awaited_override, index_of, owner_job};
use crate::plan::task::Progress;
use crate::queue::Priority;
use crate::status::task_finished;
use crate::store::{Change, Key, Kind, ObjectRef, Store};

/// Pause of a replica that does not lead.
const FOLLOWER_PAUSE: Duration = Duration::from_secs(1);

/// Wakes the Task, and the Job that it belongs to.
pub(super) fn changed<S: Store, C: Connect>(shared: &Shared<S, C>, change: Change<Task>) {
    match change {
        Change::Reset(tasks) => {
            let listed: BTreeSet<&str> = tasks.iter().map(|task| task.uid()).collect();
            let jobs = {
                let mut index = shared.index();
                index.tasks.retain(|uid, _| listed.contains(uid.as_str()));
                index.task_secrets = Relation::default();
                index.lines.all()
            };
            for task in &tasks {
                applied(shared, task);
            }
            for (job, _) in jobs {
                shared.jobs.add(job, Priority::High);
            }
        }
        Change::Applied(task) => {
            applied(shared, &task);
            wake_owner(shared, &task);
        }
        Change::Deleted(task) => {
            let key = task.key();
            let mut index = shared.index();
            index.tasks.remove(task.uid());
            index.no_news(&ObjectRef {
                kind: Task::KIND,
                key: key.clone(),
                uid: task.uid().to_owned(),
            });
            if !is_waited_for(&index, &task) {
                index.acted.remove(task.uid());
            }
            drop(index);
            // Another generation may have taken the name already.
            shared.tasks.add(key, Priority::High);
            wake_owner(shared, &task);
        }
    }
}

fn applied<S: Store, C: Connect>(shared: &Shared<S, C>, task: &Task) {
    let key = task.key();
    let finished = task_finished(task.status.as_ref());
    {
        let mut index = shared.index();
        match &task.spec.connection {
            Some(connection) if !finished => {
                let secrets = secrets_of(connection, &key.namespace);
                index.task_secrets.set(&key, secrets);
            }
            _ => index.task_secrets.remove(&key),
        }
        if finished {
            index.tasks.remove(task.uid());
            if !is_waited_for(&index, task) {
                index.acted.remove(task.uid());
            }
        }
    }
    if !finished {
        shared.tasks.add(key, Priority::High);
    }
}

/// Whether an unfinished Job may ask whether the Task has acted.
fn is_waited_for(index: &Index, task: &Task) -> bool {
    owner_job(task).is_some_and(|(_, uid)| index.lines.holds(uid))
}

fn wake_owner<S: Store, C: Connect>(shared: &Shared<S, C>, task: &Task) {
    if let Some((job, _)) = owner_job(task) {
        shared.jobs.add(job, Priority::High);
    }
}

/// One pass.
pub(super) async fn pass<S: Store, C: Connect>(shared: Arc<Shared<S, C>>, key: Key) -> Next {
    let Some(cached) = shared.store.cached::<Task>(&key).await else {
        return Next::Done;
    };
    if task_finished(cached.status.as_ref()) || cached.meta().deletion_timestamp.is_some() {
        return Next::Done;
    }
    if !shared.leads() {
        shared.index().tasks.remove(cached.uid());
        return Next::After(FOLLOWER_PAUSE);
    }
    let entry = shared.index().tasks.get(cached.uid()).cloned();
    let entry = entry.unwrap_or_else(|| TaskEntry {
        key: key.clone(),
        progress: Progress::new(Instant::now()),
        latest: None,
        due: None,
        ending: None,
    });
    let task = match &entry.latest {
        Some(latest) if is_newer(latest.as_ref(), &cached) => latest.as_ref().clone(),
        _ => cached.as_ref().clone(),
    };
    if task_finished(task.status.as_ref()) {
        return Next::Done;
    }
    if let (Some(latest), Some(due)) = (&entry.latest, entry.due)
        && !is_newer(cached.as_ref(), latest)
        && due > Instant::now()
    {
        // Woken by our own write.
        return Next::After(due - Instant::now());
    }
    let awaited = awaited(&shared, &task).await;
    let mut run = Run::new(&shared, task, entry, awaited);
    let next = run.steps().await;
    let (task, mut entry) = run.into_parts();
    entry.latest = Some(Arc::new(task));
    entry.due = match next {
        Next::After(pause) => Instant::now().checked_add(pause),
        Next::Done | Next::Retry => None,
    };
    let uid = cached.uid().to_owned();
    shared.index().tasks.insert(uid.clone(), entry);
    let now = shared.store.cached::<Task>(&key).await;
    if now.is_none_or(|now| now.uid() != uid || task_finished(now.status.as_ref())) {
        shared.index().tasks.remove(&uid);
    }
    next
}

/// The one-time override that the Task must not overwrite yet.
async fn awaited<S: Store, C: Connect>(
    shared: &Shared<S, C>,
    task: &Task,
) -> Option<bmc_core::BootDevice> {
    let (key, uid) = owner_job(task)?;
    let job = shared.store.cached::<Job>(&key).await?;
    let index = index_of(&job, task).filter(|_| job.uid() == uid)?;
    awaited_override(&job.spec.tasks, index)
}
