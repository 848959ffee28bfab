use super::*;

fn parse(text: &str) -> Result<Manifests, Vec<String>> {
    let source = Source {
        name: "m.yaml".to_owned(),
        text: text.to_owned(),
    };
    Manifests::parse(&[source]).map_err(|error| error.problems)
}

const MACHINE: &str = "
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Machine
metadata: {name: m, namespace: ns}
spec:
  connection: {host: 127.0.0.1, insecureTLS: yes, authSecretRef: {name: s, namespace: ns}}
";

const TASK: &str = "
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Task
metadata: {name: t}
spec:
  task: {powerAction: off}
  connection:
    host: h
    insecureTLS: true
    providerOptions: {ipmitool: {cipherSuite: 3}}
";

#[test]
fn a_stream_of_documents_becomes_objects() {
    let text = format!(
        "apiVersion: v1\nkind: Namespace\nmetadata: {{name: n}}\n---\n# nothing\n---{MACHINE}---\n\
         apiVersion: v1\nkind: Secret\ntype: kubernetes.io/basic-auth\nmetadata: {{name: s, namespace: ns}}\n\
         data: {{username: cm9vdA==, password: cm9vdA==}}\nstringData: {{password: other}}\n"
    );
    let manifests = parse(&text).unwrap();
    let machine = &manifests.machines[0];
    assert!(machine.spec.connection.insecure_tls);
    assert_eq!(machine.spec.connection.port, 623);
    let secret = manifests.secrets.values().next().unwrap();
    assert_eq!(secret.data["username"].expose(), b"root");
    assert_eq!(secret.data["password"].expose(), b"other");
    assert_eq!(manifests.notices, Vec::<String>::new());
}

#[test]
fn what_only_a_cluster_refuses_is_noticed() {
    let manifests = parse(TASK).unwrap();
    assert_eq!(
        manifests.notices,
        [
            "m.yaml: document 1, Task t: spec.connection.providerOptions.ipmitool.cipherSuite: 3 without quotes is a number, \
             and a cluster refuses it; write \"3\"",
            "m.yaml: document 1, Task t: spec.task.powerAction: off without quotes is the boolean false to kubectl, \
             and a cluster refuses it; write \"off\"",
        ]
    );
    let task = serde_json::to_value(&manifests.tasks[0]).unwrap();
    assert_eq!(task["spec"]["task"]["powerAction"], "off");
    assert_eq!(task["metadata"]["namespace"], "default");
    let options = &task["spec"]["connection"]["providerOptions"];
    assert_eq!(options["ipmitool"]["cipherSuite"], "3");
}

#[test]
fn lists_and_json_are_read() {
    let text = r#"{"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "bmc.tinkerbell.org/v1alpha1", "kind": "Job", "metadata": {"name": "j", "uid": "gone"},
         "spec": {"machineRef": {"name": "m", "namespace": "n"}, "tasks": [{"powerAction": "on"}]},
         "status": {"conditions": []}}]}"#;
    let manifests = parse(text).unwrap();
    assert_eq!(manifests.jobs[0].metadata.uid, None);
    assert_eq!(
        manifests.notices,
        ["m.yaml: document 1 items[0], Job j: status: ignored; it is the operator's to write"]
    );
}

#[test]
fn every_problem_of_every_document_is_told() {
    let bad = "
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Machine
metadata: {name: Bad}
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Machine
metadata: {name: m, lables: {}}
spec: {connection: {hots: h, insecureTLS: true}}
---
apiVersion: apps/v1
kind: Deployment
---
kind: Machine
---
apiVersion: v1
kind: Secret
metadata: {name: s}
data: {password: 'not base64!'}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: 1234}
---
apiVersion: bmc.tinkerbell.org/v1alpha1
kind: Task
metadata: {name: t}
spec: {task: {powerAction: no}}
";
    let problems = parse(&format!("{MACHINE}---{MACHINE}---{bad}")).unwrap_err();
    let expected = [
        "m.yaml: document 2, Machine m: Machine ns/m is there already: m.yaml: document 1, Machine m",
        "m.yaml: document 3, Machine Bad: metadata.name: expected lower-case letters, digits, '-' and '.', at most 253",
        "m.yaml: document 4, Machine m: metadata.lables: unknown field; allowed are name, namespace, labels, annotations, ownerReferences, finalizers",
        "m.yaml: document 4, Machine m: spec.connection.host: required",
        "m.yaml: document 4, Machine m: spec.connection.hots: unknown field; allowed are authSecretRef, host, insecureTLS, port, providerOptions",
        "m.yaml: document 5, Deployment: Deployment of apps/v1 is not known here; allowed are Machine, Job and Task of bmc.tinkerbell.org/v1alpha1, and Secret, Namespace and List of v1",
        "m.yaml: document 6, Machine: apiVersion: required",
        "m.yaml: document 7, Secret s: data.password: expected text in base64; stringData takes clear text",
        "m.yaml: document 8, Secret s: stringData.password: expected text; put it in quotes",
        "m.yaml: document 9, Task t: spec.task.powerAction: \"no\" is not one of on, off, soft, status, cycle, reset",
    ];
    assert_eq!(problems, expected);
}

#[test]
fn broken_yaml_is_told_with_its_place() {
    let problems = parse("apiVersion: [1\nkind: x\n").unwrap_err();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("m.yaml: "), "{problems:?}");
    assert!(problems[0].contains("line"), "{problems:?}");
    for text in ["just text", "- a\n- b", "42"] {
        assert_eq!(
            parse(text).unwrap_err(),
            ["m.yaml: document 1: apiVersion: required"],
            "{text}"
        );
    }
    assert!(parse("").unwrap().is_empty());
}
