//! Local mode: the same controllers on objects from files, without a cluster.
//!
//! It ends when every Job and every stand-alone Task has ended and every Machine was looked at.

mod board;
pub mod command;
pub mod manifest;
mod output;
mod progress;

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, sleep_until};

use crate::api::{Job, Machine, Task};
use crate::connect::Connect;
use crate::env::Env;
use crate::reconcile::{Config, Controllers};
use crate::run::shutdown;
use crate::store::memory::MemoryStore;
use crate::store::{Change, Kind, Store, StoreError};

use board::Board;
use manifest::Manifests;
pub use output::OutputError;
use progress::Progress;
pub use progress::ProgressMode;

/// How to run without a cluster.
#[derive(Clone, Debug)]
pub struct LocalOptions {
    /// Go on after everything has ended, until interrupted.
    pub watch: bool,
    /// Give up after this time; `None` leaves it to the Tasks' own deadlines.
    pub timeout: Option<Duration>,
    /// How progress is shown on standard error.
    pub progress: ProgressMode,
    /// Settings of the controllers.
    pub config: Config,
    /// Clock and randomness.
    pub env: Env,
}

/// How long the Machines' last looks are waited for after all work has ended.
const SETTLING: Duration = Duration::from_secs(3);

/// What has become of everything.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The Machines, in order of namespace and name.
    pub machines: Vec<Machine>,
    /// The Jobs.
    pub jobs: Vec<Job>,
    /// The Tasks, those of Jobs included.
    pub tasks: Vec<Task>,
    /// How many Machines are contactable.
    pub contactable: usize,
    /// How many Tasks stand alone.
    pub lone_tasks: usize,
    /// How many Jobs and stand-alone Tasks have completed.
    pub completed: usize,
    /// Each Job and stand-alone Task that has failed, with the reason.
    pub failed: Vec<String>,
    /// Each Job and stand-alone Task that has not ended, where it was given up or interrupted.
    pub unfinished: Vec<String>,
}

impl Default for LocalOptions {
    fn default() -> Self {
        Self {
            watch: false,
            timeout: None,
            progress: ProgressMode::default(),
            config: Config::default(),
            env: Env::system(),
        }
    }
}

impl Summary {
    /// Whether every Job and every stand-alone Task has completed. A Machine that is not contactable is a finding, not a
    /// failure.
    pub fn is_success(&self) -> bool {
        self.failed.is_empty() && self.unfinished.is_empty()
    }
}

/// Carries out the manifests. `connect` makes the way to the BMCs from the store that holds the Secrets;
/// `interrupted` ends it early.
///
/// # Errors
/// An object that the store refuses; nothing was done then.
pub async fn run<C: Connect>(
    options: LocalOptions,
    manifests: Manifests,
    connect: impl FnOnce(&MemoryStore) -> C,
    interrupted: impl Future<Output = ()>,
) -> Result<Summary, StoreError> {
    let store = MemoryStore::new(options.env.clone());
    fill(&store, manifests)?;
    let connect = connect(&store);
    let (trigger, shutdown) = shutdown::channel();
    let controllers = Controllers::new(
        store.clone(),
        connect,
        options.env.clone(),
        options.config.clone(),
    );
    let mut serving = pin!(controllers.run(shutdown.requested()));
    tokio::select! {
        biased;
        () = &mut serving => {}
        () = follow(&store, &options, interrupted) => {
            trigger.fire();
            serving.await;
        }
    }
    Ok(Summary::of(&store))
}

/// Stores every object.
fn fill(store: &MemoryStore, manifests: Manifests) -> Result<(), StoreError> {
    let user = store.user();
    for (key, secret) in manifests.secrets {
        user.put_secret(key, secret.data);
    }
    for machine in &manifests.machines {
        user.create(machine)?;
    }
    for job in &manifests.jobs {
        user.create(job)?;
    }
    for task in &manifests.tasks {
        user.create(task)?;
    }
    Ok(())
}

/// Shows progress until it is time to stop.
async fn follow(
    store: &MemoryStore,
    options: &LocalOptions,
    interrupted: impl Future<Output = ()>,
) {
    let progress = Progress::new(options.progress);
    let mut board = Board::default();
    let mut machines = pin!(store.changes::<Machine>());
    let mut jobs = pin!(store.changes::<Job>());
    let mut tasks = pin!(store.changes::<Task>());
    let mut interrupted = pin!(interrupted);
    let give_up = options.timeout.map(|timeout| Instant::now() + timeout);
    let mut settled = None;
    let mut seen = [false; 3];
    loop {
        let lines = tokio::select! {
            biased;
            () = &mut interrupted => break,
            change = next(&mut machines) => {
                seen[0] = true;
                take(change, Machine::KIND, &mut board, Board::machine)
            }
            change = next(&mut jobs) => {
                seen[1] = true;
                take(change, Job::KIND, &mut board, Board::job)
            }
            change = next(&mut tasks) => {
                seen[2] = true;
                take(change, Task::KIND, &mut board, Board::task)
            }
            () = elapsed(settled) => break,
            () = elapsed(give_up) => {
                progress.line("given up: --timeout has elapsed");
                break;
            }
        };
        lines.iter().for_each(|line| progress.line(line));
        progress.show(&board);
        if seen == [true; 3] && board.is_finished() && !options.watch {
            if board.is_settled() {
                break;
            }
            settled.get_or_insert_with(|| Instant::now() + SETTLING);
        }
    }
    progress.finish();
}

/// The next change; never ready again when there are no more.
async fn next<K>(changes: &mut (impl Stream<Item = Change<K>> + Unpin)) -> Change<K> {
    match changes.next().await {
        Some(change) => change,
        None => std::future::pending().await,
    }
}

/// Never, if there is no deadline.
async fn elapsed(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

fn take<K: Kind>(
    change: Change<K>,
    kind: &str,
    board: &mut Board,
    show: fn(&mut Board, &K) -> Option<String>,
) -> Vec<String> {
    match change {
        Change::Reset(all) => all
            .iter()
            .filter_map(|object| show(board, object))
            .collect(),
        Change::Applied(object) => show(board, &object).into_iter().collect(),
        Change::Deleted(object) => {
            board.gone(kind, &object.key());
            vec![]
        }
    }
}

impl Summary {
    fn of(store: &MemoryStore) -> Self {
        let user = store.user();
        let mut board = Board::default();
        let mut summary = Self {
            machines: owned(user.list()),
            jobs: owned(user.list()),
            tasks: owned(user.list()),
            ..Self::default()
        };
        for machine in &summary.machines {
            board.machine(machine);
        }
        for job in &summary.jobs {
            board.job(job);
        }
        for task in &summary.tasks {
            board.task(task);
        }
        let (machines, work) = (board.machines(), board.work());
        summary.contactable = machines.done - machines.failed;
        summary.completed = work.done - work.failed;
        summary.lone_tasks = work.total - summary.jobs.len();
        summary.failed = board.failures();
        summary.unfinished = board.unfinished();
        summary
    }
}

fn owned<K: Clone>(list: Vec<std::sync::Arc<K>>) -> Vec<K> {
    list.into_iter()
        .map(std::sync::Arc::unwrap_or_clone)
        .collect()
}
