//! Machines without a BMC: switched by webhook, and by Home Assistant.

use std::fs;
use std::time::Duration;

use bmc_core::{ActionId, Credentials};
use bmc_ipmi::sim::Sim;
use bmc_rpc::sim::{ConsumerSim, HomeAssistantSim};
use bmc_rpc::{Algorithm, Keys, Scheme};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use rufio_operator::api::{Job, Machine, Task};

use super::apiserver::{
    Cluster, cluster, condition, create, delete, deploy, ended, holds, job, machine, until,
};
use super::operator::Operator;
use super::relay::Relay;
use super::rights::account;

const LIMIT: Duration = Duration::from_secs(30);

fn keys(secret: &str) -> Keys {
    Keys::new()
        .secret(Algorithm::Sha256, secret)
        .secret(Algorithm::Sha512, secret)
}

async fn consumer() -> ConsumerSim {
    let builder = ConsumerSim::builder()
        .keys(keys("old"))
        .scheme(Scheme::rufio());
    builder.spawn().await.expect("loopback")
}

fn put_secret(cluster: &Cluster, namespace: &str, name: &str, data: &Value) {
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "stringData": data,
        "metadata": {"name": name, "namespace": namespace}});
    cluster.apply(&secret.to_string());
}

/// To the consumer, signed with the Secret `hook`.
fn webhook(consumer: &ConsumerSim, hook: &Value) -> Value {
    json!({"host": "vm-1", "insecureTLS": true, "providerOptions": {"rpc": {
        "consumerURL": consumer.url(), "hmac": {"secrets": {"sha256": [hook], "sha512": [hook]}}}}})
}

fn netboot() -> Value {
    json!([{"powerAction": "off"},
        {"oneTimeBootDeviceAction": {"device": ["pxe"], "efiBoot": true}}, {"powerAction": "on"}])
}

fn is(state: &'static str) -> impl Fn(&Value) -> bool {
    move |machine| condition(machine, "Contactable")["status"] == state
}

/// With the rights of the manifest for one namespace, and Secrets of that namespace only.
#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_machine_netboots_before_and_after_its_secret_is_changed() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    let namespace = "webhook";
    let client = cluster.namespace(namespace).await;
    let manifest = fs::read_to_string(deploy("manifest-namespaced.yaml")).expect("readable");
    cluster.apply(&manifest.replace("rufio-system", namespace));
    let operator = Operator::start(
        &account(cluster, namespace),
        &["--kube-namespace=webhook", "--secret-scope=same-namespace"],
    );
    operator.await_ready();
    let consumer = consumer().await;
    put_secret(cluster, namespace, "hook", &json!({"secret": "old"}));
    let to_vm = webhook(&consumer, &json!({"name": "hook"}));
    let _: Machine = create(&client, namespace, machine("vm", &to_vm)).await;
    until::<Machine>(&client, namespace, "vm", LIMIT, is("True")).await;
    let _: Job = create(
        &client,
        namespace,
        job("first", "vm", namespace, &netboot()),
    )
    .await;
    let first = until::<Job>(&client, namespace, "first", LIMIT, ended).await;
    assert!(holds(&first, "Completed"), "{first:#}");

    // The consumer's secret is changed before the operator's: that shows, and heals without a restart.
    consumer.accept(keys("new")).expect("keys");
    let poke = [
        "annotate",
        "machines.bmc.tinkerbell.org",
        "vm",
        "poke=1",
        "-n",
        namespace,
    ];
    cluster.kubectl(&poke);
    let refused = until::<Machine>(&client, namespace, "vm", LIMIT, is("False")).await;
    assert_eq!(condition(&refused, "Contactable")["reason"], "AuthFailed");
    put_secret(cluster, namespace, "hook", &json!({"secret": "new"}));
    until::<Machine>(
        &client,
        namespace,
        "vm",
        Duration::from_secs(10),
        is("True"),
    )
    .await;
    let _: Job = create(
        &client,
        namespace,
        job("second", "vm", namespace, &netboot()),
    )
    .await;
    let second = until::<Job>(&client, namespace, "second", LIMIT, ended).await;
    assert!(holds(&second, "Completed"), "{second:#}");

    let vm = consumer.machine("vm-1");
    assert_eq!(vm.power_actions, ["on", "off", "on"], "it was off at first");
    assert_eq!(vm.boot, Some(("pxe".into(), false, true)));
    let task = until::<Task>(&client, namespace, "first-task-1", LIMIT, ended).await;
    let uid = task["metadata"]["uid"].as_str().expect("a uid");
    let id = i64::try_from(ActionId::from_uid(uid).get()).expect("53 bits");
    let mut requests = consumer.requests().into_iter();
    let (_, headers) = requests
        .find(|(request, _)| request.id == id && request.call.method() == "setBootDevice")
        .expect("the Task's id");
    for header in ["timestamp", "signature-256", "signature-512"] {
        assert!(
            headers.contains_key(format!("x-rufio-{header}")),
            "{headers:?}"
        );
    }

    // A Secret elsewhere is not read.
    let refused = consumer.refused();
    put_secret(
        cluster,
        "default",
        "hook-elsewhere",
        &json!({"secret": "new"}),
    );
    let elsewhere = json!({"name": "hook-elsewhere", "namespace": "default"});
    let mut far = webhook(&consumer, &elsewhere);
    far["host"] = "vm-2".into();
    let _: Machine = create(&client, namespace, machine("far", &far)).await;
    let far = until::<Machine>(&client, namespace, "far", LIMIT, is("False")).await;
    let contactable = condition(&far, "Contactable");
    assert_eq!(contactable["reason"], "InvalidSpec");
    assert_eq!(
        contactable["message"],
        "spec.connection.providerOptions.rpc.hmac.secrets: default is not allowed: --secret-scope is same-namespace, which is webhook"
    );
    assert_eq!(consumer.refused(), refused);
    assert!(
        consumer
            .requests()
            .iter()
            .all(|(request, _)| request.host == "vm-1")
    );
    let log = operator.log();
    for secret in ["sha256=", "\"old\"", "\"new\""] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_switch_of_home_assistant_netboots() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    let namespace = "home-assistant";
    let client = cluster.namespace(namespace).await;
    let operator = Operator::for_namespace(cluster.kubeconfig(), namespace);
    let page = HomeAssistantSim::spawn("switch.rack_7", "t0ken").await;
    let page = page.expect("loopback");
    put_secret(
        cluster,
        namespace,
        "token",
        &json!({"username": "unused", "password": "t0ken"}),
    );
    let to_socket = json!({"host": page.url(), "insecureTLS": true, "authSecretRef": {"name": "token", "namespace": namespace},
        "providerOptions": {"homeassistant": {"switchEntityID": "switch.rack_7", "powerOperationDelaySeconds": 1}}});
    let _: Machine = create(&client, namespace, machine("socket", &to_socket)).await;
    let _: Job = create(
        &client,
        namespace,
        job("j", "socket", namespace, &netboot()),
    )
    .await;
    let job = until::<Job>(&client, namespace, "j", LIMIT, ended).await;
    assert!(holds(&job, "Completed"), "{job:#}");
    assert!(page.is_on());
    let on = |machine: &Value| machine["status"]["powerState"] == "on";
    until::<Machine>(&client, namespace, "socket", LIMIT, on).await;
    assert!(!operator.log().contains("t0ken"));
}

/// Options of every provider at once, a dead webhook, and a BMC that would answer by IPMI.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_webhook_leaves_ipmi_alone() {
    let Some(cluster) = cluster() else { return };
    let _among_others = cluster.shared().await;
    let namespace = "all-providers";
    let client = cluster.namespace(namespace).await;
    let _operator = Operator::for_namespace(cluster.kubeconfig(), namespace);
    let bmc = Sim::builder()
        .credentials(Credentials::new("ipmiusr", "test"))
        .spawn()
        .await
        .expect("loopback");
    let relay = Relay::start(bmc.addr()).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
    let dead = listener.local_addr().expect("bound");
    drop(listener);
    let sample = fs::read_to_string(deploy("samples/machine-all-providers.yaml"));
    let sample = sample
        .expect("readable")
        .replace("namespace: sample", "namespace: all-providers")
        .replace("host: 192.0.2.10", "host: 127.0.0.1")
        .replace("port: 623", &format!("port: {}", relay.port))
        .replace("https://192.0.2.20/rpc", &format!("https://{dead}/rpc"));
    cluster.apply(&sample);
    let name = "machine-all-providers";
    let seen = until::<Machine>(&client, namespace, name, LIMIT, is("False")).await;
    assert_eq!(seen["status"]["powerState"], "unknown");
    let on = json!([{"powerAction": "on"}]);
    let _: Job = create(&client, namespace, job("j", name, namespace, &on)).await;
    let began = |job: &Value| holds(job, "Running");
    until::<Job>(&client, namespace, "j", LIMIT, began).await;
    let tried = |task: &Value| !task.is_null();
    until::<Task>(&client, namespace, "j-task-0", LIMIT, tried).await;
    let events = || {
        let selector = "--field-selector=regarding.kind=Task";
        cluster.kubectl(&["get", "events.v1.events.k8s.io", "-n", namespace, selector])
    };
    let told = tokio::time::timeout(LIMIT, async {
        while !events().contains("rpc: ") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    told.await.expect("the Task has been tried");
    assert_eq!(relay.seen(), 0, "no packet to the BMC");
    assert!(!bmc.power());

    // Without the webhook the very same options lead to the BMC.
    delete::<Job>(&client, namespace, "j").await;
    delete::<Task>(&client, namespace, "j-task-0").await;
    let without = [
        "patch",
        "machines.bmc.tinkerbell.org",
        name,
        "-n",
        namespace,
        "--type=json",
        r#"-p=[{"op": "remove", "path": "/spec/connection/providerOptions/rpc"}]"#,
    ];
    cluster.kubectl(&without);
    until::<Machine>(&client, namespace, name, LIMIT, is("True")).await;
    assert!(relay.seen() > 0);
}
