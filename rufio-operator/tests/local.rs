//! The program in local mode against simulated BMCs: the guide's walk-through, and what goes wrong.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::io::Write;
use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bmc_core::{ActionId, Credentials};
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::NetFn;
use bmc_rpc::sim::{ConsumerSim, HomeAssistantSim};
use bmc_rpc::{Algorithm, Keys, Scheme};
use serde_json::Value;

/// The samples are what the walk-through of the guide uses.
const SECRET: &str = include_str!("../deploy/samples/secret.yaml");
const MACHINE: &str = concat!("---\n", include_str!("../deploy/samples/machine.yaml"));
const NETBOOT: &str = concat!("---\n", include_str!("../deploy/samples/job.yaml"));
const TASK: &str = concat!("---\n", include_str!("../deploy/samples/task.yaml"));

#[tokio::test(flavor = "multi_thread")]
async fn the_walk_through_completes() {
    let bmc = simulator().await;
    let manifest = [SECRET, &machine("machine-sample", port(&bmc)), NETBOOT].concat();
    let run = local(&manifest, &["-o", "json"]);
    assert_eq!(run.code, 0, "{}", run.error);

    let objects = run.objects();
    let machine = &objects["Machine/machine-sample"];
    assert_eq!(machine["status"]["powerState"], "on");
    assert_eq!(machine["status"]["conditions"][0]["type"], "Contactable");
    assert_eq!(machine["status"]["conditions"][0]["status"], "True");
    let job = &objects["Job/job-sample"];
    let types: Vec<&Value> = conditions(job).iter().map(|it| &it["type"]).collect();
    assert_eq!(types, ["Running", "Completed"]);
    for index in 0..3 {
        let task = &objects[&format!("Task/job-sample-task-{index}")];
        assert_eq!(task["metadata"]["labels"]["owner-name"], "job-sample");
        assert_eq!(conditions(task)[0]["type"], "Completed", "{task:#}");
    }
    assert!(bmc.power());
    assert!(
        bmc.boots().iter().any(|boot| boot.flags.is_some()),
        "it has booted from the network"
    );
    assert_logged_out(&bmc).await;
    for words in [
        "job sample/job-sample: completed",
        "1 Machine (1 contactable), 1 Job",
    ] {
        assert!(run.error.contains(words), "{words} in:\n{}", run.error);
    }
    assert!(!run.error.contains("root"), "{}", run.error);

    let alone = local(&[SECRET, &task(port(&bmc))].concat(), &["-o", "json"]);
    assert_eq!(alone.code, 0, "{}", alone.error);
    assert_eq!(
        conditions(&alone.objects()["Task/task-sample"])[0]["type"],
        "Completed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_boots_a_machine_from_the_network() {
    let consumer = consumer().await;
    let machine = webhook(&consumer, "");
    let run = local(&[&machine, NETBOOT].concat(), &["-o", "json"]);
    assert_eq!(run.code, 0, "{}", run.error);
    let objects = run.objects();
    let machine = &objects["Machine/machine-sample"];
    assert_eq!(conditions(machine)[0]["status"], "True", "{machine:#}");
    assert_eq!(
        conditions(&objects["Job/job-sample"])[1]["type"],
        "Completed"
    );
    assert_eq!(consumer.refused(), 0);
    let vm = consumer.machine("vm-1");
    assert!(vm.on);
    assert_eq!(vm.power_actions.last().map(String::as_str), Some("on"));
    let booted = consumer.methods().contains(&"setBootDevice".to_owned());
    assert!(booted, "{:?}", consumer.methods());
    // The id of an action is its Task's.
    let uid = objects["Task/job-sample-task-1"]["metadata"]["uid"].as_str();
    let id = ActionId::from_uid(uid.expect("a uid")).get();
    let sent = consumer.requests().into_iter().map(|(request, _)| request);
    let ids: Vec<_> = sent
        .filter(|request| request.call.method() == "setBootDevice")
        .map(|request| request.id.to_string())
        .collect();
    assert_eq!(ids, [id.to_string()]);
    assert!(!run.error.contains("hook="), "{}", run.error);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_can_be_kept_out_of_the_log() {
    let consumer = consumer().await;
    let log = |options: &str| {
        let manifest = [&webhook(&consumer, options), NETBOOT].concat();
        let run = local(&manifest, &["-o", "none", "--log-level=debug"]);
        assert_eq!(run.code, 0, "{}", run.error);
        run.error
    };
    let told = log("");
    assert!(told.contains("webhook called"), "{told}");
    let silent = log("logNotificationsDisabled: true");
    assert!(!silent.contains("webhook called"), "{silent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_of_webhooks_keep_to_the_scope() {
    let consumer = consumer().await;
    let manifest = webhook(&consumer, "");
    let run = local(&manifest, &["-o", "json", "--secret-scope=same-namespace"]);
    let condition = conditions(&run.objects()["Machine/machine-sample"])[0].clone();
    assert_eq!(condition["status"], "False");
    assert_eq!(
        condition["message"],
        "spec.connection.providerOptions.rpc.hmac.secrets: keys is not allowed: --secret-scope is same-namespace, which is sample"
    );
    assert_eq!(consumer.requests().len() + consumer.refused(), 0);

    // Without a namespace it is the Machine's.
    let near = manifest
        .replace(", namespace: keys", ", namespace: sample")
        .replace("{name: hook, namespace: sample}]}}", "{name: hook}]}}");
    let run = local(&near, &["-o", "json", "--secret-scope=same-namespace"]);
    let machine = &run.objects()["Machine/machine-sample"];
    assert_eq!(conditions(machine)[0]["status"], "True", "{machine:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn home_assistant_boots_a_machine_from_the_network() {
    let page = HomeAssistantSim::spawn("switch.socket_1", "root")
        .await
        .expect("loopback");
    let machine = format!(
        "
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Machine
metadata: {{name: machine-sample, namespace: sample}}
spec:
  connection:
    host: {}
    authSecretRef: {{name: bm-auth, namespace: sample}}
    insecureTLS: true
    providerOptions:
      homeassistant: {{switchEntityID: switch.socket_1}}
",
        page.url()
    );
    let manifest = [SECRET, &machine, NETBOOT].concat();
    let run = local(&manifest, &["-o", "json"]);
    assert_eq!(run.code, 0, "{}", run.error);
    let objects = run.objects();
    assert_eq!(
        objects["Machine/machine-sample"]["status"]["powerState"],
        "on"
    );
    assert_eq!(
        conditions(&objects["Job/job-sample"])[1]["type"],
        "Completed"
    );
    assert!(page.is_on());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_fails_the_job_and_names_the_cause() {
    let bmc = simulator().await;
    bmc.set_password("root", "another");
    let manifest = [SECRET, &machine("machine-sample", port(&bmc)), NETBOOT].concat();
    let run = local(&manifest, &["-o", "json"]);
    assert_eq!(run.code, 1, "{}", run.error);
    let objects = run.objects();
    let contactable = &conditions(&objects["Machine/machine-sample"])[0];
    assert_eq!(contactable["status"], "False");
    let failed = conditions(&objects["Job/job-sample"])[1].clone();
    assert_eq!(failed["type"], "Failed");
    let message = failed["message"].as_str().expect("a message");
    assert!(
        message.starts_with("task sample/job-sample-task-0 failed"),
        "{message}"
    );
    assert!(message.to_lowercase().contains("password"), "{message}");
    assert!(!objects.contains_key("Task/job-sample-task-1"));
    assert!(run.error.contains("1 failed"), "{}", run.error);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_listening_is_found_out_at_once() {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let port = socket.local_addr().expect("bound").port();
    drop(socket);
    let began = Instant::now();
    let run = local(&[SECRET, &machine("m", port)].concat(), &["-o", "json"]);
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    // A Machine that is not contactable is a finding, not a failure.
    assert_eq!(run.code, 0, "{}", run.error);
    let objects = run.objects();
    let machine = &objects["Machine/m"];
    assert_eq!(machine["status"]["powerState"], "unknown");
    assert_eq!(conditions(machine)[0]["status"], "False");
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_ends_at_the_time_out() {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let port = socket.local_addr().expect("bound").port();
    let manifest = [SECRET, &task(port)].concat();
    let run = local(&manifest, &["-o", "none", "--timeout=1500ms"]);
    assert_eq!(run.code, 1, "{}", run.error);
    assert_eq!(run.out, "");
    for words in ["given up", "1 not ended", "task sample/task-sample"] {
        assert!(run.error.contains(words), "{words} in:\n{}", run.error);
    }
    let run = local(&manifest, &["-o", "json", "--task-timeout=1500ms"]);
    assert_eq!(run.code, 1, "{}", run.error);
    let objects = run.objects();
    assert_eq!(
        conditions(&objects["Task/task-sample"])[0]["type"],
        "Failed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_without_its_machine_is_told_at_the_end() {
    let run = local(NETBOOT, &["-o", "json", "--timeout=1s"]);
    assert_eq!(run.code, 1, "{}", run.error);
    assert!(run.error.contains("sample/machine-sample"), "{}", run.error);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_printed_list_is_a_manifest_again() {
    let bmc = simulator().await;
    let manifest = [
        SECRET,
        &machine("machine-sample", port(&bmc)),
        &task(port(&bmc)),
    ]
    .concat();
    let first = local(&manifest, &[]);
    assert_eq!(first.code, 0, "{}", first.error);
    assert!(first.out.starts_with("apiVersion: v1\n"), "{}", first.out);
    assert!(!first.out.contains("managedFields"));
    assert!(!first.out.contains("kind: Secret"));
    let again = local(&[SECRET, "---\n", &first.out].concat(), &["-o", "none"]);
    assert_eq!(again.code, 0, "{}", again.error);
    assert!(again.error.contains("status: ignored"), "{}", again.error);
}

#[tokio::test(flavor = "multi_thread")]
async fn watching_goes_on_until_interrupted() {
    let bmc = simulator().await;
    let mut process = program(&["--watch", "--power-check-interval=200ms", "-o", "json"])
        .spawn()
        .expect("the program runs");
    let mut stdin = process.stdin.take().expect("piped");
    stdin
        .write_all([SECRET, &machine("m", port(&bmc))].concat().as_bytes())
        .expect("written");
    drop(stdin);
    let began = Instant::now();
    let get_status = |bmc: &SimHandle| {
        let log = bmc.log();
        log.iter()
            .filter(|it| it.command == 0x01 && it.netfn == NetFn::CHASSIS)
            .count()
    };
    while get_status(&bmc) < 3 {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{} polls",
            get_status(&bmc)
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let pid = process.id().to_string();
    Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .expect("kill runs");
    let output = process.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Contactable"));
    assert_logged_out(&bmc).await;
}

struct Run {
    code: i32,
    out: String,
    error: String,
}

impl Run {
    /// The printed objects by kind and name.
    fn objects(&self) -> std::collections::BTreeMap<String, Value> {
        let list: Value = serde_json::from_str(&self.out).expect("JSON");
        assert_eq!(list["kind"], "List");
        let items = list["items"].as_array().expect("items");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        items
            .iter()
            .map(|it| {
                (
                    format!("{}/{}", text(&it["kind"]), text(&it["metadata"]["name"])),
                    it.clone(),
                )
            })
            .collect()
    }
}

fn local(manifest: &str, arguments: &[&str]) -> Run {
    let mut process = program(arguments).spawn().expect("the program runs");
    let mut stdin = process.stdin.take().expect("piped");
    stdin.write_all(manifest.as_bytes()).expect("written");
    drop(stdin);
    let output = process.wait_with_output().expect("ended");
    Run {
        code: output.status.code().expect("no signal"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        error: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rufio-operator"));
    command
        .args(["local", "-f", "-"])
        .args(arguments)
        // It runs no other program: there is none to be found.
        .env("PATH", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

async fn consumer() -> ConsumerSim {
    let keys = Keys::new().secret(Algorithm::Sha256, "hook");
    let builder = ConsumerSim::builder().keys(keys).scheme(Scheme::rufio());
    builder.spawn().await.expect("loopback")
}

/// A Machine that the consumer switches, and the Secret that it signs with, in a namespace of its own.
fn webhook(consumer: &ConsumerSim, options: &str) -> String {
    format!(
        "
---
apiVersion: v1
kind: Secret
metadata: {{name: hook, namespace: keys}}
data: {{secret: aG9vaw==}}
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Machine
metadata: {{name: machine-sample, namespace: sample}}
spec:
  connection:
    host: vm-1
    insecureTLS: true
    providerOptions:
      rpc:
        consumerURL: {}
        hmac: {{secrets: {{sha256: [{{name: hook, namespace: keys}}]}}}}
        {options}
",
        consumer.url()
    )
}

async fn simulator() -> SimHandle {
    let builder = Sim::builder().credentials(Credentials::new("root", "root"));
    builder.spawn().await.expect("loopback")
}

fn port(bmc: &SimHandle) -> u16 {
    bmc.addr().port()
}

fn conditions(object: &Value) -> &[Value] {
    object["status"]["conditions"]
        .as_array()
        .map_or(&[], Vec::as_slice)
}

fn machine(name: &str, port: u16) -> String {
    here(MACHINE, port).replace("machine-sample", name)
}

fn task(port: u16) -> String {
    here(TASK, port)
}

/// A sample whose BMC listens on this port of this machine.
fn here(sample: &str, port: u16) -> String {
    sample
        .replace("192.0.2.10", "127.0.0.1")
        .replace("port: 623", &format!("port: {port}"))
}

/// The logout is not waited for by whoever sends it.
async fn assert_logged_out(bmc: &SimHandle) {
    let began = Instant::now();
    while bmc.active_sessions() > 0 {
        assert!(began.elapsed() < Duration::from_secs(5), "not logged out");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
