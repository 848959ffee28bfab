//! The steps of one pass over a Task.

use std::time::Duration;

use bmc_core::{
    ActionId, Bmc, BootDevice, EjectVirtualMedia, ErrorKind, Exhausted, ForAction, GetBootOverride,
    GetPowerState, GetVirtualMedia, SetBootOverride, SetPower, SetVirtualMedia,
};
use tokio::time::Instant;
use tracing::{info, warn};

use super::FOLLOWER_PAUSE;
use crate::api::{Task, TaskConditionType};
use crate::connect::{Connect, ConnectError};
use crate::events::{self, Doing};
use crate::plan::Step;
use crate::plan::task::{Completion, Decision, Given, Seen, Verdict, decide, time_left, verdict};
use crate::queue::Priority;
use crate::reconcile::index::TaskEntry;
use crate::reconcile::{Next, Shared};
use crate::status::{task_ended, task_finished};
use crate::store::{Kind, Store, StoreError};

/// Longest time of one operation on a BMC.
const OPERATION_LIMIT: Duration = Duration::from_secs(60);
/// Steps of one pass; no Task needs more than a few.
const STEPS: usize = 16;

/// One pass under way.
pub(super) struct Run<'a, S, C> {
    shared: &'a Shared<S, C>,
    task: Task,
    entry: TaskEntry,
    awaited: Option<BootDevice>,
    bmc: Option<Bmc>,
    /// This pass has swapped startTime in: the Task exists.
    swapped: bool,
}

impl<'a, S: Store, C: Connect> Run<'a, S, C> {
    pub(super) fn new(
        shared: &'a Shared<S, C>,
        task: Task,
        mut entry: TaskEntry,
        awaited: Option<BootDevice>,
    ) -> Self {
        entry.progress.pass_begins();
        Self {
            shared,
            task,
            entry,
            awaited,
            bmc: None,
            swapped: false,
        }
    }

    /// What is known now.
    pub(super) fn into_parts(self) -> (Task, TaskEntry) {
        (self.task, self.entry)
    }

    /// Does what can be done now.
    pub(super) async fn steps(&mut self) -> Next {
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
        Step::feasible(&self.task.spec.task, self.task.spec.connection.as_ref()).ok()
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
            Err(error @ ConnectError::Invalid { .. }) => {
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
        let seen = match step {
            Step::Boot(..) => {
                let read = bmc.run_until(GetBootOverride, deadline).await;
                self.shared.count(&read);
                read.map(|outcome| Seen::Boot(outcome.value))
            }
            Step::Media(kind, _) => {
                let read = bmc.run_until(GetVirtualMedia(kind), deadline).await;
                self.shared.count(&read);
                read.map(|outcome| Seen::Media(outcome.value))
            }
            Step::Power(_) | Step::ReadPower => {
                let read = bmc.run_until(GetPowerState, deadline).await;
                self.shared.count(&read);
                read.map(|outcome| Seen::Power(outcome.value))
            }
        };
        let may_be_silent = matches!(step, Step::Boot(..) | Step::Media(..));
        match seen {
            Ok(seen) => self.entry.progress.seen(seen),
            Err(exhausted) if may_be_silent && cannot_tell(&exhausted) => {
                self.entry.progress.seen(Seen::Nothing);
            }
            Err(exhausted) => self.failed(&step, &exhausted).await,
        }
        None
    }

    /// Swaps startTime in. From here on another process must reckon with the action.
    async fn begin(&mut self) -> Option<Next> {
        if !self.shared.may_begin() {
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
        // A Task sends one action, so that what is sent again is a repeat.
        let id = ActionId::from_uid(self.task.uid());
        let sent = match &step {
            Step::Power(action) => {
                let operation = SetPower(*action);
                bmc.run_until(ForAction { id, operation }, deadline).await
            }
            Step::Boot(_, wanted) => {
                let operation = SetBootOverride(*wanted);
                bmc.run_until(ForAction { id, operation }, deadline).await
            }
            Step::Media(kind, Some(source)) => {
                let (kind, source) = (*kind, source.clone());
                let operation = SetVirtualMedia { kind, source };
                bmc.run_until(ForAction { id, operation }, deadline).await
            }
            Step::Media(kind, None) => {
                let operation = EjectVirtualMedia(*kind);
                bmc.run_until(ForAction { id, operation }, deadline).await
            }
            Step::ReadPower => return Some(Next::Retry),
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
        if let Some(connection) = &self.task.spec.connection {
            let namespace = self.task.key().namespace;
            self.shared.doubt_secrets(exhausted, connection, &namespace);
        }
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
