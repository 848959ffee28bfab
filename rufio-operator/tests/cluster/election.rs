//! A leader that dies, and one that has to make way.

use std::time::{Duration, Instant};

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use kube::Client;
use kube::api::{Api, PostParams};
use tokio::time::sleep;

use super::apiserver::cluster;
use super::operator::Operator;

const NAMESPACE: &str = "rufio-election";
const UPSTREAM: &str = "e74dec1a.bmc.tinkerbell.org";

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_leader_is_replaced_and_a_live_one_makes_way_for_another_rufio() {
    let Some(cluster) = cluster() else { return };
    // The other tests must not meet the other Rufio.
    let _alone = cluster.exclusive().await;
    let client = cluster.namespace(NAMESPACE).await;
    let start = || {
        let operator = Operator::start(
            cluster.kubeconfig(),
            &[
                "--leader-elect",
                "--leader-election-namespace=rufio-election",
                "--kube-namespace=rufio-election",
                "--leader-election-lease-duration=3s",
                "--leader-election-renew-deadline=2s",
                "--leader-election-retry-period=500ms",
            ],
        );
        operator.await_ready();
        operator
    };
    let first = start();
    await_leader(&first).await;

    let second = start();
    let ours = "ok: standing by: lease rufio-election/e74dec1a.tinkerbell.org is held by rufio-operator/rufio-election/";
    await_readyz(&second, ours).await;
    first.kill();
    let taken_over = await_leader(&second).await;
    assert!(taken_over < Duration::from_secs(8), "{taken_over:?}");

    let upstream = tokio::spawn(renew(client));
    assert!(!second.ended().success());
    let third = start();
    let whose = "ok: standing by: another Rufio is active: lease rufio-election/e74dec1a.bmc.tinkerbell.org is held by upstream";
    await_readyz(&third, whose).await;
    assert!(!leads(&third));
    upstream.abort();
    await_leader(&third).await;
}

/// The Rufio inside the tinkerbell program, as others see it.
async fn renew(client: Client) {
    let leases = Api::<Lease>::namespaced(client, NAMESPACE);
    let spec = || LeaseSpec {
        holder_identity: Some("upstream".to_owned()),
        lease_duration_seconds: Some(3),
        renew_time: Some(MicroTime(Timestamp::now())),
        ..LeaseSpec::default()
    };
    let new = Lease {
        metadata: ObjectMeta {
            name: Some(UPSTREAM.to_owned()),
            ..ObjectMeta::default()
        },
        spec: Some(spec()),
    };
    let params = PostParams::default();
    let mut lease = leases.create(&params, &new).await.expect("created");
    loop {
        sleep(Duration::from_millis(500)).await;
        lease.spec = Some(spec());
        lease = leases
            .replace(UPSTREAM, &params, &lease)
            .await
            .expect("replaced");
    }
}

fn leads(operator: &Operator) -> bool {
    let metrics = operator.get("metrics", "/metrics");
    metrics.is_some_and(|(_, text)| text.contains("\nrufio_leader 1\n"))
}

async fn await_leader(operator: &Operator) -> Duration {
    let began = Instant::now();
    while !leads(operator) {
        assert!(began.elapsed() < Duration::from_secs(30), "nobody leads");
        sleep(Duration::from_millis(20)).await;
    }
    began.elapsed()
}

async fn await_readyz(operator: &Operator, wanted: &str) {
    let began = Instant::now();
    loop {
        let (code, body) = operator.get("health", "/readyz").expect("answered");
        assert_eq!(code, 200);
        if body.starts_with(wanted) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{body}");
        sleep(Duration::from_millis(20)).await;
    }
}
