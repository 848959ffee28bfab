//! What goes wrong in the field, and how the objects tell it.

use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use peers::{Bmc, IpmiSim};
use serde_json::{Value, json};

use rufio_operator::api::{Job, Machine};

use super::apiserver::{cluster, condition, connection, create, ended, holds, job, machine, until};
use super::golden::assert_golden;
use super::operator::Operator;

const LIMIT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_named_and_fails_the_job() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("wrong-password").await;
    cluster.apply(
        "apiVersion: v1\nkind: Secret\nmetadata: {name: wrong, namespace: wrong-password}\n\
         type: Opaque\nstringData: {username: ipmiusr, password: guess}\n",
    );
    let operator = Operator::for_namespace(cluster.kubeconfig(), "wrong-password");
    let to_bmc = connection(bmc.address(), "wrong", "wrong-password");
    let _: Machine = create(&client, "wrong-password", machine("m", &to_bmc)).await;
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(
        &client,
        "wrong-password",
        job("j", "m", "wrong-password", &on),
    )
    .await;
    let job = until::<Job>(&client, "wrong-password", "j", LIMIT, ended).await;
    let machine = until::<Machine>(&client, "wrong-password", "m", LIMIT, looked_at).await;
    assert_eq!(bmc.commands(), Vec::<String>::new());
    assert_golden("wrong-password", &[machine, job], bmc.address());

    for kind in ["Machine", "Job", "Task"] {
        cluster.assert_events_on(kind, "wrong-password");
    }

    // The right password heals it without a restart.
    cluster.apply(
        "apiVersion: v1\nkind: Secret\nmetadata: {name: wrong, namespace: wrong-password}\n\
         type: Opaque\nstringData: {username: ipmiusr, password: test}\n",
    );
    let healed = |machine: &Value| holds(machine, "Contactable");
    until::<Machine>(
        &client,
        "wrong-password",
        "m",
        Duration::from_secs(10),
        healed,
    )
    .await;
    drop(operator);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_bmc_is_told_and_given_up_at_the_deadline() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("unreachable").await;
    let operator = Operator::start(
        cluster.kubeconfig(),
        &["--kube-namespace=unreachable", "--task-timeout=3s"],
    );
    operator.await_ready();
    let nobody = free_address();
    let to_nothing = connection(nobody, "bm-auth", "unreachable");
    let _: Machine = create(&client, "unreachable", machine("m", &to_nothing)).await;
    let machine = until::<Machine>(&client, "unreachable", "m", LIMIT, looked_at).await;
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(&client, "unreachable", job("j", "m", "unreachable", &on)).await;
    let job = until::<Job>(&client, "unreachable", "j", LIMIT, ended).await;
    assert_golden("unreachable", &[machine, job], nobody);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_waited_for() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("missing").await;
    let operator = Operator::for_namespace(cluster.kubeconfig(), "missing");
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(&client, "missing", job("j", "m", "missing", &on)).await;
    let to_bmc = connection(bmc.address(), "late", "missing");
    let _: Machine = create(&client, "missing", machine("m", &to_bmc)).await;
    let waiting = until::<Machine>(&client, "missing", "m", LIMIT, looked_at).await;
    let message = condition(&waiting, "Contactable")["message"].to_string();
    assert!(message.contains("missing/late"), "{message}");
    cluster.apply(
        "apiVersion: v1\nkind: Secret\nmetadata: {name: late, namespace: missing}\n\
         type: Opaque\nstringData: {username: ipmiusr, password: test}\n",
    );
    let soon = Duration::from_secs(5);
    let healed = |machine: &Value| holds(machine, "Contactable");
    until::<Machine>(&client, "missing", "m", soon, healed).await;
    let job = until::<Job>(&client, "missing", "j", soon, ended).await;
    assert!(holds(&job, "Completed"), "{job:#}");
    assert_eq!(bmc.commands(), ["power 1"]);
    drop(operator);
}

fn looked_at(machine: &Value) -> bool {
    !condition(machine, "Contactable").is_null()
}

/// A UDP address that nobody listens at.
fn free_address() -> SocketAddr {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).expect("loopback");
    socket.local_addr().expect("bound")
}
