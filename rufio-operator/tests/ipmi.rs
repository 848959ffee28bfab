//! The controllers on the memory store against simulated IPMI BMCs: the whole path, over UDP on the loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "support/lab.rs"]
mod lab;

use std::collections::BTreeMap;
use std::time::Duration;

use bmc_core::{Credentials, Secret};
use bmc_ipmi::sim::{Sim, SimHandle};
use rufio_operator::api::{Job, Machine, PowerState, Task};
use rufio_operator::reconcile::Config;
use rufio_operator::store::memory::MemoryStore;
use serde_json::json;
use tokio::time::timeout;

use lab::{Operator, conditions, contactable, ended, key, object};

fn connection(port: u16) -> serde_json::Value {
    json!({
        "host": "127.0.0.1", "port": port, "insecureTLS": true,
        "authSecretRef": {"name": "auth", "namespace": "lab"},
    })
}

fn machine(port: u16) -> Machine {
    object("Machine", "m", json!({"connection": connection(port)}))
}

fn job(tasks: serde_json::Value) -> Job {
    let machine = json!({"name": "m", "namespace": "lab"});
    object("Job", "j", json!({"machineRef": machine, "tasks": tasks}))
}

fn put_secret(store: &MemoryStore, password: &str) {
    let data = BTreeMap::from([
        ("username".to_owned(), Secret::from("root")),
        ("password".to_owned(), Secret::from(password)),
    ]);
    store.user().put_secret(key("auth"), data);
}

async fn bmc() -> SimHandle {
    Sim::builder()
        .credentials(Credentials::new("root", "calvin"))
        .power(true)
        .power_delay(Duration::from_millis(200))
        .spawn()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_netboot_job_runs_to_its_end() {
    let bmc = bmc().await;
    let operator = Operator::start();
    put_secret(&operator.store, "calvin");
    let user = operator.store.user();
    user.create(&machine(bmc.addr().port())).unwrap();
    let seen = operator
        .until("m", |machine: &Machine| contactable(machine).is_some())
        .await;
    assert_eq!(contactable(&seen), Some("True"));
    assert_eq!(seen.status.unwrap().power_state, Some(PowerState::On));

    user.create(&job(json!([
        {"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"]}},
        {"powerAction": "on"},
    ])))
    .unwrap();
    let done = operator.until("j", ended).await;
    assert_eq!(
        conditions(&done),
        [
            ("Running".into(), String::new()),
            ("Completed".into(), String::new())
        ]
    );
    let changes: Vec<bool> = bmc.power_changes().iter().map(|change| change.on).collect();
    assert_eq!(changes, [true, false, true]);
    assert_eq!(user.list::<Task>().len(), 3);
    operator
        .until("m", |machine: &Machine| {
            machine.status.as_ref().unwrap().power_state == Some(PowerState::On)
        })
        .await;
    operator.stop().await;
    // The logout is under way.
    let logged_out = async {
        while bmc.active_sessions() > 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(5), logged_out).await.unwrap();
}

#[tokio::test]
async fn a_missing_secret_is_named_and_its_appearance_heals() {
    let bmc = bmc().await;
    let operator = Operator::start();
    let user = operator.store.user();
    user.create(&machine(bmc.addr().port())).unwrap();
    user.create(&job(json!([{"powerAction": "off"}]))).unwrap();
    let seen = operator
        .until("m", |machine: &Machine| contactable(machine).is_some())
        .await;
    let condition = &seen.status.unwrap().conditions[0];
    assert_eq!(condition.status, "False");
    assert_eq!(condition.message, "secret lab/auth not found");
    assert_eq!(condition.reason.as_deref(), Some("SecretMissing"));
    put_secret(&operator.store, "calvin");
    operator
        .until("m", |machine: &Machine| {
            contactable(machine) == Some("True")
        })
        .await;
    operator.until("j", ended).await;
    assert!(!bmc.power());
    // The Machine is read again once a Task has ended.
    operator
        .until("m", |machine: &Machine| {
            machine.status.as_ref().unwrap().power_state == Some(PowerState::Off)
        })
        .await;
    operator.stop().await;
}

#[tokio::test]
async fn a_wrong_password_is_tried_once_and_a_new_one_at_once() {
    let bmc = bmc().await;
    let operator = Operator::start();
    put_secret(&operator.store, "wrong");
    let user = operator.store.user();
    user.create(&machine(bmc.addr().port())).unwrap();
    let seen = operator
        .until("m", |machine: &Machine| contactable(machine).is_some())
        .await;
    let condition = &seen.status.unwrap().conditions[0];
    assert_eq!(
        condition.reason.as_deref(),
        Some("AuthFailed"),
        "{condition:?}"
    );
    put_secret(&operator.store, "calvin");
    operator
        .until("m", |machine: &Machine| {
            contactable(machine) == Some("True")
        })
        .await;

    put_secret(&operator.store, "wrong");
    user.create(&job(json!([{"powerAction": "off"}]))).unwrap();
    let done = operator.until("j", ended).await;
    let (type_, message) = &conditions(&done)[1];
    assert_eq!(type_, "Failed");
    assert!(
        message.starts_with("task lab/j-task-0 failed: Failed to connect to BMC: "),
        "{message}"
    );
    assert!(bmc.power());
    operator.stop().await;
}

#[tokio::test]
async fn nothing_listens() {
    let port = {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.local_addr().unwrap().port()
    };
    let operator = Operator::start();
    put_secret(&operator.store, "calvin");
    let mut machine = machine(port);
    machine.spec.connection.provider_options = Some(
        serde_json::from_value(json!({"ipmitool": {"port": port, "cipherSuite": "3"}})).unwrap(),
    );
    operator.store.user().create(&machine).unwrap();
    let seen = operator
        .until("m", |machine: &Machine| contactable(machine).is_some())
        .await;
    let status = seen.status.unwrap();
    assert_eq!(status.power_state, Some(PowerState::Unknown));
    assert_eq!(status.conditions[0].reason.as_deref(), Some("Unreachable"));
    operator.stop().await;
}

#[tokio::test]
async fn thirty_machines_boot_side_by_side() {
    let delay = Duration::from_millis(300);
    let operator = Operator::start();
    put_secret(&operator.store, "calvin");
    let user = operator.store.user();
    let mut bmcs = Vec::new();
    for n in 0..30 {
        let bmc = Sim::builder()
            .credentials(Credentials::new("root", "calvin"))
            .power(true)
            .power_delay(delay)
            .spawn()
            .await
            .unwrap();
        let spec = json!({"connection": connection(bmc.addr().port())});
        user.create(&object::<Machine>("Machine", &format!("m-{n}"), spec))
            .unwrap();
        bmcs.push(bmc);
    }
    let began = std::time::Instant::now();
    for n in 0..30 {
        let mut job = job(json!([
            {"powerAction": "off"},
            {"oneTimeBootDeviceAction": {"device": ["pxe"]}},
            {"powerAction": "on"},
        ]));
        job.metadata.name = Some(format!("j-{n}"));
        job.spec.machine_ref.name = format!("m-{n}");
        user.create(&job).unwrap();
    }
    for n in 0..30 {
        let done = operator.until(&format!("j-{n}"), ended).await;
        assert_eq!(conditions(&done)[1].0, "Completed", "{done:?}");
    }
    let took = began.elapsed();
    // One after the other they would take 30 times as long.
    assert!(took < delay * 2 * 10, "{took:?}");
    operator.stop().await;
}

#[tokio::test]
async fn a_one_time_override_is_used_before_a_persistent_one_takes_its_place() {
    let bmc = bmc().await;
    let operator = Operator::start();
    put_secret(&operator.store, "calvin");
    let user = operator.store.user();
    user.create(&machine(bmc.addr().port())).unwrap();
    user.create(&job(json!([
        {"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"]}},
        {"powerAction": "on"},
        {"bootDevice": {"device": "disk", "persistent": true}},
    ])))
    .unwrap();
    let done = operator.until("j", ended).await;
    assert_eq!(conditions(&done)[1].0, "Completed", "{done:?}");
    let flags = bmc.boot_flags();
    assert!(flags.valid && flags.persistent);
    let booted = bmc.boots().last().unwrap().flags.unwrap();
    assert!(!booted.persistent && booted.device != flags.device);
    operator.stop().await;
}

#[tokio::test]
async fn a_bmc_that_only_says_yes_fails_at_the_deadline() {
    let bmc = bmc().await;
    bmc.faults(|faults| faults.ignore = true);
    let operator = Operator::with(Config {
        task_timeout: Duration::from_secs(2),
        ..Config::default()
    });
    put_secret(&operator.store, "calvin");
    let user = operator.store.user();
    user.create(&machine(bmc.addr().port())).unwrap();
    user.create(&job(json!([{"powerAction": "off"}, {"powerAction": "on"}])))
        .unwrap();
    let done = operator.until("j", ended).await;
    assert_eq!(
        conditions(&done)[1],
        (
            "Failed".into(),
            "task lab/j-task-0 failed: bmc task timeout: wanted power off, last seen power on; gave up after 2s".into()
        )
    );
    assert_eq!(user.list::<Task>().len(), 1);
    operator.stop().await;
}

#[tokio::test]
async fn what_this_build_cannot_do_reaches_no_bmc() {
    let bmc = bmc().await;
    let operator = Operator::start();
    put_secret(&operator.store, "calvin");
    for (options, message) in [
        (
            json!({"ipmitool": {"cipherSuite": "4"}}),
            r#"spec.connection.providerOptions.ipmitool.cipherSuite: "4" is not supported: use one of "17", "3", "8", "12", "16", "2", "7", "11", "15", "1", "6""#,
        ),
        (
            json!({"ipmitool": {"port": 70000}}),
            "spec.connection.providerOptions.ipmitool.port: 70000 is not a number from 1 to 65535",
        ),
    ] {
        let mut machine = machine(bmc.addr().port());
        machine.spec.connection.provider_options = Some(serde_json::from_value(options).unwrap());
        let mut task: Task = object("Task", "t", json!({"task": {"powerAction": "off"}}));
        task.spec.connection = Some(machine.spec.connection.clone());
        let user = operator.store.user();
        user.create(&machine).unwrap();
        user.create(&task).unwrap();
        let seen = operator
            .until("m", |machine: &Machine| contactable(machine).is_some())
            .await;
        let condition = &seen.status.unwrap().conditions[0];
        assert_eq!(
            (condition.message.as_str(), condition.reason.as_deref()),
            (message, Some("InvalidSpec"))
        );
        let failed = operator
            .until("t", |task: &Task| task.status.is_some())
            .await;
        assert_eq!(failed.status.unwrap().conditions[0].message, message);
        user.delete::<Machine>(&key("m")).unwrap();
        user.delete::<Task>(&key("t")).unwrap();
    }
    assert!(bmc.log().is_empty());
    operator.stop().await;
}

#[tokio::test]
async fn a_poke_is_a_look_at_once() {
    let bmc = bmc().await;
    let operator = Operator::start();
    put_secret(&operator.store, "calvin");
    let user = operator.store.user();
    user.create(&machine(bmc.addr().port())).unwrap();
    operator
        .until("m", |machine: &Machine| {
            contactable(machine) == Some("True")
        })
        .await;
    bmc.set_power(false);
    let began = std::time::Instant::now();
    user.annotate::<Machine>(&key("m"), "poke", "1").unwrap();
    operator
        .until("m", |machine: &Machine| {
            machine.status.as_ref().unwrap().power_state == Some(PowerState::Off)
        })
        .await;
    assert!(began.elapsed() < Duration::from_secs(1));
    operator.stop().await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_machines() {
    let bmc = Sim::builder()
        .credentials(Credentials::new("root", "calvin"))
        .power(true)
        .power_delay(Duration::from_secs(3600))
        .spawn()
        .await
        .unwrap();
    let operator = Operator::start();
    put_secret(&operator.store, "calvin");
    let user = operator.store.user();
    user.create(&machine(bmc.addr().port())).unwrap();
    user.create(&job(json!([{"powerAction": "off"}]))).unwrap();
    operator
        .until("j-task-0", |task: &Task| task.status.is_some())
        .await;
    let began = std::time::Instant::now();
    operator.stop().await;
    assert!(began.elapsed() < Duration::from_secs(2));
}
