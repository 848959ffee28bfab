//! Home Assistant: what its fields do.

use std::time::Duration;

use bmc_rpc::sim::HomeAssistantSim;
use rufio_operator::api::{Job, Machine};
use serde_json::json;
use tokio::time::Instant;

use super::lab::{conditions, contactable, ended, key};
use super::{
    condition, connection, consumer, home_assistant, job, machine, operator, put_hook, put_secret,
    rpc,
};

const ENTITY: &str = "switch.rack_7";

#[tokio::test]
async fn a_socket_that_needs_long_holds_up_nobody_else() {
    let slow = HomeAssistantSim::spawn(ENTITY, "t0ken").await.unwrap();
    let quick = HomeAssistantSim::spawn("switch.rack_8", "t0ken")
        .await
        .unwrap();
    let consumer = consumer().spawn().await.unwrap();
    let operator = operator();
    put_hook(&operator.store);
    put_secret(&operator.store, "token", &[("password", "t0ken")]);
    let user = operator.store.user();
    let delay = Duration::from_secs(2);
    for (name, connection) in [
        ("slow", connection(&slow.url(), &home_assistant(ENTITY, 2))),
        (
            "quick",
            connection(&quick.url(), &home_assistant("switch.rack_8", 0)),
        ),
        ("vm", connection("vm-1", &rpc(&consumer.url()))),
    ] {
        user.create(&machine(name, &connection)).unwrap();
    }
    let netboot = json!([
        {"powerAction": "on"},
        {"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"]}},
        {"powerAction": "on"},
    ]);
    let began = Instant::now();
    for name in ["slow", "quick", "vm"] {
        user.create(&job(&format!("on-{name}"), name, &netboot))
            .unwrap();
    }
    for name in ["quick", "vm"] {
        let done = operator.until(&format!("on-{name}"), ended).await;
        assert_eq!(conditions(&done)[1].0, "Completed", "{done:?}");
        let slow: Job = user.get(&key("on-slow")).unwrap();
        assert!(!ended(&slow), "{name} waited for another socket");
    }
    let done: Job = operator.until("on-slow", ended).await;
    assert_eq!(conditions(&done)[1].0, "Completed", "{done:?}");
    // On, off and on again, and each needs its time.
    assert!(began.elapsed() >= 3 * delay, "{:?}", began.elapsed());
    assert!(slow.is_on() && quick.is_on() && consumer.is_on("vm-1"));
    let posts = slow
        .requests()
        .into_iter()
        .filter(|it| it.starts_with("POST"));
    assert_eq!(
        posts.collect::<Vec<_>>(),
        ["turn_on", "turn_off", "turn_on"].map(|it| format!("POST /api/services/switch/{it}")),
        "nothing is switched twice, and a boot device is no request"
    );
    operator.stop().await;
}

#[tokio::test]
async fn the_token_is_the_password_of_the_secret() {
    let page = HomeAssistantSim::spawn(ENTITY, "t0ken").await.unwrap();
    let operator = operator();
    let user = operator.store.user();
    let to_socket = connection(&page.url(), &home_assistant(ENTITY, 0));
    user.create(&machine("m", &to_socket)).unwrap();
    let looked = |machine: &Machine| contactable(machine).is_some();
    let seen = operator.until("m", looked).await;
    assert!(condition(&seen).0.contains("secret lab/token not found"));
    put_secret(&operator.store, "token", &[("password", "wrong")]);
    let refused = |machine: &Machine| condition(machine).1.as_deref() == Some("AuthFailed");
    operator.until("m", refused).await;
    put_secret(&operator.store, "token", &[("password", "t0ken")]);
    let healed = |machine: &Machine| contactable(machine) == Some("True");
    operator.until("m", healed).await;
    operator.stop().await;
}

#[tokio::test]
async fn what_a_socket_cannot_do_fails_and_says_so() {
    let page = HomeAssistantSim::spawn(ENTITY, "t0ken").await.unwrap();
    let operator = operator();
    put_secret(&operator.store, "token", &[("password", "t0ken")]);
    let user = operator.store.user();
    let to_socket = connection(&page.url(), &home_assistant(ENTITY, 0));
    user.create(&machine("m", &to_socket)).unwrap();
    for action in ["on", "cycle", "reset", "soft"] {
        let name = format!("j-{action}");
        user.create(&job(&name, "m", &json!([{"powerAction": action}])))
            .unwrap();
        let done = operator.until(&name, ended).await;
        let (type_, message) = conditions(&done).pop().unwrap();
        if action == "on" {
            assert_eq!(type_, "Completed", "{message}");
        } else {
            assert!(
                message.contains("is not possible with a switch"),
                "{message}"
            );
        }
    }
    assert!(page.is_on());
    operator.stop().await;
}
