//! Both providers keep the contract of bmc-core, against simulated peers over TCP.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use bmc_core::testing::conformance;
use bmc_core::testing::memory::{Fault as MemoryFault, MemoryBmc, Step};
use bmc_core::{Bmc, BootDevice, BootOverride, Effect, ErrorKind, PowerAction, PowerState, Stage};
use bmc_rpc::home_assistant::HomeAssistantProvider;
use bmc_rpc::sim::{ConsumerSim, Fault, HomeAssistantSim};
use bmc_rpc::{Algorithm, Keys, RpcProvider, Scheme};

fn keys() -> Keys {
    Keys::new()
        .secret(Algorithm::Sha256, "secret")
        .secret(Algorithm::Sha512, "other")
}

#[tokio::test]
async fn a_webhook_conforms() {
    let consumer = ConsumerSim::builder().keys(keys()).spawn().await.unwrap();
    let provider = RpcProvider::builder(consumer.url(), "10.0.0.5")
        .keys(keys())
        .build()
        .unwrap();
    conformance::all(&provider).await;
    assert_eq!(consumer.refused(), 0);
    assert!(consumer.methods().contains(&"setVirtualMedia".to_owned()));
}

#[tokio::test]
async fn a_webhook_by_put_without_a_content_type_switches() {
    let consumer = ConsumerSim::builder()
        .keys(keys())
        .scheme(Scheme::rufio())
        .spawn()
        .await
        .unwrap();
    let provider = RpcProvider::builder(consumer.url(), "10.0.0.5")
        .keys(keys())
        .scheme(Scheme::rufio())
        .http_method("PUT")
        .http_content_type("")
        .build()
        .unwrap();
    conformance::power_converges(&provider).await;
    assert_eq!(consumer.refused(), 0);
}

#[tokio::test]
async fn home_assistant_conforms() {
    for delay in [Duration::ZERO, Duration::from_millis(40)] {
        let peer = HomeAssistantSim::spawn("switch.socket_1", "token")
            .await
            .unwrap();
        let provider = HomeAssistantProvider::builder(peer.url(), "switch.socket_1")
            .token("token")
            .operation_delay(delay)
            .build()
            .unwrap();
        conformance::all(&provider).await;
        assert!(peer.is_on());
    }
}

/// The answer to a cycle is lost: another way would do it again.
#[tokio::test]
async fn nothing_stands_in_for_a_webhook_that_may_have_acted() {
    let consumer = ConsumerSim::builder().keys(keys()).spawn().await.unwrap();
    let spare = MemoryBmc::new();
    spare.set_power_state(PowerState::On);
    let hook = RpcProvider::builder(consumer.url(), "vm").keys(keys());
    let bmc = Bmc::builder()
        .provider(hook.build().unwrap())
        .provider(spare.provider("ipmi"))
        .build();
    for fault in [
        Fault::HangupBefore,
        Fault::HangupAfter,
        Fault::WrongId(7),
        Fault::Answer(page()),
    ] {
        consumer.fault_of("setPowerState", fault);
        let failed = bmc.set_power(PowerAction::Cycle).await.unwrap_err();
        assert_eq!(failed.effect, Effect::Unknown, "{failed}");
        let spared = failed.report.attempts.last().unwrap();
        let error = spared.error.as_ref().unwrap();
        assert_eq!(
            (spared.provider, error.kind()),
            ("ipmi", ErrorKind::NotTried)
        );
    }
    assert_eq!(spare.counters().cycle, 0);
    let sent = consumer
        .methods()
        .into_iter()
        .filter(|it| it == "setPowerState");
    assert_eq!(sent.count(), 4, "each once");
    // An error that the consumer reports promises that nothing was done.
    consumer.fault_of("setPowerState", Fault::Failure(1, "not mine".into()));
    let done = bmc.set_power(PowerAction::Cycle).await.unwrap();
    assert_eq!(done.report.winner(), Some("ipmi"));
}

fn page() -> http::Response<bytes::Bytes> {
    http::Response::new("<html>log in, please</html>".into())
}

/// The fallback over protocols, with a first one that is blocked: the webhook does it, and the report says so.
#[tokio::test]
async fn a_webhook_stands_in_for_a_blocked_protocol() {
    let consumer = ConsumerSim::builder().keys(keys()).spawn().await.unwrap();
    let blocked = MemoryBmc::new().provider("ipmi");
    blocked.always(Step::Login, MemoryFault::Unreachable);
    let bmc = Bmc::builder()
        .provider(blocked)
        .provider(
            RpcProvider::builder(consumer.url(), "vm")
                .keys(keys())
                .build()
                .unwrap(),
        )
        .build();
    let done = bmc
        .set_boot_override(BootOverride::once(BootDevice::Pxe))
        .await
        .unwrap();
    assert_eq!(done.report.winner(), Some("rpc"));
    let tried: Vec<_> = done
        .report
        .attempts
        .iter()
        .map(|a| (a.provider, a.stage, a.error.is_some()))
        .collect();
    assert_eq!(
        tried,
        [
            ("ipmi", Stage::Open, true),
            ("rpc", Stage::Open, false),
            ("rpc", Stage::Operate, false)
        ]
    );
    bmc.set_power(PowerAction::On).await.unwrap();
    bmc.set_power(PowerAction::Cycle).await.unwrap();
    assert_eq!(consumer.machine("vm").power_actions, ["on", "cycle"]);
    assert_eq!(
        consumer.machine("vm").boot,
        Some(("pxe".into(), false, false))
    );
    // One ping for one kept session.
    assert_eq!(
        consumer.methods(),
        ["ping", "setBootDevice", "setPowerState", "setPowerState"]
    );
}
