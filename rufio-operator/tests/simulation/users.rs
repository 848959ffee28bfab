//! What people and programs want, and when.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_core::Secret;
use rufio_operator::api::{Job, Machine, OWNER_NAME_LABEL, Task};
use rufio_operator::env::Env;
use rufio_operator::store::memory::User;
use rufio_operator::store::{Key, Kind};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::history::{History, audit};

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

/// People and programs.
pub(crate) struct Users {
    pub(crate) user: User,
    pub(crate) luck: Env,
    pub(crate) history: Arc<Mutex<History>>,
}

impl Users {
    pub(crate) async fn act(self, story: Story, hosts: usize) {
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
                    let tasks = match luck.random_u64() % 5 {
                        0 | 1 => json!([{"powerAction": "cycle"}]),
                        2 => {
                            json!([{"powerAction": "on"}, {"powerAction": "cycle"}, {"powerAction": "status"}])
                        }
                        3 => json!([{"powerAction": "reset"}]),
                        _ => json!([{"powerAction": "soft"}, {"powerAction": "on"}]),
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
                let foreign = luck.chance(0.2);
                if foreign {
                    user.create::<Task>(&object(
                        "Task",
                        "job-task-0",
                        json!({"task": {"powerAction": "status"}}),
                    ))
                    .unwrap();
                }
                user.create(&job("job", 0, tasks.clone())).unwrap();
                for _ in 0..1 + luck.random_u64() % 3 {
                    sleep(luck.up_to(Duration::from_secs(2))).await;
                    audit(&user, &history);
                    delete_tasks(&user);
                    if luck.chance(0.5) {
                        sleep(luck.up_to(Duration::from_millis(20))).await;
                    }
                    if luck.chance(0.2) {
                        continue;
                    }
                    audit(&user, &history);
                    user.delete::<Job>(&key("job")).unwrap();
                    if luck.chance(0.5) {
                        sleep(luck.up_to(Duration::from_secs(2))).await;
                    }
                    user.create(&job("job", 0, tasks.clone())).unwrap();
                }
                if foreign {
                    user.delete::<Task>(&key("job-task-0")).unwrap();
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
