//! Carries one operation out over the providers, in order, and remembers what it learns about them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tracing::debug;

use super::policy::{self, Follow};
use super::slot::{Logouts, Slot};
use super::{Core, later};
use crate::error::{Effect, Error, ErrorKind};
use crate::operation::{Operation, Repeat};
use crate::provider::Session;
use crate::report::{Attempt, Exhausted, Outcome, Report, Stage};

/// The providers of one BMC with what is known about each.
pub(super) struct Chain {
    core: Arc<Core>,
    slots: Vec<Slot>,
    /// The provider that stands in for an earlier one.
    preferred: Option<usize>,
    /// How many calls of `forget_refused_logins` are obeyed.
    forgets: u64,
    last_used: Instant,
    logouts: Logouts,
}

impl Chain {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self {
            slots: core.providers.iter().cloned().map(Slot::new).collect(),
            preferred: None,
            forgets: core.forgets.load(Ordering::Relaxed),
            last_used: Instant::now(),
            logouts: Logouts::default(),
            core,
        }
    }

    pub(super) fn core(&self) -> &Core {
        &self.core
    }

    /// Tries the providers until one succeeds, or none is left, or nothing more may be sent, or `deadline` has passed.
    pub(super) async fn execute<O: Operation>(
        &mut self,
        operation: &O,
        deadline: Instant,
    ) -> Result<Outcome<O::Output>, Exhausted> {
        self.obey_forgets();
        let mut course = Course::new(operation);
        let mut passed_over = false;
        for index in policy::order(self.slots.len(), self.preferred) {
            let Some(slot) = self.slots.get_mut(index) else {
                continue;
            };
            let now = Instant::now();
            if let Some(error) = course.obstacle(now, deadline) {
                course.record(slot.name(), Stage::Open, now, Some(error));
                continue;
            }
            let time = Time {
                deadline,
                attempt: deadline.min(later(now, self.core.limits.attempt)),
                sweep: operation.is_sweep().then_some(self.core.limits.sweep),
            };
            let attempted = course
                .attempt(operation, slot, &mut self.logouts, time)
                .await;
            self.last_used = Instant::now();
            match attempted {
                Ok(value) => {
                    if passed_over {
                        self.preferred = (index != 0).then_some(index);
                    }
                    return Ok(Outcome {
                        value,
                        report: course.report,
                    });
                }
                Err(kind) if policy::discredits(kind) => {
                    passed_over = true;
                    self.preferred = self.preferred.filter(|preferred| *preferred != index);
                }
                Err(_) => {}
            }
        }
        Err(Exhausted {
            report: course.report,
            effect: course.effect,
        })
    }

    /// When unused sessions are to be given up; `None` if there is none.
    pub(super) fn idle_until(&self) -> Option<Instant> {
        self.slots
            .iter()
            .any(Slot::has_session)
            .then(|| later(self.last_used, self.core.limits.idle))
    }

    /// Gives up all sessions without waiting for the logouts.
    pub(super) fn retire_all(&mut self) {
        for slot in &mut self.slots {
            slot.retire(&mut self.logouts);
        }
    }

    /// Gives up all sessions and waits for the logouts.
    pub(super) async fn close(mut self) {
        self.retire_all();
        self.logouts.finish().await;
    }

    fn obey_forgets(&mut self) {
        let forgets = self.core.forgets.load(Ordering::Relaxed);
        if forgets != self.forgets {
            self.forgets = forgets;
            self.slots.iter_mut().for_each(Slot::forget_refusal);
        }
    }
}

/// What one provider may take.
#[derive(Clone, Copy)]
struct Time {
    /// Of the caller.
    deadline: Instant,
    /// Of this provider, login included.
    attempt: Instant,
    /// What a long operation has instead, from the end of the login.
    sweep: Option<Duration>,
}

impl Time {
    fn for_operation(self) -> Instant {
        match self.sweep {
            Some(sweep) => self.deadline.min(later(Instant::now(), sweep)),
            None => self.attempt,
        }
    }
}

/// One operation on its way through the providers.
struct Course {
    report: Report,
    repeat: Repeat,
    effect: Effect,
    follow: Follow,
}

impl Course {
    fn new(operation: &impl Operation) -> Self {
        Self {
            report: Report {
                operation: operation.name(),
                attempts: Vec::new(),
            },
            repeat: operation.repeat(),
            effect: Effect::None,
            follow: Follow::Send,
        }
    }

    /// Why the next provider is not to be tried.
    fn obstacle(&self, now: Instant, deadline: Instant) -> Option<Error> {
        if self.follow == Follow::Stop {
            let message = "not tried, an earlier attempt may have taken effect";
            return Some(Error::new(ErrorKind::NotTried, message));
        }
        (now >= deadline).then(|| Error::new(ErrorKind::Timeout, "not tried, no time left"))
    }

    /// Tries one provider until `limit`, a second time on a new session if a kept one turns out to be lost.
    async fn attempt<O: Operation>(
        &mut self,
        operation: &O,
        slot: &mut Slot,
        logouts: &mut Logouts,
        time: Time,
    ) -> Result<O::Output, ErrorKind> {
        if let Err(error) = slot.check(operation) {
            let kind = error.kind();
            self.record(slot.name(), Stage::Operate, Instant::now(), Some(error));
            return Err(kind);
        }
        if let Some(session) = slot.kept(logouts) {
            let limit = time.for_operation();
            let error = match self
                .step(operation, slot.name(), session.as_ref(), limit)
                .await
            {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            if !policy::is_lost(&error, session.is_alive()) {
                return Err(error.kind());
            }
            slot.retire(logouts);
            if self.follow == Follow::Stop || Instant::now() >= time.attempt {
                return Err(error.kind());
            }
        }
        let began = Instant::now();
        let opened = slot.open(time.attempt).await;
        self.record(
            slot.name(),
            Stage::Open,
            began,
            opened.as_ref().err().cloned(),
        );
        let session = opened.map_err(|error| error.kind())?;
        let limit = time.for_operation();
        let error = match self
            .step(operation, slot.name(), session.as_ref(), limit)
            .await
        {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        if policy::is_lost(&error, session.is_alive()) {
            slot.retire(logouts);
        }
        // On a kept session it may mean that the session has expired; on a new one it is the credential.
        if error.kind() == ErrorKind::Authentication {
            slot.refuse(error.clone());
        }
        Err(error.kind())
    }

    /// Looks first, if an earlier attempt may have worked; then sends.
    async fn step<O: Operation>(
        &mut self,
        operation: &O,
        provider: &'static str,
        session: &dyn Session,
        limit: Instant,
    ) -> Result<O::Output, Error> {
        if self.follow == Follow::LookThenSend {
            let began = Instant::now();
            let looked = timeout_at(limit, operation.reached(session)).await;
            let looked = looked.unwrap_or_else(|_| Some(Err(silence(Effect::None))));
            if let Some(looked) = looked {
                let error = looked.as_ref().err().cloned();
                self.record(provider, Stage::Verify, began, error);
                if let Some(value) = looked? {
                    return Ok(value);
                }
            }
        }
        let began = Instant::now();
        let ran = if began < limit {
            let ran = timeout_at(limit, operation.run(session)).await;
            ran.unwrap_or_else(|_| Some(Err(silence(policy::effect_of_silence(self.repeat)))))
        } else {
            Some(Err(silence(Effect::None)))
        };
        let ran = ran.unwrap_or_else(|| {
            let message = "the BMC does not offer this through this provider";
            Err(Error::new(ErrorKind::Unsupported, message))
        });
        let reported = ran.as_ref().err().map(|error| match self.repeat {
            Repeat::Read => error.clone().with_effect(Effect::None),
            Repeat::Converge | Repeat::Never => error.clone(),
        });
        if let Some(error) = &reported {
            self.learn(error.effect());
        }
        self.record(provider, Stage::Operate, began, reported);
        ran
    }

    fn learn(&mut self, effect: Effect) {
        if effect == Effect::Unknown {
            self.effect = Effect::Unknown;
            self.follow = policy::follow(self.repeat, effect);
        }
    }

    fn record(
        &mut self,
        provider: &'static str,
        stage: Stage,
        began: Instant,
        error: Option<Error>,
    ) {
        let elapsed = began.elapsed();
        if let Some(error) = &error {
            let operation = self.report.operation;
            debug!(operation, provider, ?stage, ?elapsed, %error, "attempt failed");
        }
        self.report.attempts.push(Attempt {
            provider,
            stage,
            elapsed,
            error,
        });
    }
}

fn silence(effect: Effect) -> Error {
    Error::new(ErrorKind::Timeout, "no answer in time").with_effect(effect)
}
