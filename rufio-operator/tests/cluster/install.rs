//! Installing it: the manifest, the definitions, the samples.

use std::fs;
use std::time::{Duration, Instant};

use peers::{Bmc, IpmiSim};
use serde_json::{Value, json};

use rufio_operator::api::{Job, Machine};

use super::apiserver::{
    API_VERSION, Cluster, cluster, condition, connection, create, deploy, ended, job, machine,
    until,
};
use super::operator::Operator;

const LIMIT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_second_apply_changes_nothing() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    let answer = cluster.kubectl(&["apply", "-f", &deploy("manifest.yaml")]);
    assert!(!answer.is_empty());
    for line in answer.lines() {
        assert!(line.ends_with(" unchanged"), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn samples_pass_a_strict_server() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    cluster.namespace("sample").await;
    for entry in fs::read_dir(deploy("samples")).expect("shipped") {
        let file = entry.expect("readable").path().display().to_string();
        cluster.kubectl(&[
            "apply",
            "--dry-run=server",
            "--validate=strict",
            "-f",
            &file,
        ]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_refuses_what_rufio_refuses() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("refused").await;
    drop(client);
    let to_bmc = json!({"host": "h", "insecureTLS": true});
    let task = |spec: Value| json!({"apiVersion": API_VERSION, "kind": "Task", "metadata": {"name": "t", "namespace": "refused"}, "spec": spec});
    let two = json!({"task": {"powerAction": "on", "bootDevice": {}}, "connection": to_bmc});
    let boolean = json!({"task": {"powerAction": false}, "connection": to_bmc});
    let number = json!({"task": {"powerAction": "on"}, "connection": {"host": "h", "insecureTLS": true,
        "providerOptions": {"ipmitool": {"cipherSuite": 3}}}});
    let no_host =
        json!({"task": {"powerAction": "on"}, "connection": {"host": "", "insecureTLS": true}});
    for (spec, words) in [
        (two, "spec.task"),
        (boolean, "spec.task.powerAction"),
        (number, "cipherSuite"),
        (no_host, "spec.connection.host"),
    ] {
        let file = cluster.directory().join("refused.json");
        fs::write(&file, task(spec).to_string()).expect("writable");
        let output = cluster.try_kubectl(&["apply", "-f", &file.display().to_string()]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{words}");
        assert!(error.contains(words), "{words} in {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_tells_the_state_at_a_glance() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("columns").await;
    let operator = Operator::for_namespace(cluster.kubeconfig(), "columns");
    let to_bmc = connection(bmc.address(), "bm-auth", "columns");
    let _: Machine = create(&client, "columns", machine("m", &to_bmc)).await;
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(&client, "columns", job("j", "m", "columns", &on)).await;
    until::<Job>(&client, "columns", "j", LIMIT, ended).await;
    let is_on = |machine: &Value| machine["status"]["powerState"] == "on";
    until::<Machine>(&client, "columns", "m", LIMIT, is_on).await;
    let words = |kind: &str| {
        let kind = format!("{kind}.bmc.tinkerbell.org");
        let table = cluster.kubectl(&["get", &kind, "-n", "columns"]);
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        let lines: Vec<Vec<String>> = table.lines().map(words).collect();
        lines
    };
    let machines = words("machines");
    assert_eq!(
        machines[0],
        ["NAME", "HOST", "POWER", "CONTACTABLE", "REASON", "AGE"]
    );
    assert_eq!(
        machines[1][..4],
        ["m", &bmc.address().ip().to_string(), "on", "True"]
    );
    let jobs = words("jobs");
    assert_eq!(jobs[0], ["NAME", "MACHINE", "STATE", "AGE"]);
    assert_eq!(jobs[1][..3], ["j", "m", "Completed"]);
    let tasks = words("tasks");
    assert_eq!(tasks[0], ["NAME", "HOST", "STARTED", "STATE", "AGE"]);
    assert_eq!(tasks[1][..2], ["j-task-0", &bmc.address().ip().to_string()]);
    assert_eq!(tasks[1][3], "Completed");
    drop(operator);
}

/// The schema accepts an object without a spec: it must not keep the others from being served.
#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_says_nothing_harms_nobody() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("empty").await;
    for kind in ["Machine", "Job", "Task"] {
        cluster.apply(&format!(
            "apiVersion: {API_VERSION}\nkind: {kind}\nmetadata: {{name: empty, namespace: empty}}\n"
        ));
    }
    let operator = Operator::for_namespace(cluster.kubeconfig(), "empty");
    let to_bmc = connection(bmc.address(), "bm-auth", "empty");
    let _: Machine = create(&client, "empty", machine("m", &to_bmc)).await;
    let looked_at = |machine: &Value| condition(machine, "Contactable")["status"] == "True";
    until::<Machine>(&client, "empty", "m", LIMIT, looked_at).await;
    drop(operator);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_definitions_it_waits_and_says_what_to_do() {
    let Some(cluster) = cluster() else { return };
    let _alone = cluster.exclusive().await;
    cluster.kubectl(&["delete", "-f", &deploy("crds")]);
    let operator = Operator::start(cluster.kubeconfig(), &[]);
    await_advice(&operator).await;
    let (code, _) = operator.get("health", "/healthz").expect("served");
    assert_eq!(code, 200, "waiting is no reason to be killed");
    install(cluster);
    operator.await_ready();
    let (status, _) = operator.stop();
    assert!(status.success(), "{status}");

    cluster.kubectl(&["delete", "-f", &deploy("crds")]);
    let operator = Operator::start(cluster.kubeconfig(), &[]);
    await_advice(&operator).await;
    let (status, elapsed) = operator.stop();
    install(cluster);
    assert!(status.success(), "{status}");
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

async fn await_advice(operator: &Operator) {
    let began = Instant::now();
    loop {
        match operator.get("health", "/readyz") {
            Some((503, body)) if body.contains("rufio-operator crd | kubectl apply -f -") => return,
            answer => assert!(began.elapsed() < LIMIT, "{answer:?}: {}", operator.log()),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn install(cluster: &Cluster) {
    cluster.kubectl(&["apply", "-f", &deploy("crds")]);
    let wait = "--for=condition=Established";
    cluster.kubectl(&["wait", wait, "crd", "--all", "--timeout=30s"]);
}
