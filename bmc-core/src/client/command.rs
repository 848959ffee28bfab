//! One queued operation and its caller's ticket for the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use async_trait::async_trait;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use super::fallback::Chain;
use super::{Core, Exchange, Lane};
use crate::error::{Effect, Error, ErrorKind};
use crate::operation::{Operation, Repeat};
use crate::report::{Exhausted, Outcome};

/// A [`Command`] whose operation's type is forgotten, so that the actor can queue all kinds.
#[async_trait]
pub(super) trait Job: Send {
    fn lane(&self) -> Lane;

    /// Claims the operation for the actor. `false`: the caller has gone or its time is up.
    fn begin(&self) -> bool;

    /// Carries it out and answers.
    async fn run(self: Box<Self>, chain: &mut Chain);

    /// Answers that it was not begun.
    fn refuse(self: Box<Self>, core: &Core, error: Error);
}

pub(super) struct Command<O: Operation> {
    operation: O,
    lane: Lane,
    deadline: Instant,
    claim: Arc<Claim>,
    reply: oneshot::Sender<Answer<O::Output>>,
}

pub(super) struct Ticket<T> {
    claim: Arc<Claim>,
    answer: oneshot::Receiver<Answer<T>>,
}

type Answer<T> = Result<Outcome<T>, Exhausted>;

impl<O: Operation> Command<O> {
    pub(super) fn new(operation: O, lane: Lane, deadline: Instant) -> (Self, Ticket<O::Output>) {
        let (reply, answer) = oneshot::channel();
        let claim = Arc::new(Claim::default());
        let ticket = Ticket {
            claim: Arc::clone(&claim),
            answer,
        };
        let command = Self {
            operation,
            lane,
            deadline,
            claim,
            reply,
        };
        (command, ticket)
    }
}

#[async_trait]
impl<O: Operation> Job for Command<O> {
    fn lane(&self) -> Lane {
        self.lane
    }

    fn begin(&self) -> bool {
        !self.reply.is_closed() && Instant::now() < self.deadline && self.claim.begin()
    }

    async fn run(self: Box<Self>, chain: &mut Chain) {
        let when = Instant::now();
        let answer = chain.execute(&self.operation, self.deadline).await;
        let (report, error) = match &answer {
            Ok(outcome) => (&outcome.report, None),
            Err(exhausted) => (&exhausted.report, Some(exhausted.kind())),
        };
        // Recorded before the answer goes out: who has the answer finds it in the history.
        chain.core().history.push(Exchange {
            operation: self.operation.name(),
            lane: self.lane,
            when,
            elapsed: when.elapsed(),
            provider: report.attempts.last().map(|attempt| attempt.provider),
            error,
        });
        let _ = self.reply.send(answer);
    }

    fn refuse(self: Box<Self>, core: &Core, error: Error) {
        let refusal = core.never_begun(self.operation.name(), error);
        let _ = self.reply.send(Err(refusal));
    }
}

impl<T> Ticket<T> {
    /// Waits for the answer; gives up at `deadline` only what has not begun, since the actor bounds the rest.
    pub(super) async fn wait(
        mut self,
        core: &Core,
        operation: &'static str,
        repeat: Repeat,
        deadline: Instant,
    ) -> Answer<T> {
        let answer = match timeout_at(deadline, &mut self.answer).await {
            Ok(answer) => answer,
            Err(_) if self.claim.give_up() => {
                let error =
                    Error::new(ErrorKind::Timeout, "no time left after waiting for the BMC");
                return Err(core.never_begun(operation, error));
            }
            Err(_) => self.answer.await,
        };
        answer.unwrap_or_else(|_| Err(self.claim.lost(core, operation, repeat)))
    }
}

/// Who decides about an operation: the actor that begins it or the caller that gives it up, whoever is first.
#[derive(Default)]
struct Claim(AtomicU8);

impl Claim {
    const WAITING: u8 = 0;
    const BEGUN: u8 = 1;
    const GIVEN_UP: u8 = 2;

    fn begin(&self) -> bool {
        self.settle(Self::BEGUN)
    }

    fn give_up(&self) -> bool {
        self.settle(Self::GIVEN_UP)
    }

    fn settle(&self, to: u8) -> bool {
        self.0
            .compare_exchange(Self::WAITING, to, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// The failure when the actor died without an answer: its runtime was shut down, or a provider panicked.
    fn lost(&self, core: &Core, operation: &'static str, repeat: Repeat) -> Exhausted {
        let begun = self.0.load(Ordering::Acquire) == Self::BEGUN;
        let effect = match (begun, repeat) {
            (true, Repeat::Converge | Repeat::Never) => Effect::Unknown,
            _ => Effect::None,
        };
        let error = Error::new(ErrorKind::Closed, "the task that serves this BMC has ended")
            .with_effect(effect);
        Exhausted {
            effect,
            ..core.never_begun(operation, error)
        }
    }
}
