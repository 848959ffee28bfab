//! What is shipped for kubectl: assembled from its parts, and readable by local mode too.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fs;
use std::path::{Path, PathBuf};

use rufio_operator::run::local::manifest::{Manifests, Source};
use serde_json::Value;

/// Set this to assemble the manifests anew instead of comparing.
const REFRESH: &str = "RUFIO_REFRESH_CRDS";

const CRDS: [&str; 3] = [
    "crds/bmc.tinkerbell.org_machines.yaml",
    "crds/bmc.tinkerbell.org_jobs.yaml",
    "crds/bmc.tinkerbell.org_tasks.yaml",
];

#[test]
fn the_manifest_is_its_parts() {
    let rest = [
        "base/account.yaml",
        "base/rbac.yaml",
        "base/rbac-lease.yaml",
        "base/deployment.yaml",
    ];
    let parts: Vec<&str> = ["base/namespace.yaml"]
        .into_iter()
        .chain(CRDS)
        .chain(rest)
        .collect();
    assembled("manifest.yaml", &joined(&parts));
}

#[test]
fn the_namespaced_manifest_is_its_parts() {
    let parts = [
        "base/account.yaml",
        "base/rbac-namespaced.yaml",
        "base/rbac-lease.yaml",
        "base/deployment.yaml",
    ];
    let namespaced = joined(&parts).replace(
        "args: [run, --leader-elect]",
        "args: [run, --leader-elect, --kube-namespace=rufio-system]",
    );
    assembled("manifest-namespaced.yaml", &namespaced);
}

#[test]
fn the_manifest_holds_what_its_users_look_for() {
    let text = read("manifest.yaml");
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).expect("YAML");
    let of_kind = |kind: &str| {
        documents
            .iter()
            .filter(|it| it["kind"] == kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(of_kind("CustomResourceDefinition").len(), 3);
    assert_eq!(of_kind("Namespace")[0]["metadata"]["name"], "rufio-system");
    let deployment = of_kind("Deployment")[0];
    assert_eq!(deployment["metadata"]["name"], "rufio-controller-manager");
    let pod = &deployment["spec"]["template"]["spec"];
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    let container = &pod["containers"][0];
    let restricted = &container["securityContext"];
    assert_eq!(restricted["allowPrivilegeEscalation"], false);
    assert_eq!(restricted["readOnlyRootFilesystem"], true);
    for probe in ["livenessProbe", "readinessProbe"] {
        assert_eq!(container[probe]["httpGet"]["port"], "health");
    }
    let arguments = container["args"].as_array().expect("list");
    let line = std::iter::once("rufio-operator").chain(arguments.iter().filter_map(Value::as_str));
    rufio_operator::args::parse(line.map(Into::into), |_| None).expect("the program's own flags");
}

#[test]
fn samples_work_in_local_mode() {
    let mut sources = Vec::new();
    for entry in fs::read_dir(path("samples")).expect("exists") {
        let file = entry.expect("readable").path();
        sources.push(Source {
            name: file.display().to_string(),
            text: fs::read_to_string(&file).expect("readable"),
        });
    }
    let manifests = Manifests::parse(&sources).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(manifests.notices, Vec::<String>::new());
    let names = |list: Vec<Option<String>>| {
        let mut names: Vec<String> = list.into_iter().flatten().collect();
        names.sort();
        names
    };
    let name = |meta: &kube::core::ObjectMeta| meta.name.clone();
    assert_eq!(
        names(
            manifests
                .machines
                .iter()
                .map(|it| name(&it.metadata))
                .collect()
        ),
        [
            "machine-all-providers",
            "machine-homeassistant",
            "machine-rpc",
            "machine-sample"
        ]
    );
    assert_eq!(
        names(manifests.jobs.iter().map(|it| name(&it.metadata)).collect()),
        ["job-four-steps", "job-sample"]
    );
    assert_eq!(
        names(
            manifests
                .tasks
                .iter()
                .map(|it| name(&it.metadata))
                .collect()
        ),
        ["task-all-providers", "task-sample"]
    );
    assert_eq!(manifests.secrets.len(), 6);
}

fn joined(parts: &[&str]) -> String {
    parts.iter().map(|part| read(part)).collect()
}

fn assembled(file: &str, text: &str) {
    if std::env::var_os(REFRESH).is_some() {
        fs::write(path(file), text).expect("writable");
    }
    assert_eq!(
        read(file),
        text,
        "deploy/{file} is stale: {REFRESH}=1 cargo test -p rufio-operator --test crds --test deploy"
    );
}

fn read(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_default()
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("deploy")
        .join(file)
}
