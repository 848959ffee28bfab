//! Changes of objects -> work queues -> passes: fetch, plan, act, write the status.
//!
//! Cluster mode, local mode and the simulation run the same [`Controllers`]; only store and connect differ.

mod index;
mod job;
mod line;
mod machine;
mod relation;
mod task;

use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bmc_core::{ErrorKind, Exhausted, Outcome};
use futures_util::{FutureExt, Stream, StreamExt};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tracing::{debug, error};

use self::index::Index;
use crate::api::Connection;
use crate::connect::{Connect, secrets_of};
use crate::env::Env;
use crate::metrics::{Metrics, ReconcileOutcome};
use crate::queue::{Lease, Priority, Queue};
use crate::store::{Change, Event, Key, Kind, Store};

/// Limits and hooks of the [`Controllers`].
#[derive(Clone)]
pub struct Config {
    /// The deadline of a Task: from its creation until it has a startTime, then from there. A Job waits as long for what is
    /// missing. 10 min by default.
    pub task_timeout: Duration,
    /// How often the power state of a Machine is read. 3 min by default.
    pub poll_interval: Duration,
    /// Machines looked at at once: 256 by default.
    pub machine_workers: usize,
    /// Jobs looked at at once: 64 by default.
    pub job_workers: usize,
    /// Tasks carried out at once: 512 by default.
    pub task_workers: usize,
    /// How long passes under way may take to end at a shutdown, and sessions to log out: 5 s by default.
    pub drain: Duration,
    /// Asked before every irreversible step. `false`: another replica acts now.
    pub leads: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Counts passes and attempts.
    pub metrics: Metrics,
}

/// The reconcilers of all kinds with their queues.
pub struct Controllers<S, C> {
    shared: Arc<Shared<S, C>>,
}

/// What all passes share.
struct Shared<S, C> {
    store: S,
    connect: C,
    env: Env,
    config: Config,
    machines: Queue<Key>,
    jobs: Queue<Key>,
    tasks: Queue<Key>,
    index: Mutex<Index>,
    stopping: AtomicBool,
}

/// What follows a pass.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Next {
    /// Nothing until something changes.
    Done,
    /// Another pass after this time.
    After(Duration),
    /// Another pass after the back-off of the queue.
    Retry,
}

impl<S: Store, C: Connect> Controllers<S, C> {
    /// Does nothing before [`run`](Self::run).
    pub fn new(store: S, connect: C, env: Env, config: Config) -> Self {
        let queue = |kind| {
            let queue = Queue::new(env.clone());
            let watched = queue.clone();
            config.metrics.watch_queue(kind, move || watched.depth());
            queue
        };
        Self {
            shared: Arc::new(Shared {
                store,
                connect,
                machines: queue("Machine"),
                jobs: queue("Job"),
                tasks: queue("Task"),
                index: Mutex::new(Index::default()),
                stopping: AtomicBool::new(false),
                env,
                config,
            }),
        }
    }

    /// Works until `shutdown`; then begins nothing new, lets passes under way end and logs out, within twice
    /// [`Config::drain`].
    ///
    /// Dropping the future stops everything at once, as a crash would.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let shared = &self.shared;
        let (stop, stopping) = watch::channel(false);
        let mut feeds = JoinSet::new();
        feeds.spawn(feed(
            Arc::clone(shared),
            shared.store.changes(),
            machine::changed,
        ));
        feeds.spawn(feed(
            Arc::clone(shared),
            shared.store.changes(),
            job::changed,
        ));
        feeds.spawn(feed(
            Arc::clone(shared),
            shared.store.changes(),
            task::changed,
        ));
        feeds.spawn(feed_secrets(Arc::clone(shared)));
        let mut workers = JoinSet::new();
        let config = &shared.config;
        workers.spawn(work(
            Arc::clone(shared),
            Work {
                kind: "Machine",
                queue: shared.machines.clone(),
                limit: config.machine_workers,
                later: Priority::Low,
                pass: |shared, key| machine::pass(shared, key).boxed(),
            },
            stopping.clone(),
        ));
        workers.spawn(work(
            Arc::clone(shared),
            Work {
                kind: "Job",
                queue: shared.jobs.clone(),
                limit: config.job_workers,
                later: Priority::High,
                pass: |shared, key| job::pass(shared, key).boxed(),
            },
            stopping.clone(),
        ));
        workers.spawn(work(
            Arc::clone(shared),
            Work {
                kind: "Task",
                queue: shared.tasks.clone(),
                limit: config.task_workers,
                later: Priority::High,
                pass: |shared, key| task::pass(shared, key).boxed(),
            },
            stopping,
        ));
        shutdown.await;
        drop(feeds);
        shared.stopping.store(true, Ordering::Relaxed);
        stop.send_replace(true);
        let drained = timeout(config.drain, async {
            while workers.join_next().await.is_some() {}
        });
        if drained.await.is_err() {
            debug!("passes that take too long are given up");
        }
        drop(workers);
        shared.connect.close(config.drain).await;
    }
}

impl<S: Store, C: Connect> Shared<S, C> {
    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this process may still act.
    fn leads(&self) -> bool {
        (self.config.leads)()
    }

    /// Whether this process may begin something: what it has begun it may end even when it stops.
    fn may_begin(&self) -> bool {
        self.leads() && !self.stopping.load(Ordering::Relaxed)
    }

    /// Counts the attempts of an operation.
    fn count<T>(&self, result: &Result<Outcome<T>, Exhausted>) {
        match result {
            Ok(outcome) => self.config.metrics.operated(&outcome.report),
            Err(exhausted) => self.config.metrics.operated(&exhausted.report),
        }
    }

    /// After a refused login the Secret is read anew: not every cluster lets us watch it.
    fn doubt_secrets(&self, exhausted: &Exhausted, connection: &Connection, namespace: &str) {
        if exhausted.kind() == ErrorKind::Authentication {
            for secret in secrets_of(connection, namespace) {
                self.connect.secret_changed(&secret);
            }
        }
    }

    /// Publishes an Event unless it was the last one about this object.
    async fn tell(&self, event: Event) {
        let new = self.index().is_news(&event);
        if new {
            self.store.event(event).await;
        }
    }
}

type Pass<S, C> = fn(Arc<Shared<S, C>>, Key) -> futures_util::future::BoxFuture<'static, Next>;

struct Work<S, C> {
    kind: &'static str,
    queue: Queue<Key>,
    limit: usize,
    /// Of the passes that an earlier pass has asked for.
    later: Priority,
    pass: Pass<S, C>,
}

impl<S, C> Clone for Work<S, C> {
    fn clone(&self) -> Self {
        Self {
            queue: self.queue.clone(),
            ..*self
        }
    }
}

/// Runs passes, at most `limit` at once, until told to stop.
async fn work<S: Store, C: Connect>(
    shared: Arc<Shared<S, C>>,
    work: Work<S, C>,
    mut stopping: watch::Receiver<bool>,
) {
    let mut passes = JoinSet::new();
    let stopped = stopping.wait_for(|stop| *stop);
    let mut stopped = pin!(stopped);
    loop {
        tokio::select! {
                    biased;
                    _ = &mut stopped => break,
                    Some(ended) = passes.join_next() => {
                        if let Err(error) = ended {
                            error!(kind = work.kind, %error, "pass lost");
                        }
                    }
                    lease = work.queue.next(), if passes.len() < work.limit.max(1) => match lease {
                        Some(lease) => {
        passes.spawn(pass(Arc::clone(&shared), work.clone(), lease));
                        }
                        None => break,
                    }
                }
    }
    work.queue.shut_down();
    while passes.join_next().await.is_some() {}
}

/// One pass over one object, and what follows.
async fn pass<S: Store, C: Connect>(
    shared: Arc<Shared<S, C>>,
    work: Work<S, C>,
    lease: Lease<Key>,
) {
    let began = Instant::now();
    let Work { kind, queue, .. } = work;
    let key = lease.key().clone();
    let pass = (work.pass)(Arc::clone(&shared), key.clone());
    let next = AssertUnwindSafe(pass).catch_unwind().await;
    let next = next.unwrap_or_else(|_| {
        error!(kind, object = %key, "a pass panicked; it is tried again");
        Next::Retry
    });
    let outcome = match next {
        Next::Done => {
            queue.forget(&key);
            ReconcileOutcome::Done
        }
        Next::After(pause) => {
            queue.forget(&key);
            queue.add_after(key, pause, work.later);
            ReconcileOutcome::Waiting
        }
        Next::Retry => {
            queue.retry(key);
            ReconcileOutcome::Retry
        }
    };
    let elapsed = began.elapsed();
    shared.config.metrics.reconciled(kind, outcome, elapsed);
    drop(lease);
}

/// Hands every change of one kind to `changed`.
async fn feed<S: Store, C: Connect, K: Kind>(
    shared: Arc<Shared<S, C>>,
    changes: impl Stream<Item = Change<K>> + Send + 'static,
    changed: fn(&Shared<S, C>, Change<K>),
) {
    let mut changes = pin!(changes);
    while let Some(change) = changes.next().await {
        changed(&shared, change);
    }
}

/// Wakes what waits for a Secret, or has used an older version of it.
async fn feed_secrets<S: Store, C: Connect>(shared: Arc<Shared<S, C>>) {
    let mut changes = pin!(shared.store.secret_changes());
    while let Some(secret) = changes.next().await {
        shared.connect.secret_changed(&secret);
        let (machines, tasks) = shared.index().secret_changed(&secret);
        for task in tasks {
            shared.tasks.add(task, Priority::High);
        }
        for machine in machines {
            shared.machines.add(machine, Priority::High);
        }
    }
}

/// Whether the first is of a later revision. Revisions are numbers in every known store, though nobody promises it.
fn is_newer<K: Kind>(this: &K, other: &K) -> bool {
    let revision = |object: &K| object.meta().resource_version.as_ref()?.parse::<u64>().ok();
    revision(this)
        .zip(revision(other))
        .is_some_and(|(this, other)| this > other)
}

impl Default for Config {
    fn default() -> Self {
        Self {
            task_timeout: Duration::from_secs(600),
            poll_interval: Duration::from_secs(180),
            machine_workers: 256,
            job_workers: 64,
            task_workers: 512,
            drain: Duration::from_secs(5),
            leads: Arc::new(|| true),
            metrics: Metrics::new(),
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("task_timeout", &self.task_timeout)
            .field("poll_interval", &self.poll_interval)
            .finish_non_exhaustive()
    }
}

impl<S, C> fmt::Debug for Controllers<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controllers").finish_non_exhaustive()
    }
}
