//! The operator as its ServiceAccount, with the rights of the manifest and no others.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use peers::{Bmc, IpmiSim};
use serde_json::{Value, json};

use rufio_operator::api::{Job, Machine};

use super::apiserver::{
    Cluster, cluster, connection, create, deploy, ended, holds, job, machine, until,
};
use super::operator::Operator;

#[tokio::test(flavor = "multi_thread")]
async fn rights_of_one_namespace_suffice() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("rufio-alone").await;
    let manifest = fs::read_to_string(deploy("manifest-namespaced.yaml")).expect("readable");
    cluster.apply(&manifest.replace("rufio-system", "rufio-alone"));
    let operator = Operator::start(
        &account(cluster, "rufio-alone"),
        &[
            "--leader-elect",
            "--leader-election-namespace=rufio-alone",
            "--kube-namespace=rufio-alone",
        ],
    );
    operator.await_ready();
    let to_bmc = connection(bmc.address(), "bm-auth", "rufio-alone");
    let _: Machine = create(&client, "rufio-alone", machine("m", &to_bmc)).await;
    let tasks = json!([{"powerAction": "on"}, {"powerAction": "status"}]);
    let _: Job = create(&client, "rufio-alone", job("j", "m", "rufio-alone", &tasks)).await;
    let limit = Duration::from_secs(30);
    let job = until::<Job>(&client, "rufio-alone", "j", limit, ended).await;
    assert!(holds(&job, "Completed"), "{job:#}");
    let log = operator.log();
    assert!(!log.contains("ERROR"), "{log}");
}

/// A kubeconfig of the ServiceAccount of the manifest.
pub fn account(cluster: &Cluster, namespace: &str) -> PathBuf {
    let token = cluster.kubectl(&[
        "create",
        "token",
        "rufio-controller-manager",
        &format!("--namespace={namespace}"),
    ]);
    let text = fs::read_to_string(cluster.kubeconfig()).expect("readable");
    let mut kubeconfig: Value = serde_saphyr::from_str(&text).expect("YAML");
    kubeconfig["users"][0]["user"] = json!({"token": token.trim()});
    let file = cluster.directory().join(format!("account-{namespace}"));
    fs::write(&file, kubeconfig.to_string()).expect("writable");
    file
}
