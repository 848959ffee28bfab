//! Power failures of the operator around an action that must not be done twice.

use std::net::SocketAddr;
use std::time::Duration;

use bmc_core::Credentials;
use bmc_ipmi::sim::Sim;
use kube::Client;
use peers::{Bmc, IpmiSim};
use serde_json::{Value, json};

use rufio_operator::api::{Job, Machine};

use super::apiserver::{
    Cluster, cluster, condition, connection, create, ended, holds, job, machine, until,
};
use super::operator::Operator;

const ROUNDS: u32 = 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_cycle_is_sent_at_most_once_whenever_the_operator_dies() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("crash").await;
    let step = Duration::from_millis(3);
    crashes(cluster, &client, "crash", bmc.address(), step, || {
        bmc.power_losses()
    })
    .await;
}

/// Replies that take their time make the window wide in which nobody knows what the BMC has done.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_with_a_slow_bmc() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("crash-slow").await;
    let bmc = Sim::builder()
        .credentials(Credentials::new("ipmiusr", "test"))
        .power_delay(Duration::from_millis(200))
        .spawn()
        .await
        .expect("loopback");
    bmc.faults(|faults| faults.delay = Duration::from_millis(40));
    let step = Duration::from_millis(30);
    crashes(cluster, &client, "crash-slow", bmc.addr(), step, || {
        usize::try_from(bmc.cycles()).expect("few")
    })
    .await;
}

/// Kills the operator at `step`, twice `step`, ... after the making of a Job, and counts what the BMC did.
async fn crashes(
    cluster: &Cluster,
    client: &Client,
    namespace: &str,
    bmc: SocketAddr,
    step: Duration,
    cycles: impl Fn() -> usize,
) {
    let to_bmc = connection(bmc, "bm-auth", namespace);
    let _: Machine = create(client, namespace, machine("m", &to_bmc)).await;
    let limit = Duration::from_secs(30);
    let mut operator = Operator::for_namespace(cluster.kubeconfig(), namespace);
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(client, namespace, job("on", "m", namespace, &on)).await;
    until::<Job>(client, namespace, "on", limit, ended).await;

    let mut completed = 0;
    let cycle = json!([{"powerAction": "cycle"}]);
    for round in 0..ROUNDS {
        let before = cycles();
        let name = format!("cycle-{round}");
        let _: Job = create(client, namespace, job(&name, "m", namespace, &cycle)).await;
        tokio::time::sleep(step * round).await;
        operator.kill();
        operator = Operator::for_namespace(cluster.kubeconfig(), namespace);
        let job = until::<Job>(client, namespace, &name, limit, ended).await;
        let done = cycles() - before;
        if holds(&job, "Completed") {
            assert_eq!(done, 1, "round {round}: {job:#}");
            completed += 1;
        } else {
            assert!(done <= 1, "round {round}: {done} cycles: {job:#}");
            assert_told(&job, round);
        }
    }
    assert!(completed > 0, "some must get through");
}

/// A Job that cannot know says so and what to do about it.
fn assert_told(job: &Value, round: u32) {
    let message = condition(job, "Failed")["message"].to_string();
    assert!(message.contains("not repeated"), "round {round}: {message}");
}
