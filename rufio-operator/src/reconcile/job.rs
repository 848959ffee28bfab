//! A pass over a Job: begin it, create its next Task, end it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kube::Resource;
use tracing::{info, warn};

use super::line::machine_of;
use super::{Next, Shared};
use crate::api::{Job, JobConditionType, JobStatus, Machine, Task};
use crate::connect::Connect;
use crate::events::{self, Doing};
use crate::plan::job::{
    CACHE_LAG, Claim, Decision, Given, Memory, claim, decide, obstructed, refused,
};
use crate::queue::Priority;
use crate::status::{job_finished, job_has};
use crate::store::{Change, Key, Kind, ObjectRef, Store, StoreError};

/// Steps of one pass; no Job needs more than a few.
const STEPS: usize = 16;
/// Pause of a replica that does not lead.
const FOLLOWER_PAUSE: Duration = Duration::from_secs(1);
/// When what is missing or in the way is looked for again, if nothing tells of it before.
const OBSTACLE_PAUSE: Duration = Duration::from_secs(15);

/// Wakes the Job, and those that wait for its end.
pub(super) fn changed<S: Store, C: Connect>(shared: &Shared<S, C>, change: Change<Job>) {
    match change {
        Change::Reset(jobs) => {
            let listed: BTreeSet<&str> = jobs.iter().map(|job| job.uid()).collect();
            let known = shared.index().lines.all();
            for (key, uid) in known {
                if !listed.contains(uid.as_str()) {
                    gone(shared, key, &uid);
                }
            }
            // All places are known before the first Job asks for its own.
            for job in &jobs {
                let _ = shared.index().lines.update(job);
            }
            for job in jobs.iter().filter(|job| !job_finished(job.status.as_ref())) {
                shared.jobs.add(job.key(), Priority::High);
            }
        }
        Change::Applied(job) => {
            let next = {
                let mut index = shared.index();
                if job_finished(job.status.as_ref()) {
                    index.forget_job(job.uid());
                }
                index.lines.update(&job)
            };
            if let Some(next) = next {
                shared.jobs.add(next, Priority::High);
            }
            if !job_finished(job.status.as_ref()) {
                shared.jobs.add(job.key(), Priority::High);
            }
        }
        Change::Deleted(job) => gone(shared, job.key(), job.uid()),
    }
}

fn gone<S: Store, C: Connect>(shared: &Shared<S, C>, key: Key, uid: &str) {
    let next = {
        let mut index = shared.index();
        index.forget_job(uid);
        index.no_news(&ObjectRef {
            kind: Job::KIND,
            key: key.clone(),
            uid: uid.to_owned(),
        });
        index.lines.leave(uid)
    };
    if let Some(next) = next {
        shared.jobs.add(next, Priority::High);
    }
    // Another generation may have taken the name already.
    shared.jobs.add(key, Priority::High);
}

/// One pass.
pub(super) async fn pass<S: Store, C: Connect>(shared: Arc<Shared<S, C>>, key: Key) -> Next {
    let Some(cached) = shared.store.cached::<Job>(&key).await else {
        return Next::Done;
    };
    if job_finished(cached.status.as_ref()) || cached.meta().deletion_timestamp.is_some() {
        return Next::Done;
    }
    if !shared.leads() {
        return Next::After(FOLLOWER_PAUSE);
    }
    // Only what the watch has shown stands in line; it wakes the Job as well.
    if !shared.index().lines.holds(cached.uid()) {
        return Next::Done;
    }
    let memory = shared.index().jobs.get(cached.uid()).cloned();
    let mut run = Run {
        shared: &shared,
        job: cached.as_ref().clone(),
        memory: memory.unwrap_or_default(),
        is_live: false,
    };
    let next = run.steps().await;
    let (uid, memory) = (run.job.uid().to_owned(), run.memory);
    let mut index = shared.index();
    if index.lines.holds(&uid) && !job_finished(run.job.status.as_ref()) {
        index.jobs.insert(uid, memory);
    }
    next
}

/// One pass under way.
struct Run<'a, S, C> {
    shared: &'a Shared<S, C>,
    job: Job,
    memory: Memory,
    /// The object was written or read live in this pass.
    is_live: bool,
}

impl<S: Store, C: Connect> Run<'_, S, C> {
    async fn steps(&mut self) -> Next {
        for _ in 0..STEPS {
            let (namespace, uid) = (self.job.key().namespace, self.job.uid().to_owned());
            let tasks = self
                .shared
                .store
                .cached_children::<Task>(&namespace, &uid)
                .await;
            self.memory.observe(&self.job, &tasks);
            let machine = match self.machine().await {
                Ok(machine) => machine,
                Err(error) => return self.stale(error).await,
            };
            let ahead = self.ahead(machine.is_some());
            let given = Given {
                wall: self.shared.env.now(),
                timeout: self.shared.config.task_timeout,
                tasks: &tasks,
                machine: machine.as_deref(),
                ahead: ahead.as_ref(),
            };
            let mut decision = decide(&self.job, &self.memory, &given);
            if let Decision::Create { index, task } = decision {
                decision = match self.create(index, *task).await {
                    Created::Next(next) => return next,
                    Created::Again => continue,
                    Created::Obstructed(obstacle) => obstructed(&self.job, obstacle, &given),
                    Created::Refused(failure) => refused(&self.job, failure, &given),
                };
            }
            let next = match decision {
                Decision::Nothing => Some(Next::Done),
                Decision::WaitForTask => Some(Next::Done),
                Decision::Write(status) => self.write(status).await,
                Decision::Find { index } => self.find(index).await,
                Decision::WaitFor { note, left } => Some(self.wait(note, left).await),
                Decision::End { status, failure } => Some(self.end(status, failure).await),
                Decision::Create { .. } => Some(Next::Retry),
            };
            if let Some(next) = next {
                return next;
            }
        }
        Next::Retry
    }

    /// The Machine; looked for live before it is called missing.
    async fn machine(&self) -> Result<Option<Arc<Machine>>, StoreError> {
        let key = machine_of(&self.job);
        if let Some(machine) = self.shared.store.cached::<Machine>(&key).await {
            return Ok(Some(machine));
        }
        if key.name.is_empty() || key.namespace.is_empty() {
            return Ok(None);
        }
        Ok(self.shared.store.live::<Machine>(&key).await?.map(Arc::new))
    }

    /// The Job that has the Machine. A Job whose Machine is missing stands in line without taking its turn.
    fn ahead(&self, machine_exists: bool) -> Option<Key> {
        let begun = job_has(self.job.status.as_ref(), JobConditionType::Running);
        if begun || !machine_exists {
            return None;
        }
        self.shared.index().lines.admit(self.job.uid()).err()
    }

    async fn write(&mut self, status: JobStatus) -> Option<Next> {
        match self.shared.store.write_status(&self.job, status).await {
            Ok(job) => {
                self.job = job;
                self.is_live = true;
                None
            }
            Err(error) => Some(self.stale(error).await),
        }
    }

    async fn create(&mut self, index: usize, task: Task) -> Created {
        // A Job that was deleted meanwhile must not act.
        if !self.is_live {
            match self.shared.store.live::<Job>(&self.job.key()).await {
                Ok(Some(live)) if live.uid() == self.job.uid() => {
                    self.job = live;
                    self.is_live = true;
                    return Created::Again;
                }
                Ok(_) => return Created::Next(Next::Done),
                Err(error) => return Created::Next(self.stale(error).await),
            }
        }
        if !self.shared.may_begin() {
            return Created::Next(Next::After(FOLLOWER_PAUSE));
        }
        let key = task.key();
        match self.shared.store.create(&task).await {
            Ok(created) => {
                info!(job = %self.job.key(), task = %key, "created");
                self.memory.made(index, created.uid());
                Created::Next(Next::After(CACHE_LAG))
            }
            Err(StoreError::AlreadyExists) => self.occupied(index, &key).await,
            Err(StoreError::Invalid(reason)) => {
                Created::Refused(format!("failed to create Task {key}: {reason}"))
            }
            Err(StoreError::Forbidden(reason)) => {
                Created::Obstructed(format!("failed to create Task {key}: {reason}"))
            }
            Err(error) => Created::Next(self.stale(error).await),
        }
    }

    /// There is a Task of that name already.
    async fn occupied(&mut self, index: usize, key: &Key) -> Created {
        let task = match self.shared.store.live::<Task>(key).await {
            Ok(Some(task)) => task,
            Ok(None) => return Created::Again,
            Err(error) => return Created::Next(self.stale(error).await),
        };
        match claim(&self.job, &task) {
            Claim::Ours => {
                self.memory.made(index, task.uid());
                Created::Next(Next::After(CACHE_LAG))
            }
            Claim::Former if task.metadata.deletion_timestamp.is_some() => {
                Created::Obstructed(format!("task {key} of a former job is being deleted"))
            }
            Claim::Former => match self.shared.store.delete(&task).await {
                Ok(()) | Err(StoreError::Gone | StoreError::Conflict) => {
                    info!(job = %self.job.key(), task = %key, "deleted a task of a former job");
                    Created::Again
                }
                Err(error) => Created::Next(self.stale(error).await),
            },
            Claim::Foreign => {
                Created::Obstructed(format!("task {key} exists and does not belong to this job"))
            }
        }
    }

    /// Looks live for a Task that the cache does not have.
    async fn find(&mut self, index: usize) -> Option<Next> {
        let key = Key {
            namespace: self.job.key().namespace,
            name: crate::plan::job::child_name(&self.job, index),
        };
        match self.shared.store.live::<Task>(&key).await {
            Ok(Some(task)) if claim(&self.job, &task) == Claim::Ours => {
                self.memory.made(index, task.uid());
                Some(Next::After(CACHE_LAG))
            }
            Ok(_) => {
                let acted = &self.shared.index().acted;
                let may_have_acted = self
                    .memory
                    .uid(index)
                    .is_some_and(|uid| acted.contains(uid));
                self.memory.gone(index, may_have_acted);
                None
            }
            Err(error) => Some(self.stale(error).await),
        }
    }

    async fn wait(&self, note: String, left: Option<Duration>) -> Next {
        let event = events::warning(&self.job, Doing::RunJob, events::WAITING, note);
        self.shared.tell(event).await;
        left.map_or(Next::Done, |left| Next::After(left.min(OBSTACLE_PAUSE)))
    }

    async fn end(&mut self, status: JobStatus, failure: Option<String>) -> Next {
        if let Some(next) = self.write(status).await {
            return next;
        }
        info!(job = %self.job.key(), failure, "ended");
        let event = match failure {
            Some(note) => events::warning(&self.job, Doing::RunJob, events::FAILED, note),
            None => {
                let note = "all tasks have completed".to_owned();
                events::normal(&self.job, Doing::RunJob, events::COMPLETED, note)
            }
        };
        self.shared.tell(event).await;
        Next::Done
    }

    async fn stale(&self, error: StoreError) -> Next {
        if error == StoreError::Gone {
            return Next::Done;
        }
        if !matches!(error, StoreError::Conflict) {
            warn!(job = %self.job.key(), %error, "object not read or written");
        }
        Next::Retry
    }
}

/// What became of the attempt to create a Task.
enum Created {
    Next(Next),
    /// Decide again on what was learnt.
    Again,
    /// Something is in the way, for now.
    Obstructed(String),
    /// It can never be created.
    Refused(String),
}
