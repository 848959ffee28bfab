//! With a webhook nothing else is tried.

use bmc_core::Credentials;
use bmc_ipmi::sim::Sim;
use rufio_operator::api::{Machine, PowerState};
use rufio_operator::run::local::manifest::{Manifests, Source};
use tokio::net::TcpListener;

use super::lab::{contactable, key};
use super::relay::Relay;
use super::{condition, operator, put_secret};

const SAMPLE: &str = include_str!("../../deploy/samples/machine-all-providers.yaml");

/// Options of every provider at once, a dead webhook, and a BMC that would answer by IPMI.
#[tokio::test]
async fn a_dead_webhook_leaves_ipmi_alone() {
    let bmc = Sim::builder()
        .credentials(Credentials::new("root", "calvin"))
        .spawn()
        .await
        .unwrap();
    let relay = Relay::start(bmc.addr()).await;
    // A port that was free a moment ago.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let dead = listener.local_addr().unwrap();
    drop(listener);

    let operator = operator();
    for secret in ["secret1", "secret2"] {
        put_secret(&operator.store, secret, &[("secret", secret)]);
    }
    put_secret(
        &operator.store,
        "bm-auth",
        &[("username", "root"), ("password", "calvin")],
    );
    let source = Source {
        name: "machine-all-providers.yaml".into(),
        text: SAMPLE.replace("namespace: sample", "namespace: lab"),
    };
    let mut machine = Manifests::parse(&[source]).unwrap().machines.remove(0);
    let connection = &mut machine.spec.connection;
    "127.0.0.1".clone_into(&mut connection.host);
    let options = connection.provider_options.as_mut().unwrap();
    options.ipmitool.as_mut().unwrap().port = Some(i32::from(relay.port));
    options.rpc.as_mut().unwrap().consumer_url = format!("https://{dead}/rpc");
    let user = operator.store.user();
    user.create(&machine).unwrap();

    let name = "machine-all-providers";
    let seen = operator
        .until(name, |machine: &Machine| contactable(machine).is_some())
        .await;
    assert_eq!(contactable(&seen), Some("False"));
    assert_eq!(
        seen.status.as_ref().unwrap().power_state,
        Some(PowerState::Unknown)
    );
    let (message, reason) = condition(&seen);
    assert!(
        message.starts_with("failed to open connection to BMC: rpc: ") && !message.contains("ipmi"),
        "{message}"
    );
    assert_eq!(reason.as_deref(), Some("Unreachable"));
    assert_eq!(relay.seen(), 0);

    // Without the webhook the very same options lead to the BMC.
    user.delete::<Machine>(&key(name)).unwrap();
    machine
        .spec
        .connection
        .provider_options
        .as_mut()
        .unwrap()
        .rpc = None;
    user.create(&machine).unwrap();
    let healed = operator
        .until(name, |machine: &Machine| {
            contactable(machine) == Some("True")
        })
        .await;
    assert_eq!(healed.status.unwrap().power_state, Some(PowerState::Off));
    assert!(relay.seen() > 0);
    operator.stop().await;
}
