//! What a user does first, in the order of the guide, with exactly the rights of the manifest.

use std::fs;
use std::time::Duration;

use peers::{Bmc, IpmiSim};
use serde_json::{Value, json};

use rufio_operator::api::{Job, Machine, Task};

use super::apiserver::{
    API_VERSION, Cluster, cluster, connection, create, deploy, ended, holds, job, machine, until,
};
use super::golden::assert_golden;
use super::operator::Operator;
use super::rights::account;

const LIMIT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn walk_through() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _alone = cluster.exclusive().await;
    walk(cluster, &bmc, "walk-through").await;
}

/// Tinkerbell's definitions may overwrite ours at any time: what they prune must not matter.
#[tokio::test(flavor = "multi_thread")]
async fn walk_through_with_the_definitions_of_rufio() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _alone = cluster.exclusive().await;
    let facts = fs::read_to_string(peers::file("rufio-operator/tests/data/rufio-crds.json"))
        .expect("readable");
    let facts: Value = serde_json::from_str(&facts).expect("JSON");
    let list = json!({"apiVersion": "v1", "kind": "List",
        "items": facts.as_object().expect("by kind").values().collect::<Vec<_>>()});
    let file = cluster.directory().join("rufio-crds.json");
    fs::write(&file, list.to_string()).expect("writable");
    cluster.kubectl(&["replace", "-f", &file.display().to_string()]);
    walk(cluster, &bmc, "walk-through-pruned").await;
    for kind in ["machines", "jobs", "tasks"] {
        let ours = deploy(&format!("crds/bmc.tinkerbell.org_{kind}.yaml"));
        cluster.kubectl(&["replace", "-f", &ours]);
    }
}

async fn walk(cluster: &Cluster, bmc: &IpmiSim, golden: &str) {
    let kubeconfig = account(cluster, "rufio-system");
    let operator = Operator::start(
        &kubeconfig,
        &["--leader-elect", "--leader-election-namespace=rufio-system"],
    );
    operator.await_ready();

    // A Machine is contactable soon, and says so as the guide prints it.
    let client = cluster.namespace("sample").await;
    let to_bmc = connection(bmc.address(), "bm-auth", "sample");
    let _: Machine = create(&client, "sample", machine("machine-sample", &to_bmc)).await;
    cluster.kubectl(&[
        "wait",
        "--for=condition=Contactable",
        "--timeout=30s",
        "machines.bmc.tinkerbell.org",
        "--all",
        "--namespace=sample",
    ]);
    let status = cluster.kubectl(&[
        "get",
        "machines.bmc.tinkerbell.org",
        "--namespace=sample",
        "-o=jsonpath={.items[0].status}",
    ]);
    let status: Value = serde_json::from_str(&status).expect("JSON");
    assert_eq!(status["powerState"], "off");
    assert_eq!(status["conditions"][0]["type"], "Contactable");
    assert_eq!(status["conditions"][0]["status"], "True");
    assert!(status["conditions"][0]["lastUpdateTime"].is_string());

    // A Task by itself.
    let task = json!({"apiVersion": API_VERSION, "kind": "Task", "metadata": {"name": "task-sample"},
        "spec": {"task": {"powerAction": "on"}, "connection": to_bmc}});
    let _: Task = create(&client, "sample", task).await;
    let task = until::<Task>(&client, "sample", "task-sample", LIMIT, ended).await;
    assert!(holds(&task, "Completed"), "{task:#}");
    assert_eq!(bmc.commands(), ["power 1"]);

    // The Job of the guide, and the one of the workflow engine.
    let netboot = json!([{"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"], "efiBoot": false}}, {"powerAction": "on"}]);
    let _: Job = create(
        &client,
        "sample",
        job("job-sample", "machine-sample", "sample", &netboot),
    )
    .await;
    let first = until::<Job>(&client, "sample", "job-sample", LIMIT, ended).await;
    let mut workflow = job("netboot-wf", "machine-sample", "sample", &netboot);
    workflow["metadata"] = json!({"name": "netboot-wf",
        "labels": {"tink-controller-auto-created": "true"},
        "annotations": {"tink-controller-auto-created": "true"},
        "ownerReferences": [{"apiVersion": "tinkerbell.org/v1alpha1", "kind": "Workflow", "name": "wf",
            "uid": "0f0f0f0f-0000-4000-8000-000000000002", "controller": true}]});
    let _: Job = create(&client, "sample", workflow).await;
    let second = until::<Job>(&client, "sample", "netboot-wf", LIMIT, ended).await;
    let steps = ["power 0", "boot pxe", "power 1"];
    assert_eq!(
        bmc.commands(),
        [&["power 1"], &steps[..], &steps[..]].concat(),
        "the BMC's own log"
    );

    // The Machine's power follows without waiting for the next poll.
    let on = |machine: &Value| machine["status"]["powerState"] == "on";
    let machine = until::<Machine>(&client, "sample", "machine-sample", LIMIT, on).await;
    let mut objects = vec![machine, task, first, second];
    for owner in ["job-sample", "netboot-wf"] {
        for index in 0..3 {
            let name = format!("{owner}-task-{index}");
            objects.push(until::<Task>(&client, "sample", &name, LIMIT, ended).await);
        }
    }
    assert_in_order(&objects[4..7]);
    assert_golden(golden, &objects, bmc.address());

    let names = [
        "get",
        "tasks.bmc.tinkerbell.org",
        "-n",
        "sample",
        "-l",
        "owner-name=job-sample",
        "-o",
        "name",
    ];
    assert_eq!(
        cluster.kubectl(&names).lines().collect::<Vec<_>>(),
        [0, 1, 2].map(|it| format!("task.bmc.tinkerbell.org/job-sample-task-{it}"))
    );
    for kind in ["Job", "Task"] {
        cluster.assert_events_on(kind, "sample");
    }
    let (code, metrics) = operator.get("metrics", "/metrics").expect("served");
    assert_eq!(code, 200);
    for line in [
        "rufio_leader 1",
        "rufio_machines{power=\"on\",contactable=\"True\"} ",
        "rufio_bmc_attempts_total{provider=\"ipmi\"",
        "rufio_reconciles_total{kind=\"Task\"",
    ] {
        assert!(metrics.contains(line), "{line} in:\n{metrics}");
    }

    let log = operator.log();
    assert!(
        !log.to_lowercase().contains("forbidden"),
        "missing rights:\n{log}"
    );
    assert!(!log.contains("ERROR"), "{log}");
    let (status, elapsed) = operator.stop();
    assert!(status.success(), "{status}: {log}");
    assert!(
        elapsed < Duration::from_secs(5),
        "stopping took {elapsed:?}"
    );
    let holder = cluster.kubectl(&[
        "get",
        "lease",
        "e74dec1a.tinkerbell.org",
        "-n",
        "rufio-system",
        "-o=jsonpath={.spec.holderIdentity}",
    ]);
    assert_eq!(holder, "", "the lease is released");
}

/// Each Task begins after its predecessor has completed.
fn assert_in_order(tasks: &[Value]) {
    for pair in tasks.windows(2) {
        let done = pair[0]["status"]["completionTime"]
            .as_str()
            .expect("completed");
        let made = pair[1]["metadata"]["creationTimestamp"]
            .as_str()
            .expect("created");
        assert!(done <= made, "{done} after {made}");
    }
}
