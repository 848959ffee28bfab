//! What to do next for a Job: its Tasks one by one, each when its predecessor has completed.
//!
//! Tasks belong to a Job by the uid in their controller owner reference, never by name. The position of a Job is the highest
//! index among its Tasks; all before it have completed. A Task that was deleted in between is created again, unless it may have
//! sent `cycle`, `reset` or `soft`: then the Job fails. A process that has just started and finds no Task at all begins with
//! the first one.

mod child;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::{BootDevice, Persistence};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;

use super::{Step, created, is_deleting, left};
use crate::api::{Action, Job, JobConditionType, JobStatus, Machine, Task, TaskConditionType};
use crate::status::{
    self, human, job_ended, job_finished, job_has, job_running, job_waiting, task_failure,
    task_finished, task_has,
};
use crate::store::{Key, Kind};

pub use child::{Claim, child, child_name, claim, index_of, owner_job};

/// When a Task that was created but is not in the cache yet is looked for live.
pub const CACHE_LAG: Duration = Duration::from_secs(1);

/// What the decision depends on, besides the Job.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The wall clock.
    pub wall: Timestamp,
    /// How long to wait for what is missing.
    pub timeout: Duration,
    /// The Job's Tasks, by uid.
    pub tasks: &'a [Arc<Task>],
    /// The Machine, if it exists.
    pub machine: Option<&'a Machine>,
    /// The Job that has the Machine.
    pub ahead: Option<&'a Key>,
}

/// The next single step.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Nothing, ever.
    Nothing,
    /// Write this status, then decide again.
    Write(JobStatus),
    /// Create this Task.
    Create {
        /// Its place in the list.
        index: usize,
        /// The Task.
        task: Box<Task>,
    },
    /// Look live for a Task that was created and is not in the cache.
    Find {
        /// Its place in the list.
        index: usize,
    },
    /// Wait for a Task to end: its change wakes the Job.
    WaitForTask,
    /// Wait for something else, at most this long.
    WaitFor {
        /// What, for an Event.
        note: String,
        /// When the deadline is.
        left: Option<Duration>,
    },
    /// Write this last status.
    End {
        /// The status.
        status: JobStatus,
        /// Why it failed; `None` if it completed.
        failure: Option<String>,
    },
}

/// What this process knows of one generation of a Job. Lost with the process.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    made: BTreeMap<usize, Made>,
}

#[derive(Clone, Debug)]
struct Made {
    uid: String,
    seen: bool,
    completed: bool,
    gone: Option<Gone>,
}

/// A Task that was deleted.
#[derive(Clone, Copy, Debug)]
struct Gone {
    may_have_acted: bool,
}

impl Memory {
    /// These Tasks are in the cache.
    pub fn observe(&mut self, job: &Job, tasks: &[Arc<Task>]) {
        for task in tasks {
            let Some(index) = index_of(job, task) else {
                continue;
            };
            let completed = task_has(task.status.as_ref(), TaskConditionType::Completed);
            self.made.insert(
                index,
                Made {
                    uid: task.uid().to_owned(),
                    seen: true,
                    completed,
                    gone: None,
                },
            );
        }
    }

    /// This Task exists, by a live answer.
    pub fn made(&mut self, index: usize, uid: &str) {
        let seen = self
            .made
            .get(&index)
            .is_some_and(|made| made.seen && made.uid == uid);
        let made = Made {
            uid: uid.to_owned(),
            seen,
            completed: false,
            gone: None,
        };
        self.made.insert(index, made);
    }

    /// The Task does not exist, by a live answer.
    pub fn gone(&mut self, index: usize, may_have_acted: bool) {
        if let Some(made) = self.made.get_mut(&index) {
            made.gone = Some(Gone { may_have_acted });
        }
    }

    /// The uid of the Task at this place.
    pub fn uid(&self, index: usize) -> Option<&str> {
        Some(&self.made.get(&index)?.uid)
    }

    /// The uids of the Tasks.
    pub fn uids(&self) -> impl Iterator<Item = &str> {
        self.made.values().map(|made| made.uid.as_str())
    }
}

/// The next step for this Job.
pub fn decide(job: &Job, memory: &Memory, given: &Given<'_>) -> Decision {
    if job_finished(job.status.as_ref()) || is_deleting(job) {
        return Decision::Nothing;
    }
    let case = Case { job, memory, given };
    let has_begun = job_has(job.status.as_ref(), JobConditionType::Running);
    // Later the Tasks have connections of their own.
    let machine = given.machine.filter(|_| !has_begun);
    if let Some(failure) = invalid(job, machine) {
        return case.fail(failure);
    }
    if !has_begun {
        return case.begin();
    }
    case.proceed()
}

/// What follows when the next Task cannot be created for now, because `obstacle` is in the way.
pub fn obstructed(job: &Job, obstacle: String, given: &Given<'_>) -> Decision {
    let memory = &Memory::default();
    Case { job, memory, given }.wait_until_deadline(obstacle)
}

/// What follows when the next Task can never be created.
pub fn refused(job: &Job, failure: String, given: &Given<'_>) -> Decision {
    let memory = &Memory::default();
    Case { job, memory, given }.fail(failure)
}

/// The one-time override that an earlier action of the Job has set for a boot that a later one has started: the action at
/// `index`, which would take its place, must wait until the firmware has read it.
pub fn awaited_override(actions: &[Action], index: usize) -> Option<BootDevice> {
    let steps: Vec<Step> = actions
        .iter()
        .take(index.checked_add(1)?)
        .map(|action| Step::of(action).ok())
        .collect::<Option<_>>()?;
    let Step::Boot(..) = steps.get(index)? else {
        return None;
    };
    let before = steps.get(..index)?;
    let set = before
        .iter()
        .rposition(|step| matches!(step, Step::Boot(..)))?;
    let Step::Boot(_, wanted) = before.get(set)? else {
        return None;
    };
    let started = before.get(set..)?.iter().any(Step::starts_host);
    (started && wanted.persistence == Persistence::Once).then_some(wanted.device)
}

/// Whether some action cannot be carried out: found before the first one acts.
fn invalid(job: &Job, machine: Option<&Machine>) -> Option<String> {
    let reference = &job.spec.machine_ref;
    let required = [
        ("name", &reference.name),
        ("namespace", &reference.namespace),
    ];
    for (field, value) in required {
        if value.is_empty() {
            return Some(format!("spec.machineRef.{field}: required"));
        }
    }
    let connection = machine.map(|machine| &machine.spec.connection);
    job.spec
        .tasks
        .iter()
        .enumerate()
        .find_map(|(index, action)| {
            let error = Step::feasible(action, connection).err()?;
            Some(format!("spec.tasks[{index}]: {error}"))
        })
}

struct Case<'a> {
    job: &'a Job,
    memory: &'a Memory,
    given: &'a Given<'a>,
}

impl Case<'_> {
    /// The Job has not begun.
    fn begin(&self) -> Decision {
        if let Some(ahead) = self.given.ahead {
            return self.wait(
                format!("machine {} is busy with job {ahead}", self.machine()),
                None,
            );
        }
        if self.given.machine.is_none() {
            return self.wait_for_machine();
        }
        Decision::Write(job_running(self.status(), &self.now()))
    }

    fn proceed(&self) -> Decision {
        let job = self.job;
        let mut children: Vec<(usize, &Arc<Task>)> = self
            .given
            .tasks
            .iter()
            .filter_map(|task| Some((index_of(job, task)?, task)))
            .collect();
        children.sort_by_key(|(index, _)| *index);
        for (_, task) in &children {
            if let Some(failure) = task_failure(task.status.as_ref()) {
                let colon = if failure.is_empty() { "" } else { ": " };
                return self.fail(format!("task {} failed{colon}{failure}", task.key()));
            }
        }
        if children
            .iter()
            .any(|(_, task)| !task_finished(task.status.as_ref()))
        {
            let running = job_running(self.status(), &self.now());
            return if self.status() == Some(&running) {
                Decision::WaitForTask
            } else {
                Decision::Write(running)
            };
        }
        match self.position(children.last().map(|(index, _)| *index)) {
            Err(decision) => decision,
            Ok(next) => self.create(next),
        }
    }

    /// The place of the Task to create next. Every Task in the cache has completed.
    fn position(&self, last_cached: Option<usize>) -> Result<usize, Decision> {
        let last_made = self.memory.made.last_key_value();
        let Some((index, made)) = last_made.filter(|(index, _)| Some(**index) > last_cached) else {
            return Ok(last_cached.map_or(0, |index| index.saturating_add(1)));
        };
        if made.completed {
            return Ok(index.saturating_add(1));
        }
        let Some(gone) = made.gone else {
            return Err(Decision::Find { index: *index });
        };
        let one_shot = self
            .job
            .spec
            .tasks
            .get(*index)
            .and_then(|action| Step::of(action).ok())
            .filter(Step::is_one_shot);
        match one_shot {
            Some(step) if gone.may_have_acted => Err(self.fail(format!(
                "task {}/{} was deleted when {step} may have been sent; not repeated: check the machine, then create a new Job",
                self.job.key().namespace,
                child_name(self.job, *index),
            ))),
            _ => Ok(*index),
        }
    }

    fn create(&self, index: usize) -> Decision {
        let Some(action) = self.job.spec.tasks.get(index) else {
            let status = job_ended(
                self.status(),
                JobConditionType::Completed,
                String::new(),
                &self.now(),
            );
            return Decision::End {
                status,
                failure: None,
            };
        };
        let Some(machine) = self.given.machine else {
            return self.wait_for_machine();
        };
        Decision::Create {
            index,
            task: Box::new(child(self.job, index, action, machine)),
        }
    }

    fn wait_for_machine(&self) -> Decision {
        self.wait_until_deadline(format!("machine {} not found", self.machine()))
    }

    fn wait_until_deadline(&self, note: String) -> Decision {
        let left = left(self.idle_since(), self.given.timeout, self.given.wall);
        if left.is_zero() {
            return self.fail(format!(
                "{note}; gave up after {}",
                human(self.given.timeout)
            ));
        }
        self.wait(note, Some(left))
    }

    fn wait(&self, note: String, left: Option<Duration>) -> Decision {
        let status = job_waiting(self.status(), note.clone());
        if self.status() != Some(&status) {
            return Decision::Write(status);
        }
        Decision::WaitFor { note, left }
    }

    fn fail(&self, failure: String) -> Decision {
        let failure = status::bounded(failure);
        let status = job_ended(
            self.status(),
            JobConditionType::Failed,
            failure.clone(),
            &self.now(),
        );
        Decision::End {
            status,
            failure: Some(failure),
        }
    }

    /// Since when nothing has happened.
    fn idle_since(&self) -> Timestamp {
        let begun = self.status().and_then(|status| status.start_time.as_ref());
        let completed = self.given.tasks.iter().filter_map(|task| {
            let status = task.status.as_ref()?;
            status.completion_time.as_ref()
        });
        completed
            .chain(begun)
            .map(|time| time.0)
            .max()
            .unwrap_or_else(|| created(self.job))
    }

    fn machine(&self) -> Key {
        let machine = &self.job.spec.machine_ref;
        Key {
            namespace: machine.namespace.clone(),
            name: machine.name.clone(),
        }
    }

    fn status(&self) -> Option<&JobStatus> {
        self.job.status.as_ref()
    }

    fn now(&self) -> Time {
        Time(self.given.wall)
    }
}
