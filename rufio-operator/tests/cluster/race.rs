//! tink-controller deletes each Job that it has just made, with its Tasks, and makes it again under the same name.

use std::time::Duration;

use kube::api::{Api, DeleteParams, ListParams};
use peers::{Bmc, IpmiSim};
use serde_json::json;

use rufio_operator::api::{Job, Machine, Task};

use super::apiserver::{cluster, connection, create, delete, ended, holds, job, machine, until};
use super::operator::Operator;

/// Milliseconds between the making of the first Job and its deletion.
const OFFSETS: [u64; 16] = [
    0, 2, 4, 7, 10, 14, 18, 24, 30, 40, 50, 65, 80, 110, 150, 200,
];

#[tokio::test(flavor = "multi_thread")]
async fn a_job_made_again_acts_once_and_completes() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("race").await;
    let _operator = Operator::for_namespace(cluster.kubeconfig(), "race");
    let to_bmc = connection(bmc.address(), "bm-auth", "race");
    let _: Machine = create(&client, "race", machine("m", &to_bmc)).await;
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(&client, "race", job("on", "m", "race", &on)).await;
    let limit = Duration::from_secs(30);
    until::<Job>(&client, "race", "on", limit, ended).await;

    let cycle = json!([{"powerAction": "cycle"}]);
    for offset in OFFSETS {
        let before = bmc.power_losses();
        let _: Job = create(&client, "race", job("j", "m", "race", &cycle)).await;
        tokio::time::sleep(Duration::from_millis(offset)).await;
        let tasks = Api::<Task>::namespaced(client.clone(), "race");
        let at_once = DeleteParams::background().grace_period(0);
        let of_job = ListParams::default().labels("owner-name=j");
        tasks
            .delete_collection(&at_once, &of_job)
            .await
            .expect("deleted");
        delete::<Job>(&client, "race", "j").await;
        let again: Job = create(&client, "race", job("j", "m", "race", &cycle)).await;
        let uid = again.metadata.uid.expect("stored");
        let job = until::<Job>(&client, "race", "j", limit, ended).await;
        assert!(holds(&job, "Completed"), "after {offset} ms: {job:#}");
        let task = until::<Task>(&client, "race", "j-task-0", limit, ended).await;
        assert_eq!(
            task["metadata"]["ownerReferences"][0]["uid"], uid,
            "{task:#}"
        );
        let cycles = bmc.power_losses() - before;
        assert!(
            (1..=2).contains(&cycles),
            "after {offset} ms: {cycles} cycles of two Jobs"
        );
        delete::<Task>(&client, "race", "j-task-0").await;
        delete::<Job>(&client, "race", "j").await;
    }
}
