//! Power failures of the operator around an action that must not be done twice.

use std::time::Duration;

use serde_json::{Value, json};

use rufio_operator::api::{Job, Machine};

use super::apiserver::{cluster, condition, connection, create, ended, holds, job, machine, until};
use super::bmc::IpmiSim;
use super::operator::Operator;

#[tokio::test(flavor = "multi_thread")]
async fn a_cycle_is_sent_at_most_once_whenever_the_operator_dies() {
    let (Some(cluster), Some(bmc)) = (cluster(), IpmiSim::start()) else {
        return;
    };
    let _among_others = cluster.shared().await;
    let client = cluster.namespace("crash").await;
    let to_bmc = connection(bmc.port, "bm-auth", "crash");
    let _: Machine = create(&client, "crash", machine("m", &to_bmc)).await;
    let limit = Duration::from_secs(30);
    let mut operator = Operator::for_namespace(&cluster.kubeconfig, "crash");
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(&client, "crash", job("on", "m", "crash", &on)).await;
    until::<Job>(&client, "crash", "on", limit, ended).await;

    let (mut completed, mut unknown) = (0, 0);
    let cycle = json!([{"powerAction": "cycle"}]);
    for round in 0..20_u64 {
        let before = bmc.power_losses();
        let name = format!("cycle-{round}");
        let _: Job = create(&client, "crash", job(&name, "m", "crash", &cycle)).await;
        tokio::time::sleep(Duration::from_millis(round * 3)).await;
        operator.kill();
        operator = Operator::for_namespace(&cluster.kubeconfig, "crash");
        let job = until::<Job>(&client, "crash", &name, limit, ended).await;
        let cycles = bmc.power_losses() - before;
        if holds(&job, "Completed") {
            assert_eq!(cycles, 1, "round {round}: {job:#}");
            completed += 1;
        } else {
            assert!(cycles <= 1, "round {round}: {cycles} cycles: {job:#}");
            assert_told(&job, round);
            unknown += 1;
        }
    }
    assert_eq!(completed + unknown, 20);
    assert!(completed > 0, "some must get through");
}

/// A Job that cannot know says so and what to do about it.
fn assert_told(job: &Value, round: u64) {
    let message = condition(job, "Failed")["message"].to_string();
    assert!(message.contains("not repeated"), "round {round}: {message}");
}
