//! A pass over a Task: look, swap startTime in, send, look again, write the end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bmc_core::{
    Bmc, ErrorKind, Exhausted, GetBootOverride, GetPowerState, SetBootOverride, SetPower,
};
use kube::Resource;
use tokio::time::Instant;
use tracing::{info, warn};

use super::index::TaskEntry;
use super::relation::Relation;
use super::{Next, Shared, is_newer};
use crate::api::{Job, Task, TaskConditionType};
use crate::connect::{Connect, secrets_of};
use crate::events::{self, Doing};
use crate::plan::Step;
use crate::plan::job::{awaited_override, index_of, owner_job};
use crate::plan::task::{
    Completion, Decision, Given, Progress, Seen, Verdict, decide, time_left, verdict,
};
use crate::queue::Priority;
use crate::status::{task_ended, task_finished};
use crate::store::{Change, Key, Kind, ObjectRef, Store, StoreError};

/// Longest time of one operation on a BMC.
const OPERATION_LIMIT: Duration = Duration::from_secs(60);
/// Steps of one pass; no Task needs more than a few.
const STEPS: usize = 16;
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
            let waited_for = owner_job(&task).is_some_and(|(_, uid)| index.lines.holds(uid));
            if !waited_for {
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
        }
    }
    if !finished {
        shared.tasks.add(key, Priority::High);
    }
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
    let mut run = Run {
        awaited: awaited(&shared, &task).await,
        shared: &shared,
        task,
        entry,
        bmc: None,
        swapped: false,
    };
    run.entry.progress.pass_begins();
    let next = run.steps().await;
    let Run {
        task, mut entry, ..
    } = run;
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

/// One pass under way.
struct Run<'a, S, C> {
    shared: &'a Shared<S, C>,
    task: Task,
    entry: TaskEntry,
    awaited: Option<bmc_core::BootDevice>,
    bmc: Option<Bmc>,
    /// This pass has swapped startTime in: the Task exists.
    swapped: bool,
}

impl<S: Store, C: Connect> Run<'_, S, C> {
    async fn steps(&mut self) -> Next {
        for _ in 0..STEPS {
            if let Some((type_, message)) = self.entry.ending.clone() {
                return self.end(type_, message).await;
            }
            let given = self.given();
            let decision = decide(&self.task, &self.entry.progress, &given);
            let next = match decision {
                Decision::Nothing => Some(Next::Done),
                Decision::Look => self.look().await,
                Decision::Begin => self.begin().await,
                Decision::Send => self.send().await,
                Decision::Wait(pause) => Some(Next::After(pause)),
                Decision::Complete(completion) => {
                    self.complete(completion).await;
                    None
                }
                Decision::Fail(message) => {
                    self.entry.ending = Some((TaskConditionType::Failed, message));
                    None
                }
            };
            if let Some(next) = next {
                return next;
            }
        }
        Next::Retry
    }

    fn given(&self) -> Given {
        Given {
            wall: self.shared.env.now(),
            tick: Instant::now(),
            timeout: self.shared.config.task_timeout,
            awaited: self.awaited,
        }
    }

    fn deadline(&self) -> Instant {
        let left = time_left(&self.task, &self.given());
        Instant::now() + left.clamp(Duration::from_secs(1), OPERATION_LIMIT)
    }

    fn step(&self) -> Option<Step> {
        Step::feasible(&self.task.spec.task).ok()
    }

    /// The handle; `None` if the trouble is noted.
    async fn connect(&mut self) -> Option<Bmc> {
        if let Some(bmc) = &self.bmc {
            return Some(bmc.clone());
        }
        let connection = self.task.spec.connection.clone().unwrap_or_default();
        let namespace = self.task.key().namespace;
        match self.shared.connect.connect(&connection, &namespace).await {
            Ok(bmc) => {
                // A new Task is somebody's wish: a login refused earlier is tried once more.
                if self.entry.progress.is_new() {
                    bmc.forget_refused_logins();
                }
                self.bmc = Some(bmc.clone());
                Some(bmc)
            }
            Err(error @ crate::connect::ConnectError::Invalid { .. }) => {
                let message = error.to_string();
                self.entry.ending = Some((TaskConditionType::Failed, message));
                None
            }
            Err(error) => {
                let trouble = format!("resolving connection secret: {error}");
                let event = events::warning(
                    &self.task,
                    Doing::RunTask,
                    events::WAITING,
                    error.to_string(),
                );
                self.shared.tell(event).await;
                self.entry.progress.troubled(Instant::now(), trouble);
                None
            }
        }
    }

    async fn look(&mut self) -> Option<Next> {
        let (step, bmc) = (self.step()?, self.connect().await?);
        let deadline = self.deadline();
        let seen = if let Step::Boot(..) = step {
            let read = bmc.run_until(GetBootOverride, deadline).await;
            self.shared.count(&read);
            match read {
                Ok(outcome) => Ok(Seen::Boot(outcome.value)),
                Err(exhausted) if cannot_tell(&exhausted) => Ok(Seen::Nothing),
                Err(exhausted) => Err(exhausted),
            }
        } else {
            let read = bmc.run_until(GetPowerState, deadline).await;
            self.shared.count(&read);
            read.map(|outcome| Seen::Power(outcome.value))
        };
        match seen {
            Ok(seen) => self.entry.progress.seen(seen),
            Err(exhausted) => self.failed(&step, &exhausted).await,
        }
        None
    }

    /// Swaps startTime in. From here on another process must reckon with the action.
    async fn begin(&mut self) -> Option<Next> {
        if !self.shared.leads() {
            return Some(Next::After(FOLLOWER_PAUSE));
        }
        let uid = self.task.uid().to_owned();
        self.shared.index().acted.insert(uid);
        let mut status = self.task.status.clone().unwrap_or_default();
        status.start_time = Some(self.shared.env.time());
        match self.shared.store.write_status(&self.task, status).await {
            Ok(task) => {
                self.task = task;
                self.entry.progress.begun();
                self.swapped = true;
                None
            }
            Err(error) => {
                // The swap may have happened: then it was ours, and nothing was sent.
                if let StoreError::Unknown(_) = error {
                    self.entry.progress.begun();
                }
                self.stale(error).await
            }
        }
    }

    /// Sends the action, if the Task is still there.
    async fn send(&mut self) -> Option<Next> {
        let step = self.step()?;
        if !self.swapped {
            match self.shared.store.live::<Task>(&self.task.key()).await {
                Ok(Some(live)) if live.uid() == self.task.uid() => {
                    self.task = live;
                    if decide(&self.task, &self.entry.progress, &self.given()) != Decision::Send {
                        return None;
                    }
                }
                Ok(_) => return Some(Next::Done),
                Err(error) => return self.stale(error).await,
            }
        }
        let bmc = self.connect().await?;
        if !self.shared.leads() {
            return Some(Next::After(FOLLOWER_PAUSE));
        }
        info!(task = %self.task.key(), %step, "sending");
        let deadline = self.deadline();
        let sent = match step {
            Step::Power(action) => bmc.run_until(SetPower(action), deadline).await,
            Step::Boot(_, wanted) => bmc.run_until(SetBootOverride(wanted), deadline).await,
            Step::ReadPower | Step::Media => return Some(Next::Retry),
        };
        self.shared.count(&sent);
        match sent {
            Ok(_) => self.entry.progress.accepted(Instant::now()),
            Err(exhausted) => self.failed(&step, &exhausted).await,
        }
        None
    }

    async fn failed(&mut self, step: &Step, exhausted: &Exhausted) {
        let now = Instant::now();
        // A handle that was closed meanwhile is replaced.
        self.bmc = None;
        match verdict(step, exhausted) {
            // What the deadline has cut short says less than what failed before.
            Verdict::Retry(_)
                if self.entry.progress.is_troubled()
                    && time_left(&self.task, &self.given()).is_zero() => {}
            Verdict::Retry(trouble) => {
                warn!(task = %self.task.key(), %step, %trouble, "tried again");
                let event = events::warning(
                    &self.task,
                    Doing::RunTask,
                    events::RETRYING,
                    trouble.clone(),
                );
                self.shared.tell(event).await;
                self.entry.progress.troubled(now, trouble);
            }
            Verdict::Unclear(cause) => self.entry.progress.unknown(now, cause),
            Verdict::Fail(message) => {
                self.entry.ending = Some((TaskConditionType::Failed, message));
            }
        }
    }

    async fn complete(&mut self, completion: Completion) {
        let message = match completion {
            Completion::Seen => String::new(),
            Completion::NotObserved => "accepted, not observed".to_owned(),
            Completion::Partly(note) => {
                let event = events::warning(
                    &self.task,
                    Doing::RunTask,
                    events::BOOT_FLAGS_LOST,
                    note.clone(),
                );
                self.shared.tell(event).await;
                note
            }
        };
        self.entry.ending = Some((TaskConditionType::Completed, message));
    }

    /// Writes the end.
    async fn end(&mut self, type_: TaskConditionType, message: String) -> Next {
        let now = self.shared.env.time();
        for _ in 0..3 {
            let status = task_ended(self.task.status.as_ref(), type_, message.clone(), &now);
            match self.shared.store.write_status(&self.task, status).await {
                Ok(task) => {
                    self.task = task;
                    return self.ended(type_, message).await;
                }
                Err(StoreError::Conflict | StoreError::Unknown(_)) => {}
                Err(error) => return self.stale(error).await.unwrap_or(Next::Retry),
            }
            match self.shared.store.live::<Task>(&self.task.key()).await {
                Ok(Some(live)) if live.uid() == self.task.uid() => self.task = live,
                Ok(_) => return Next::Done,
                Err(error) => return self.stale(error).await.unwrap_or(Next::Retry),
            }
            if task_finished(self.task.status.as_ref()) {
                return Next::Done;
            }
        }
        Next::Retry
    }

    async fn ended(&mut self, type_: TaskConditionType, message: String) -> Next {
        let connection = self.task.spec.connection.clone().unwrap_or_default();
        let machines = self.shared.index().machines_at(&connection);
        for machine in machines {
            self.shared.machines.add(machine, Priority::High);
        }
        info!(task = %self.task.key(), end = %type_, message, "ended");
        if type_ == TaskConditionType::Failed {
            let event = events::warning(&self.task, Doing::RunTask, events::FAILED, message);
            self.shared.tell(event).await;
        }
        Next::Done
    }

    /// The object is not what it was taken for, or the store does not answer.
    async fn stale(&mut self, error: StoreError) -> Option<Next> {
        if error == StoreError::Gone {
            return Some(Next::Done);
        }
        if !matches!(error, StoreError::Conflict | StoreError::Unknown(_)) {
            warn!(task = %self.task.key(), %error, "object not read or written");
        }
        if let Ok(Some(live)) = self.shared.store.live::<Task>(&self.task.key()).await
            && live.uid() == self.task.uid()
        {
            self.task = live;
        }
        Some(Next::Retry)
    }
}

/// Whether the BMC has no means to tell.
fn cannot_tell(exhausted: &Exhausted) -> bool {
    matches!(
        exhausted.kind(),
        ErrorKind::Unsupported | ErrorKind::Rejected | ErrorKind::NotFound
    ) && !exhausted.is_retryable()
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
