//! What a webhook is asked for a Job, and under which ids.

use std::time::Duration;

use bmc_core::ActionId;
use bmc_rpc::sim::{ConsumerSim, Fault};
use bmc_rpc::{Algorithm, Keys};
use rufio_operator::api::{Job, Machine, PowerState, Task};
use rufio_operator::store::Kind;
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::lab::{Operator, conditions, contactable, ended, key};
use super::{
    condition, connection, job, lab, machine, operator, put_secret, quiet, task, task_ended,
};

/// The ids of all calls that change something, in order.
fn ids(consumer: &ConsumerSim) -> Vec<i64> {
    let requests = consumer.requests().into_iter().map(|(request, _)| request);
    requests
        .filter(|request| request.call.changes())
        .map(|request| request.id)
        .collect()
}

fn id_of(task: &Task) -> i64 {
    i64::try_from(ActionId::from_uid(task.uid()).get()).unwrap()
}

#[tokio::test]
async fn an_image_is_mounted_and_booted() {
    let (consumer, operator, to_vm) = lab().await;
    let user = operator.store.user();
    user.create(&machine("vm", &to_vm)).unwrap();
    // As tink-controller makes it.
    let tasks = json!([
        {"powerAction": "off"},
        {"virtualMediaAction": {"kind": "CD", "mediaURL": ""}},
        {"virtualMediaAction": {"kind": "CD", "mediaURL": "http://10.0.0.1/hook.iso"}},
        {"oneTimeBootDeviceAction": {"device": ["cdrom"], "efiBoot": true}},
        {"powerAction": "on"},
    ]);
    user.create(&job("iso-mount-wf", "vm", &tasks)).unwrap();
    let mounted = operator.until("iso-mount-wf", ended).await;
    assert_eq!(conditions(&mounted)[1], ("Completed".into(), String::new()));
    let vm = consumer.machine("vm-1");
    assert!(vm.on);
    assert_eq!(vm.boot, Some(("cdrom".into(), false, true)));
    assert_eq!(vm.media["CD"], "http://10.0.0.1/hook.iso");
    let message = |index: usize| {
        let task: Task = user
            .get(&key(&format!("iso-mount-wf-task-{index}")))
            .unwrap();
        task.status.unwrap().conditions[0].message.clone()
    };
    assert_eq!(message(2), "accepted, not observed");

    let eject = json!([{"virtualMediaAction": {"kind": "cd"}}]);
    user.create(&job("iso-eject-wf", "vm", &eject)).unwrap();
    let ejected = operator.until("iso-eject-wf", ended).await;
    assert_eq!(conditions(&ejected)[1].0, "Completed");
    assert!(consumer.machine("vm-1").media.is_empty());
    let changing = consumer.methods();
    let changing: Vec<_> = changing.iter().filter(|it| it.starts_with("set")).collect();
    assert_eq!(
        changing,
        [
            "setVirtualMedia",
            "setVirtualMedia",
            "setBootDevice",
            "setPowerState",
            "setVirtualMedia"
        ],
        "the machine was off already"
    );
    operator.stop().await;
}

#[tokio::test]
async fn an_image_needs_a_provider_that_can() {
    let operator = operator();
    let user = operator.store.user();
    let switch = json!({"homeassistant": {"switchEntityID": "switch.a"}});
    let to_socket = connection("http://127.0.0.1:9", &switch);
    user.create(&machine("socket", &to_socket)).unwrap();
    let tasks = json!([{"powerAction": "off"}, {"virtualMediaAction": {"kind": "CD"}}]);
    user.create(&job("j", "socket", &tasks)).unwrap();
    let failed = operator.until("j", ended).await;
    let (_, message) = conditions(&failed).pop().unwrap();
    assert!(
        message.starts_with("spec.tasks[1]: failed to perform SetVirtualMedia: no provider")
            && message.contains("homeassistant has no virtual media"),
        "{message}"
    );
    assert!(user.list::<Task>().is_empty(), "nothing was switched off");
    operator.stop().await;
}

#[tokio::test]
async fn every_action_has_the_id_of_its_task() {
    let (consumer, operator, to_vm) = lab().await;
    let user = operator.store.user();
    user.create(&machine("vm", &to_vm)).unwrap();
    let tasks = json!([
        {"powerAction": "on"},
        {"powerAction": "reset"},
        {"bootDevice": {"device": "disk", "persistent": true}},
        {"powerAction": "soft"},
    ]);
    for name in ["first", "second"] {
        user.create(&job(name, "vm", &tasks)).unwrap();
        let done: Job = operator.until(name, ended).await;
        assert_eq!(conditions(&done)[1].0, "Completed", "{done:?}");
    }
    let expected: Vec<i64> = ["first", "second"]
        .iter()
        .flat_map(|job| (0..4).map(move |index| format!("{job}-task-{index}")))
        .map(|name| id_of(&user.get(&key(&name)).unwrap()))
        .collect();
    assert_eq!(ids(&consumer), expected);
    operator.stop().await;
}

/// The connection breaks before the consumer acts, or after: the repeat has the same id, and is dropped if it is one.
#[tokio::test]
async fn a_task_that_is_tried_again_keeps_its_id() {
    for fault in [Fault::HangupBefore, Fault::HangupAfter] {
        let (consumer, operator, to_vm) = lab().await;
        consumer.fault_of("setBootDevice", fault);
        let user = operator.store.user();
        let pxe = json!({"oneTimeBootDeviceAction": {"device": ["pxe"]}});
        user.create(&task("t", &to_vm, &pxe)).unwrap();
        let ended: Task = operator.until("t", task_ended).await;
        let condition = &ended.status.as_ref().unwrap().conditions[0];
        assert_eq!(condition.type_, "Completed", "{ended:?}");
        assert_eq!(ids(&consumer), [id_of(&ended); 2]);
        operator.stop().await;
    }
}

/// The answer to a cycle is lost: nobody knows, and nothing is sent again.
#[tokio::test]
async fn a_cycle_without_an_answer_is_not_repeated() {
    let (consumer, operator, to_vm) = lab().await;
    let user = operator.store.user();
    user.create(&task("on", &to_vm, &json!({"powerAction": "on"})))
        .unwrap();
    let _: Task = operator.until("on", task_ended).await;
    consumer.fault_of("setPowerState", Fault::HangupBefore);
    user.create(&task("t", &to_vm, &json!({"powerAction": "cycle"})))
        .unwrap();
    let failed: Task = operator.until("t", task_ended).await;
    let condition = &failed.status.as_ref().unwrap().conditions[0];
    assert_eq!(condition.type_, "Failed");
    assert!(
        condition.message.contains("not repeated") && condition.message.contains("broke off"),
        "{condition:?}"
    );
    let sent = ids(&consumer)
        .into_iter()
        .filter(|id| *id == id_of(&failed));
    assert_eq!(sent.count(), 1);
    operator.stop().await;
}

#[tokio::test]
async fn an_operator_that_takes_over_sends_the_same_id() {
    let (consumer, first, to_vm) = lab().await;
    // It is done, and the operator dies before it hears of it.
    consumer.fault_of("setBootDevice", Fault::Silence);
    let pxe = json!({"oneTimeBootDeviceAction": {"device": ["pxe"]}});
    first.store.user().create(&task("t", &to_vm, &pxe)).unwrap();
    timeout(Duration::from_secs(20), async {
        while ids(&consumer).is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
    let store = first.kill().await;
    let second = Operator::on(store, quiet());
    let ended: Task = second.until("t", task_ended).await;
    let condition = &ended.status.as_ref().unwrap().conditions[0];
    assert_eq!(condition.type_, "Completed", "{ended:?}");
    assert_eq!(ids(&consumer), [id_of(&ended); 2]);
    second.stop().await;
}

/// A consumer whose secret was changed first refuses; the Secret that follows heals it, without a restart.
#[tokio::test]
async fn secrets_are_rotated() {
    let (consumer, operator, to_vm) = lab().await;
    let user = operator.store.user();
    user.create(&machine("vm", &to_vm)).unwrap();
    let is = |state: &'static str| move |machine: &Machine| contactable(machine) == Some(state);
    operator.until("vm", is("True")).await;

    let new = Keys::new().secret(Algorithm::Sha256, "new");
    consumer.accept(new).unwrap();
    user.annotate::<Machine>(&key("vm"), "poke", "1").unwrap();
    let refused = operator.until("vm", is("False")).await;
    let (message, reason) = condition(&refused);
    assert!(message.contains("no signature is right"), "{message}");
    assert_eq!(reason.as_deref(), Some("AuthFailed"));
    assert_eq!(
        refused.status.unwrap().power_state,
        Some(PowerState::Unknown)
    );

    let began = Instant::now();
    put_secret(&operator.store, "hook", &[("secret", "new")]);
    operator.until("vm", is("True")).await;
    assert!(began.elapsed() < Duration::from_secs(10));
    operator.stop().await;
}
