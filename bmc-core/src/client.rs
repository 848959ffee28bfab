//! A handle to one BMC that may be reached in several ways.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::error::{Effect, Error, ErrorKind};
use crate::operation::Operation;
use crate::provider::Provider;
use crate::report::{Attempt, Exhausted, Outcome, Report, Stage};

mod actor;
mod command;
mod fallback;
mod history;
mod observe;
mod operations;
mod policy;
mod queue;
mod slot;

use actor::Message;
use command::Command;
pub use history::Exchange;
use history::History;
pub use observe::Evidence;

/// A cheap handle to one BMC; clones share its sessions, its queue and its memory.
///
/// **One at a time.** Operations queue up and reach the BMC one after the other, [`Lane::Action`] before
/// [`Lane::Poll`]. An operation whose future is dropped is finished if it has begun, and skipped if it has not:
/// nothing is left half-sent.
///
/// **Fallback.** Providers are tried in their order. After an error without effect the next one is tried. After an
/// error with unknown effect a [`Repeat::Read`](crate::Repeat::Read) goes on; a
/// [`Repeat::Converge`](crate::Repeat::Converge) first looks, through the next provider, whether the wanted state is
/// reached, and sends again only if it is not; a [`Repeat::Never`](crate::Repeat::Never) stops. A provider that had to
/// stand in for one that could not be used is tried first from then on, until it fails in its turn; then the
/// configured order holds again. Lacking a capability or refusing one request changes no order.
///
/// **Sessions.** A session is kept and used again until it is idle for [`BmcBuilder::idle_timeout`], or lost. What
/// fails because a kept session was lost is tried once more on a new one, if that cannot carry it out twice.
///
/// **Refused logins.** A provider that has answered [`ErrorKind::Authentication`] is not asked again; the same error
/// is reported at once, so that no account is locked out. A new credential means a new `Bmc`;
/// [`forget_refused_logins`](Self::forget_refused_logins) is for a person who insists.
///
/// **Ends.** A task on the current tokio runtime serves the handle from its first operation on. It logs out and ends on
/// [`close`](Self::close) and when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Bmc {
    handle: Arc<Handle>,
    lane: Lane,
}

/// Who goes first when several operations wait for the same BMC.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Lane {
    /// What somebody asked for; before any poll.
    #[default]
    Action,
    /// Background observation.
    Poll,
}

/// Collects the providers and limits of a [`Bmc`].
#[derive(Debug)]
pub struct BmcBuilder {
    providers: Vec<Arc<dyn Provider>>,
    limits: Limits,
}

impl Bmc {
    /// Starts with no providers and the default limits.
    pub fn builder() -> BmcBuilder {
        BmcBuilder {
            providers: Vec::new(),
            limits: Limits {
                operation: Duration::from_secs(60),
                attempt: Duration::from_secs(20),
                sweep: Duration::from_secs(120),
                idle: Duration::from_secs(30),
            },
        }
    }

    /// The same BMC with this lane as the default for its operations.
    #[must_use]
    pub fn on_lane(&self, lane: Lane) -> Self {
        Self {
            handle: Arc::clone(&self.handle),
            lane,
        }
    }

    /// Runs an operation within the default total time.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub async fn run<O: Operation>(&self, operation: O) -> Result<Outcome<O::Output>, Exhausted> {
        let limits = &self.handle.core.limits;
        let total = match operation.is_sweep() {
            true => limits.operation.saturating_add(limits.sweep),
            false => limits.operation,
        };
        let deadline = later(Instant::now(), total);
        self.run_until(operation, deadline).await
    }

    /// Runs an operation; `deadline` bounds waiting in the queue, login and every provider together.
    ///
    /// Must be called on a tokio runtime with timers.
    ///
    /// # Errors
    /// Every provider failed, the operation must not be sent again, `deadline` passed, or the handle is closed. The
    /// report names every provider in the order of the attempts.
    pub async fn run_until<O: Operation>(
        &self,
        operation: O,
        deadline: Instant,
    ) -> Result<Outcome<O::Output>, Exhausted> {
        let (name, repeat) = (operation.name(), operation.repeat());
        let (command, ticket) = Command::new(operation, self.lane, deadline);
        let core = &self.handle.core;
        if !self.handle.send(Message::Run(Box::new(command))) {
            return Err(core.never_begun(name, closed()));
        }
        ticket.wait(core, name, repeat, deadline).await
    }

    /// The last 32 operations that began, oldest first. Holds no secrets.
    pub fn history(&self) -> Vec<Exchange> {
        self.handle.core.history.list()
    }

    /// Lets the next operation log in again where the credential was refused.
    pub fn forget_refused_logins(&self) {
        self.handle.core.forgets.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits for the running operation, then logs out. Operations that have not begun fail with [`ErrorKind::Closed`].
    ///
    /// Idempotent. Takes at most 5 s longer than the running operation.
    pub async fn close(&self) {
        if let Some(ended) = self.handle.close() {
            let _ = ended.await;
        }
    }
}

impl BmcBuilder {
    /// Adds a provider behind those added before.
    #[must_use]
    pub fn provider(self, provider: impl Provider) -> Self {
        self.shared_provider(Arc::new(provider))
    }

    /// Adds a provider that is chosen at run time behind those added before.
    #[must_use]
    pub fn shared_provider(mut self, provider: Arc<dyn Provider>) -> Self {
        self.providers.push(provider);
        self
    }

    /// Total time of one operation, queueing included, when the caller gives no deadline: 60 s unless set.
    #[must_use]
    pub fn operation_timeout(mut self, timeout: Duration) -> Self {
        self.limits.operation = timeout;
        self
    }

    /// Time that one provider may take of the total, login included, so that a silent one leaves time for the next:
    /// 20 s unless set.
    #[must_use]
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.limits.attempt = timeout;
        self
    }

    /// Time that one provider may take after the login for an operation of hundreds of requests, such as a reading of all
    /// sensors: 120 s unless set. Without a deadline of the caller such an operation may take this much longer in total.
    #[must_use]
    pub fn sweep_timeout(mut self, timeout: Duration) -> Self {
        self.limits.sweep = timeout;
        self
    }

    /// How long an unused session is kept: 30 s unless set. BMCs have few sessions and forget idle ones after about a
    /// minute.
    #[must_use]
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.limits.idle = timeout;
        self
    }

    /// The handle. Does no I/O.
    pub fn build(self) -> Bmc {
        let core = Core {
            providers: self.providers,
            limits: self.limits,
            closed: AtomicBool::new(false),
            forgets: AtomicU64::new(0),
            history: History::default(),
        };
        Bmc {
            handle: Arc::new(Handle {
                core: Arc::new(core),
                inbox: Mutex::new(None),
            }),
            lane: Lane::Action,
        }
    }
}

/// What clones of a [`Bmc`] share. Its drop ends the actor, because the inbox closes.
struct Handle {
    core: Arc<Core>,
    inbox: Mutex<Option<mpsc::UnboundedSender<Message>>>,
}

/// What handle and actor share.
#[derive(Debug)]
struct Core {
    providers: Vec<Arc<dyn Provider>>,
    limits: Limits,
    closed: AtomicBool,
    /// Counts the calls of [`Bmc::forget_refused_logins`].
    forgets: AtomicU64,
    history: History,
}

#[derive(Clone, Copy, Debug)]
struct Limits {
    operation: Duration,
    attempt: Duration,
    sweep: Duration,
    idle: Duration,
}

impl Handle {
    /// Hands a message to the actor, which is started if it does not run. `false`: the handle is closed.
    fn send(&self, message: Message) -> bool {
        let mut inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        if self.core.is_closed() {
            return false;
        }
        // An actor whose runtime has ended leaves a closed inbox behind.
        let sender = match inbox.take() {
            Some(sender) if !sender.is_closed() => sender,
            _ => actor::start(Arc::clone(&self.core)),
        };
        let sent = sender.send(message).is_ok();
        *inbox = Some(sender);
        sent
    }

    /// Forbids further operations and asks the actor, if there is one, to log out and end.
    fn close(&self) -> Option<oneshot::Receiver<()>> {
        let inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        self.core.closed.store(true, Ordering::Release);
        let (done, ended) = oneshot::channel();
        inbox.as_ref()?.send(Message::Close(done)).ok()?;
        Some(ended)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.core.fmt(f)
    }
}

impl Core {
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// The failure of an operation that was never sent: `error` for every provider.
    fn never_begun(&self, operation: &'static str, error: Error) -> Exhausted {
        let attempts = self.providers.iter().map(|provider| Attempt {
            provider: provider.name(),
            stage: Stage::Open,
            elapsed: Duration::ZERO,
            error: Some(error.clone()),
        });
        Exhausted {
            report: Report {
                operation,
                attempts: attempts.collect(),
            },
            effect: Effect::None,
        }
    }
}

fn closed() -> Error {
    Error::new(ErrorKind::Closed, "the handle is closed")
}

/// `duration` from `now`; a duration beyond the clock's range means a century.
fn later(now: Instant, duration: Duration) -> Instant {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
    now.checked_add(duration.min(CENTURY)).unwrap_or(now)
}
