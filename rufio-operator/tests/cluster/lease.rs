//! Several replicas, and another Rufio.

use std::time::{Duration, Instant};

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::api::{Api, ObjectMeta, PostParams};
use peers::{Bmc, IpmiSim};
use serde_json::{Value, json};

use rufio_operator::api::{Job, Machine};

use super::apiserver::{
    Cluster, cluster, condition, connection, create, ended, holds, job, machine, until,
};
use super::operator::Operator;

const LIMIT: Duration = Duration::from_secs(40);

#[tokio::test(flavor = "multi_thread")]
async fn a_second_replica_stands_by_and_takes_over() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("replicas").await;
    let first = candidate(cluster, "replicas");
    first.await_ready();
    await_log(&first, "leading").await;
    let second = candidate(cluster, "replicas");
    // Standing by is being ready.
    second.await_ready();
    await_log(&second, "standing by: lease replicas/").await;
    let to_bmc = connection(bmc.address(), "bm-auth", "replicas");
    let _: Machine = create(&client, "replicas", machine("m", &to_bmc)).await;
    let tasks = json!([{"powerAction": "on"}, {"powerAction": "cycle"}]);
    let _: Job = create(&client, "replicas", job("one", "m", "replicas", &tasks)).await;
    let one = until::<Job>(&client, "replicas", "one", LIMIT, ended).await;
    assert!(holds(&one, "Completed"), "{one:#}");
    assert_eq!(bmc.commands(), ["power 1", "power 0", "power 1"]);

    // Asked to stop, the first lets the lease go: nobody waits for it to run out.
    let (status, _) = first.stop();
    assert!(status.success(), "{status}");
    let began = Instant::now();
    let _: Job = create(&client, "replicas", job("two", "m", "replicas", &tasks)).await;
    let two = until::<Job>(&client, "replicas", "two", LIMIT, ended).await;
    assert!(holds(&two, "Completed"), "{two:#}");
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(bmc.power_losses(), 2);
    let (status, _) = second.stop();
    assert!(status.success(), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_while_another_rufio_is_alive() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _alone = cluster.exclusive().await;
    cluster.namespace("tinkerbell").await;
    let client = cluster.namespace("rival").await;
    let leases: Api<Lease> = Api::namespaced(client.clone(), "tinkerbell");
    let name = "e74dec1a.bmc.tinkerbell.org";
    let lease = Lease {
        metadata: ObjectMeta {
            name: Some(name.to_owned()),
            ..ObjectMeta::default()
        },
        spec: Some(LeaseSpec {
            holder_identity: Some("tinkerbell-7c9".to_owned()),
            lease_duration_seconds: Some(5),
            ..LeaseSpec::default()
        }),
    };
    let made = leases.create(&PostParams::default(), &lease).await;
    made.expect("created");
    let operator = Operator::start(
        cluster.kubeconfig(),
        &["--leader-elect", "--leader-election-namespace=rival"],
    );
    operator.await_ready();
    await_log(&operator, "tinkerbell-7c9").await;
    let to_bmc = connection(bmc.address(), "bm-auth", "rival");
    let _: Machine = create(&client, "rival", machine("m", &to_bmc)).await;
    for renewal in 0..4 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut lease = leases.get(name).await.expect("readable");
        lease.spec.get_or_insert_default().lease_transitions = Some(renewal);
        let written = leases.replace(name, &PostParams::default(), &lease).await;
        written.expect("renewed");
    }
    let idle = Api::<Machine>::namespaced(client.clone(), "rival");
    let idle = serde_json::to_value(idle.get("m").await.expect("readable")).expect("JSON");
    assert!(condition(&idle, "Contactable").is_null(), "{idle:#}");
    // It died without letting go.
    let served = |machine: &Value| holds(machine, "Contactable");
    until::<Machine>(&client, "rival", "m", LIMIT, served).await;
    let deleted = leases
        .delete(name, &kube::api::DeleteParams::default())
        .await;
    let _ = deleted.expect("deleted");
}

fn candidate(cluster: &Cluster, namespace: &str) -> Operator {
    Operator::start(
        cluster.kubeconfig(),
        &[
            "--leader-elect",
            &format!("--leader-election-namespace={namespace}"),
            &format!("--kube-namespace={namespace}"),
        ],
    )
}

async fn await_log(operator: &Operator, words: &str) {
    let began = Instant::now();
    while !operator.log().contains(words) {
        assert!(began.elapsed() < LIMIT, "{words} in:\n{}", operator.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
