//! One schedule: what exists, what goes wrong, what users do, and when the operator dies.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_core::testing::memory::{Fault, MemoryBmc, MemoryProvider, Step};
use bmc_core::{Bmc, PowerState, Secret};
use futures_util::StreamExt;
use rufio_operator::api::{Connection, Job, Machine, OWNER_NAME_LABEL, Task};
use rufio_operator::connect::{Connect, ConnectError, secrets_of};
use rufio_operator::env::Env;
use rufio_operator::plan::machine::is_contactable;
use rufio_operator::reconcile::{Config, Controllers};
use rufio_operator::status::{job_finished, task_finished};
use rufio_operator::store::fault::{Faults, Moment, Pruned};
use rufio_operator::store::memory::{MemoryStore, User};
use rufio_operator::store::{Change, Key, Kind, Store};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::audited::Audited;

/// What the users of a schedule want.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Story {
    /// Two machines, each to boot from the network.
    Netboot,
    /// Two machines, each to be cycled.
    Cycle,
    /// A Job that is deleted and created again under the same name.
    Again,
    /// Two Jobs for one machine.
    Two,
}

impl Story {
    pub(crate) fn test(self) -> &'static str {
        match self {
            Self::Netboot => "netboot",
            Self::Cycle => "cycle",
            Self::Again => "again",
            Self::Two => "interleave",
        }
    }
}

pub(crate) struct World {
    pub(crate) story: Story,
    pub(crate) store: MemoryStore,
    pub(crate) hosts: Vec<Host>,
    pub(crate) history: Arc<Mutex<History>>,
    /// How often the operator was killed.
    pub(crate) crashes: u64,
    /// Writes and BMC requests once all was done, and much later.
    pub(crate) rest: Mutex<Vec<(u64, usize)>>,
    env: Env,
    luck: Env,
    began: Instant,
}

/// A machine and the way to it.
#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) machine: MemoryBmc,
    provider: MemoryProvider,
}

/// Everything that watchers have seen.
#[derive(Default)]
pub(crate) struct History {
    pub(crate) log: Vec<String>,
    /// Every Task that ever existed, as it was at its end.
    pub(crate) truth: BTreeMap<String, Arc<Task>>,
    tasks: BTreeMap<String, Arc<Task>>,
    jobs: BTreeMap<String, Arc<Job>>,
    pub(crate) wrongs: Vec<String>,
}

impl History {
    /// Whether the Task is known with a startTime.
    pub(crate) fn has_begun(&self, uid: &str) -> bool {
        let task = self.truth.get(uid);
        task.and_then(|task| task.status.as_ref()?.start_time.as_ref())
            .is_some()
    }
}

/// Notes every Task before it can vanish.
pub(crate) fn audit(user: &User, history: &Mutex<History>) {
    let tasks = user.list::<Task>();
    let mut history = history.lock().unwrap();
    history
        .truth
        .extend(tasks.into_iter().map(|task| (task.uid().to_owned(), task)));
}

#[derive(Clone)]
struct MemoryConnect {
    store: Audited,
    bmcs: Arc<BTreeMap<String, Bmc>>,
}

impl Connect for MemoryConnect {
    async fn connect(&self, connection: &Connection, namespace: &str) -> Result<Bmc, ConnectError> {
        for secret in secrets_of(connection, namespace) {
            match self.store.secret(&secret).await {
                Ok(Some(_)) => {}
                Ok(None) => return Err(ConnectError::SecretMissing(secret)),
                Err(error) => return Err(ConnectError::Store { secret, error }),
            }
        }
        Ok(self.bmcs[&connection.host].clone())
    }
}

impl World {
    pub(crate) fn new(seed: u64, story: Story) -> Self {
        let env = Env::simulated(seed);
        let luck = Env::simulated(seed.wrapping_mul(31).wrapping_add(story as u64));
        let store = MemoryStore::new(env.clone());
        let hosts = if story == Story::Two || story == Story::Again {
            1
        } else {
            2
        };
        let hosts = (0..hosts).map(|_| Host::new(&luck, story)).collect();
        Self {
            story,
            store,
            hosts,
            history: Arc::default(),
            crashes: 0,
            rest: Mutex::default(),
            env,
            luck,
            began: Instant::now(),
        }
    }

    pub(crate) async fn play(&mut self) {
        self.store.set_faults(faults(&self.luck));
        self.store.set_garbage_collection(self.luck.chance(0.5));
        let watchers = [
            tokio::spawn(watch::<Task>(
                self.store.clone(),
                self.began,
                Arc::clone(&self.history),
                seen_task,
            )),
            tokio::spawn(watch::<Job>(
                self.store.clone(),
                self.began,
                Arc::clone(&self.history),
                seen_job,
            )),
        ];
        let users = Users {
            user: self.store.user(),
            luck: self.luck.clone(),
            history: Arc::clone(&self.history),
        };
        let users = tokio::spawn(users.act(self.story, self.hosts.len()));
        let life = timeout(Duration::from_secs(4 * 3600), self.lives(users));
        if life.await.is_err() {
            let machines = self.store.user().list::<Machine>();
            panic!("not done after 4 h: {:#?} {machines:?}", self.log());
        }
        for watcher in watchers {
            watcher.abort();
        }
        audit(&self.store.user(), &self.history);
        let counters = self
            .hosts
            .iter()
            .map(|host| format!("{:?}", host.machine.counters()));
        let lines: Vec<String> = counters.collect();
        self.history.lock().unwrap().log.extend(lines);
    }

    pub(crate) fn log(&self) -> Vec<String> {
        let events = self
            .store
            .events()
            .into_iter()
            .map(|event| format!("{event:?}"));
        let history = self.history.lock().unwrap();
        history.log.iter().cloned().chain(events).collect()
    }

    /// One operator after the other, until all is done.
    async fn lives(&mut self, users: tokio::task::JoinHandle<()>) {
        let mut deaths = self.luck.random_u64() % 4;
        loop {
            let config = Config {
                poll_interval: Duration::from_secs(24 * 3600),
                ..Config::default()
            };
            let bmcs = self
                .hosts
                .iter()
                .enumerate()
                .map(|(n, host)| (format!("bmc-{n}"), host.bmc()));
            let store = Audited {
                store: self.store.clone(),
                history: Arc::clone(&self.history),
            };
            let connect = MemoryConnect {
                store: store.clone(),
                bmcs: Arc::new(bmcs.collect()),
            };
            let controllers = Controllers::new(store, connect, self.env.clone(), config);
            let mut end = Instant::now() + Duration::from_secs(1 << 30);
            if deaths > 0 {
                if self.luck.chance(0.7) {
                    let moment = if self.luck.chance(0.5) {
                        Moment::BeforeWrite
                    } else {
                        Moment::AfterWrite
                    };
                    self.store.crash_at(1 + self.luck.random_u64() % 12, moment);
                } else {
                    end = Instant::now() + self.luck.up_to(Duration::from_secs(8));
                }
            }
            let life = controllers.run(pending());
            tokio::select! {
                biased;
                () = self.store.crashed() => {}
                () = sleep_until(end) => {}
                () = life => unreachable!("nobody asked it to stop"),
                () = self.done(&users) => return,
            }
            deaths -= 1;
            self.crashes += 1;
            self.store.restart();
            // What the dead process has sent late does not count: its sessions are gone.
            for host in &self.hosts {
                host.machine.lose_sessions();
            }
            let at = self.began.elapsed();
            self.history
                .lock()
                .unwrap()
                .log
                .push(format!("{at:?} the operator dies"));
            sleep(self.luck.up_to(Duration::from_secs(2))).await;
        }
    }

    /// All Jobs have ended, and nothing happens any more.
    async fn done(&self, users: &tokio::task::JoinHandle<()>) {
        let user = self.store.user();
        while !users.is_finished()
            || user
                .list::<Job>()
                .iter()
                .any(|job| !job_finished(job.status.as_ref()))
        {
            sleep(Duration::from_millis(500)).await;
        }
        // Tasks of deleted Jobs may still be waiting.
        while user
            .list::<Task>()
            .iter()
            .any(|task| !task_finished(task.status.as_ref()))
        {
            sleep(Duration::from_millis(500)).await;
        }
        for host in &self.hosts {
            host.recover().await;
        }
        // Every machine is read at last.
        while !user
            .list::<Machine>()
            .iter()
            .all(|machine| is_contactable(machine.status.as_ref()) == Some(true))
        {
            sleep(Duration::from_secs(1)).await;
        }
        for pause in [60, 600] {
            sleep(Duration::from_secs(pause)).await;
            let requests = self
                .hosts
                .iter()
                .map(|host| host.machine.counters().operations)
                .sum();
            self.rest
                .lock()
                .unwrap()
                .push((self.store.writes(), requests));
        }
    }
}

impl Host {
    fn new(luck: &Env, story: Story) -> Self {
        let delay = if luck.chance(0.3) {
            Duration::ZERO
        } else {
            luck.up_to(Duration::from_secs(4))
        };
        let machine = MemoryBmc::new().power_delay(delay);
        if story != Story::Netboot || luck.chance(0.5) {
            machine.set_power_state(PowerState::On);
        }
        let provider = machine.provider("memory");
        if luck.chance(0.5) {
            for _ in 0..luck.random_u64() % 30 {
                let step = if luck.chance(0.2) {
                    Step::Login
                } else {
                    Step::Request
                };
                let fault = match luck.random_u64() % 14 {
                    0 => Fault::Unreachable,
                    1 => Fault::Busy,
                    2 => Fault::RequestLost,
                    3 => Fault::ReplyLost,
                    4 => Fault::LoseSession,
                    5 => Fault::Hang,
                    6 if step == Step::Request => Fault::HangAfter,
                    7 | 8 => Fault::Delay(luck.up_to(Duration::from_secs(1))),
                    _ => Fault::Pass,
                };
                provider.fault(step, fault);
            }
        }
        Self { machine, provider }
    }

    /// Uses up the faults that are left.
    async fn recover(&self) {
        let bmc = self.bmc();
        for _ in 0..60 {
            let _ = bmc.power_state().await;
        }
        bmc.close().await;
    }

    /// A new handle: what a process makes when it starts.
    fn bmc(&self) -> Bmc {
        Bmc::builder()
            .provider(self.provider.clone())
            .attempt_timeout(Duration::from_secs(5))
            .build()
    }
}

fn faults(luck: &Env) -> Faults {
    let odds = [0.0, 0.02, 0.1][usize::try_from(luck.random_u64() % 3).unwrap()];
    let delay = [0, 20, 300][usize::try_from(luck.random_u64() % 3).unwrap()];
    let mut faults = Faults::storm(odds, Duration::from_millis(delay));
    if luck.chance(0.3) {
        faults.pruned.push(Pruned {
            kind: "Machine",
            path: "status.conditions[].reason",
        });
    }
    faults
}

/// People and programs.
struct Users {
    user: User,
    luck: Env,
    history: Arc<Mutex<History>>,
}

impl Users {
    async fn act(self, story: Story, hosts: usize) {
        let Self {
            user,
            luck,
            history,
        } = self;
        let late_machine = luck.chance(0.2);
        let late_secret = luck.chance(0.2);
        if !late_secret {
            put_secret(&user);
        }
        if !late_machine {
            create_machines(&user, hosts);
        }
        sleep(luck.up_to(Duration::from_millis(500))).await;
        match story {
            Story::Netboot => {
                for host in 0..hosts {
                    user.create(&job(&format!("job-{host}"), host, netboot()))
                        .unwrap();
                }
            }
            Story::Cycle => {
                for host in 0..hosts {
                    let tasks = if luck.chance(0.5) {
                        json!([{"powerAction": "cycle"}])
                    } else {
                        json!([{"powerAction": "on"}, {"powerAction": "cycle"}, {"powerAction": "status"}])
                    };
                    user.create(&job(&format!("job-{host}"), host, tasks))
                        .unwrap();
                }
            }
            Story::Two => {
                user.create(&job("first", 0, netboot())).unwrap();
                sleep(luck.up_to(Duration::from_secs(3))).await;
                user.create(&job("second", 0, netboot())).unwrap();
            }
            Story::Again => {
                let tasks = if luck.chance(0.5) {
                    json!([{"powerAction": "on"}, {"powerAction": "cycle"}])
                } else {
                    json!([{"powerAction": "cycle"}])
                };
                user.create(&job("job", 0, tasks.clone())).unwrap();
                for _ in 0..1 + luck.random_u64() % 3 {
                    sleep(luck.up_to(Duration::from_secs(2))).await;
                    audit(&user, &history);
                    delete_tasks(&user);
                    if luck.chance(0.5) {
                        sleep(luck.up_to(Duration::from_millis(20))).await;
                    }
                    audit(&user, &history);
                    user.delete::<Job>(&key("job")).unwrap();
                    if luck.chance(0.5) {
                        sleep(luck.up_to(Duration::from_secs(2))).await;
                    }
                    user.create(&job("job", 0, tasks.clone())).unwrap();
                }
            }
        }
        if late_machine {
            sleep(luck.up_to(Duration::from_secs(5))).await;
            create_machines(&user, hosts);
        }
        if late_secret {
            sleep(luck.up_to(Duration::from_secs(5))).await;
            put_secret(&user);
        }
        for n in 0..luck.random_u64() % 3 {
            sleep(luck.up_to(Duration::from_secs(3))).await;
            let poke = n.to_string();
            user.annotate::<Machine>(&key("m-0"), "poke", &poke)
                .unwrap();
            for task in user.list::<Task>() {
                user.annotate::<Task>(&task.key(), "note", &poke).unwrap();
            }
        }
    }
}

fn netboot() -> Value {
    json!([
        {"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"]}},
        {"powerAction": "on"},
    ])
}

fn create_machines(user: &User, hosts: usize) {
    for host in 0..hosts {
        let connection = json!({
            "host": format!("bmc-{host}"), "insecureTLS": true, "authSecretRef": {"name": "auth", "namespace": "lab"},
        });
        user.create::<Machine>(&object(
            "Machine",
            &format!("m-{host}"),
            json!({"connection": connection}),
        ))
        .unwrap();
    }
}

fn put_secret(user: &User) {
    let data = BTreeMap::from([("username".to_owned(), Secret::from("u"))]);
    user.put_secret(key("auth"), data);
}

/// As the workflow engine does: by label.
fn delete_tasks(user: &User) {
    for task in user.list::<Task>() {
        let labels = task.metadata.labels.clone().unwrap_or_default();
        if labels
            .get(OWNER_NAME_LABEL)
            .is_some_and(|owner| owner == "job")
        {
            user.delete::<Task>(&task.key()).unwrap();
        }
    }
}

fn job(name: &str, host: usize, tasks: Value) -> Job {
    let machine = json!({"name": format!("m-{host}"), "namespace": "lab"});
    object("Job", name, json!({"machineRef": machine, "tasks": tasks}))
}

fn key(name: &str) -> Key {
    Key {
        namespace: "lab".into(),
        name: name.into(),
    }
}

fn object<K: Kind>(kind: &str, name: &str, spec: Value) -> K {
    serde_json::from_value(json!({
        "apiVersion": "bmc.tinkerbell.org/v1alpha1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "lab"},
        "spec": spec,
    }))
    .unwrap()
}

async fn watch<K: Kind>(
    store: MemoryStore,
    began: Instant,
    history: Arc<Mutex<History>>,
    seen: fn(&mut History, &Arc<K>),
) {
    let mut changes = Box::pin(store.changes::<K>());
    while let Some(change) = changes.next().await {
        let mut history = history.lock().unwrap();
        let objects: Vec<Arc<K>> = match change {
            Change::Reset(objects) => objects,
            Change::Applied(object) => vec![object],
            Change::Deleted(object) => {
                history.log.push(format!(
                    "{:?} {} {} deleted",
                    began.elapsed(),
                    K::KIND,
                    object.key()
                ));
                vec![object]
            }
        };
        for object in objects {
            let line = format!(
                "{:?} {} {} {}: {:?}",
                began.elapsed(),
                K::KIND,
                object.key(),
                object.uid(),
                object.status()
            );
            history.log.push(line);
            seen(&mut history, &object);
        }
    }
}

fn seen_task(history: &mut History, task: &Arc<Task>) {
    let before = history
        .tasks
        .insert(task.uid().to_owned(), Arc::clone(task));
    if let Some(before) = before
        && task_finished(before.status.as_ref())
        && before.status != task.status
    {
        history
            .wrongs
            .push(format!("a finished task changed: {before:?} {task:?}"));
    }
}

fn seen_job(history: &mut History, job: &Arc<Job>) {
    let before = history.jobs.insert(job.uid().to_owned(), Arc::clone(job));
    if let Some(before) = before
        && job_finished(before.status.as_ref())
        && before.status != job.status
    {
        history
            .wrongs
            .push(format!("a finished job changed: {before:?} {job:?}"));
    }
}

/// Uids of the Tasks that do this, of all that ever existed.
pub(crate) fn doing(history: &History, action: &str) -> BTreeSet<String> {
    let does =
        |task: &Task| serde_json::to_value(&task.spec.task).unwrap()["powerAction"] == action;
    let tasks = history.truth.iter().filter(|(_, task)| does(task));
    tasks.map(|(uid, _)| uid.clone()).collect()
}
