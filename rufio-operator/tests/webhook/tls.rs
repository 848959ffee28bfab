//! `insecureTLS`: Rufio never looks at it.

use bmc_rpc::sim::{HomeAssistantSim, TlsFront};
use rufio_operator::api::Machine;

use super::lab::contactable;
use super::{
    condition, connection, consumer, home_assistant, machine, operator, put_hook, put_secret, rpc,
};

#[tokio::test]
async fn an_unknown_certificate_is_accepted_only_if_asked_for() {
    let consumer = consumer().spawn().await.unwrap();
    let page = HomeAssistantSim::spawn("switch.a", "t0ken").await.unwrap();
    let hook = TlsFront::spawn(consumer.addr()).await.unwrap();
    let home = TlsFront::spawn(page.addr()).await.unwrap();
    let operator = operator();
    put_hook(&operator.store);
    put_secret(&operator.store, "token", &[("password", "t0ken")]);
    let user = operator.store.user();
    let looked = |machine: &Machine| contactable(machine).is_some();
    for (kind, mut connection) in [
        ("rpc", connection("vm-1", &rpc(&hook.url()))),
        (
            "homeassistant",
            connection(&home.url(), &home_assistant("switch.a", 0)),
        ),
    ] {
        connection["insecureTLS"] = false.into();
        let verifying = format!("{kind}-verifying");
        user.create(&machine(&verifying, &connection)).unwrap();
        let refused = operator.until(&verifying, looked).await;
        assert_eq!(contactable(&refused), Some("False"), "{kind}");
        let (message, reason) = condition(&refused);
        assert_eq!(reason.as_deref(), Some("TLSFailed"), "{message}");
        assert!(
            message.contains("peer is not trusted") && message.contains("certificate"),
            "{message}"
        );
        assert_eq!(
            consumer.requests().len() + page.requests().len(),
            0,
            "{kind}"
        );
    }
    for (kind, connection) in [
        ("rpc", connection("vm-1", &rpc(&hook.url()))),
        (
            "homeassistant",
            connection(&home.url(), &home_assistant("switch.a", 0)),
        ),
    ] {
        let trusting = format!("{kind}-trusting");
        user.create(&machine(&trusting, &connection)).unwrap();
        let seen = operator.until(&trusting, looked).await;
        assert_eq!(contactable(&seen), Some("True"), "{kind}: {seen:?}");
    }
    assert!(!consumer.requests().is_empty() && !page.requests().is_empty());
    operator.stop().await;
}
