//! The same action again: sent by us, or by somebody who has listened.

use bmc_core::http::HttpOptions;
use bmc_core::{ActionId, Bmc, Effect, ForAction, PowerAction, SetPower};
use bmc_rpc::sim::Fault;
use bytes::Bytes;

use super::{consumer, session, soon};

/// The answer to a cycle is lost, the caller insists: the consumer knows the action and does nothing twice.
#[tokio::test]
async fn an_action_that_is_sent_again_is_done_once() {
    let (consumer, builder) = consumer().await;
    let bmc = Bmc::builder().provider(builder.build().unwrap()).build();
    let cycle = ForAction {
        id: ActionId::from_uid("a task"),
        operation: SetPower(PowerAction::Cycle),
    };
    bmc.power_state().await.unwrap();
    consumer.fault(Fault::HangupAfter);
    let failed = bmc.run(cycle).await.unwrap_err();
    assert_eq!(failed.effect, Effect::Unknown);
    bmc.run(cycle).await.unwrap();
    assert_eq!(consumer.machine("10.0.0.5").power_actions, ["cycle"]);
    let ids = consumer
        .requests()
        .into_iter()
        .filter(|(r, _)| r.call.changes())
        .map(|(r, _)| r.id);
    let id = i64::try_from(ActionId::from_uid("a task").get()).unwrap();
    assert_eq!(ids.collect::<Vec<_>>(), [id, id]);

    // Without an action each request is one of its own.
    bmc.set_power(PowerAction::Cycle).await.unwrap();
    bmc.set_power(PowerAction::Cycle).await.unwrap();
    assert_eq!(consumer.machine("10.0.0.5").power_actions.len(), 3);
}

/// Somebody sends the very same bytes again: the signature is right, and nothing is done.
#[tokio::test]
async fn a_replayed_request_is_not_carried_out_again() {
    let (consumer, session) = session().await;
    let power = session.power().unwrap();
    power.set_power(PowerAction::Cycle).await.unwrap();
    let (request, headers) = consumer.requests().pop().unwrap();
    let mut replay = http::Request::post(consumer.url());
    *replay.headers_mut().unwrap() = headers;
    let replay = replay.body(Bytes::from(serde_json::to_vec(&request).unwrap()));
    let replay = replay.unwrap();
    let attacker = HttpOptions::new().build().unwrap();
    let answer = attacker.send(replay.clone(), soon()).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(
        consumer.requests().pop().unwrap().0,
        request,
        "it was accepted"
    );
    assert_eq!(consumer.machine("10.0.0.5").power_actions, ["cycle"]);
    // Another machine or action has another signature.
    let mut other = replay;
    *other.body_mut() = Bytes::from(
        String::from_utf8(other.body().to_vec())
            .unwrap()
            .replace("cycle", "reset"),
    );
    let answer = attacker.send(other, soon()).await.unwrap();
    assert_eq!(answer.status(), 401);
    assert_eq!(consumer.machine("10.0.0.5").power_actions, ["cycle"]);
}
