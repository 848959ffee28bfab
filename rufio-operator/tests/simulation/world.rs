//! One schedule: what exists, what goes wrong, what users do, and when the operator dies.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_core::testing::memory::{Fault, MemoryBmc, MemoryProvider, Step};
use bmc_core::{Bmc, PowerState};
use rufio_operator::api::{Connection, Job, Machine, Task};
use rufio_operator::connect::{Connect, ConnectError, secrets_of};
use rufio_operator::env::Env;
use rufio_operator::plan::machine::is_contactable;
use rufio_operator::reconcile::{Config, Controllers};
use rufio_operator::status::{job_finished, task_finished};
use rufio_operator::store::Store;
use rufio_operator::store::fault::{Faults, Moment, Pruned};
use rufio_operator::store::memory::MemoryStore;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::audited::Audited;
use super::history::{History, audit, seen_job, seen_task, watch};
use super::users::{Story, Users};

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
        let life = timeout(Duration::from_secs(8 * 3600), self.lives(users));
        if life.await.is_err() {
            let machines = self.store.user().list::<Machine>();
            panic!("not done after 8 h: {:#?} {machines:?}", self.log());
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
        for pause in [7200, 600] {
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
