//! The store over a real kube-apiserver.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::StreamExt;
use k8s_openapi::api::core::v1::{Namespace, Secret};
use k8s_openapi::api::events::v1::Event as KubeEvent;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::api::{Api, DeleteParams, ListParams, ObjectMeta, Patch, PatchParams, PostParams};
use peers::Kubernetes;
use rufio_operator::api::Machine;
use rufio_operator::crd::crds;
use rufio_operator::store::kube::{KubeStore, Scope, await_definitions};
use rufio_operator::store::{Event, Key, Kind, ObjectRef, Severity, Store, StoreError};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::apiserver::client_of;
use crate::contract::{World, keeps, key, machine, status};

const TIME_LIMIT: Duration = Duration::from_secs(20);

struct Cluster {
    client: Client,
    store: KubeStore,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_a_cluster_keeps_every_promise() {
    let Some(mut server) = Kubernetes::start() else {
        return;
    };
    let client = client_of(&server, None).await;
    definitions_are_awaited(&client).await;
    let store = timeout(TIME_LIMIT, KubeStore::new(client.clone(), Scope::All))
        .await
        .expect("the caches are filled");
    let cluster = Cluster { client, store };
    trimmed_objects_lose_nothing_on_the_server(&cluster).await;
    events_are_counted_and_recovered(&cluster).await;
    a_scope_of_namespaces_sees_only_those(&cluster).await;
    secrets_work_without_the_right_to_list(&cluster, &server).await;
    a_malformed_object_does_not_break_the_watch(&cluster).await;
    keeps(&cluster).await;
    server.stop();
    without_a_server_nothing_is_written(&cluster).await;
}

async fn definitions_are_awaited(client: &Client) {
    let (tell, mut reports) = mpsc::unbounded_channel();
    let install = async {
        let api: Api<CustomResourceDefinition> = Api::all(client.clone());
        let mut told = Vec::new();
        for crd in crds() {
            // Each definition that is missing is told before the next one is installed.
            told.push(reports.recv().await.unwrap());
            api.create(&PostParams::default(), &crd).await.unwrap();
        }
        told
    };
    let await_them = await_definitions(client, |missing| tell.send(missing.to_string()).unwrap());
    let both = async { tokio::join!(await_them, install) };
    let ((), told) = timeout(TIME_LIMIT * 2, both)
        .await
        .expect("the definitions come");
    let names = "machines, jobs, tasks of bmc.tinkerbell.org/v1alpha1";
    assert_eq!(told[0], format!("the cluster does not know {names}"));
}

async fn trimmed_objects_lose_nothing_on_the_server(cluster: &Cluster) {
    const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
    cluster.add_namespace("trimmed").await;
    let api: Api<Machine> = Api::namespaced(cluster.client.clone(), "trimmed");
    let mut applied = machine("trimmed", "m");
    applied.metadata.annotations = Some([(LAST_APPLIED.to_owned(), "{}".to_owned())].into());
    api.create(&PostParams::default(), &applied).await.unwrap();
    let seen = cluster
        .store
        .live::<Machine>(&applied.key())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(seen.metadata.managed_fields, None);
    assert_eq!(seen.metadata.annotations, None);
    cluster
        .store
        .write_status(&seen, status("One"))
        .await
        .unwrap();
    let kept = api.get("m").await.unwrap();
    assert!(
        kept.metadata
            .annotations
            .unwrap()
            .contains_key(LAST_APPLIED)
    );
    let managers = kept.metadata.managed_fields.unwrap();
    let of_spec = managers.iter().filter(|entry| entry.subresource.is_none());
    assert_eq!(of_spec.count(), 1, "who wrote the spec is still known");
}

async fn events_are_counted_and_recovered(cluster: &Cluster) {
    cluster.add_namespace("events").await;
    let seen = cluster.store.create(&machine("events", "m")).await.unwrap();
    let api: Api<KubeEvent> = Api::namespaced(cluster.client.clone(), "events");
    let happened = async |note: &str| {
        let regarding = ObjectRef {
            kind: Machine::KIND,
            key: seen.key(),
            uid: seen.uid().to_owned(),
        };
        let event = Event {
            regarding,
            severity: Severity::Warning,
            reason: "NotContactable",
            action: "Poll",
            note: note.to_owned(),
        };
        cluster.store.event(event).await;
        cluster.store.flush_events().await;
    };
    let listed = async || -> Vec<(String, Option<i32>)> {
        let list = api.list(&ListParams::default()).await.unwrap();
        let mut events: Vec<_> = list
            .items
            .into_iter()
            .map(|event| (event.note.unwrap(), event.series.map(|series| series.count)))
            .collect();
        events.sort();
        events
    };
    let pair = |note: &str, count| (note.to_owned(), count);

    for note in ["b", "a", "a", "a"] {
        happened(note).await;
    }
    assert_eq!(listed().await, [pair("a", Some(3)), pair("b", None)]);
    let event = api
        .list(&ListParams::default())
        .await
        .unwrap()
        .items
        .remove(0);
    let regarding = event.regarding.unwrap();
    assert_eq!(regarding.kind.as_deref(), Some("Machine"));
    assert_eq!(regarding.uid.as_deref(), Some(seen.uid()));
    assert_eq!(event.type_.as_deref(), Some("Warning"));

    api.delete_collection(&DeleteParams::default(), &ListParams::default())
        .await
        .unwrap();
    happened("a").await;
    assert_eq!(listed().await, [pair("a", None)], "it had expired");
    happened("a").await;
    assert_eq!(listed().await, [pair("a", Some(2))]);
    happened(&"é".repeat(1000)).await;
    assert_eq!(listed().await[1].0.len(), 1024);
}

async fn a_scope_of_namespaces_sees_only_those(cluster: &Cluster) {
    for namespace in ["scope-a", "scope-b", "scope-c"] {
        cluster.add_namespace(namespace).await;
        cluster
            .store
            .create(&machine(namespace, "m"))
            .await
            .unwrap();
    }
    let names = BTreeSet::from(["scope-a".to_owned(), "scope-b".to_owned()]);
    let scoped = KubeStore::new(cluster.client.clone(), Scope::Namespaces(names));
    let scoped = timeout(TIME_LIMIT, scoped).await.unwrap();
    let seen = scoped.cached_all::<Machine>().await;
    let namespaces: Vec<_> = seen.iter().map(|machine| machine.key().namespace).collect();
    assert_eq!(namespaces, ["scope-a", "scope-b"]);
    let one = KubeStore::new(cluster.client.clone(), Some("scope-c"));
    let one = timeout(TIME_LIMIT, one).await.unwrap();
    assert_eq!(one.cached_all::<Machine>().await.len(), 1);
}

async fn secrets_work_without_the_right_to_list(cluster: &Cluster, server: &Kubernetes) {
    const USER: &str = "modest";
    cluster.add_namespace("modest").await;
    let rule = |group: &str, resources: &[&str], verbs: &[&str]| json!({"apiGroups": [group], "resources": resources, "verbs": verbs});
    let role: ClusterRole = serde_json::from_value(json!({
        "metadata": {"name": USER},
        "rules": [
            rule("bmc.tinkerbell.org", &["machines", "jobs", "tasks"], &["get", "list", "watch"]),
            rule("", &["secrets"], &["get"]),
        ],
    }))
    .unwrap();
    let binding: ClusterRoleBinding = serde_json::from_value(json!({
        "metadata": {"name": USER},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": USER},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": USER}],
    }))
    .unwrap();
    let params = PostParams::default();
    Api::all(cluster.client.clone())
        .create(&params, &role)
        .await
        .unwrap();
    Api::all(cluster.client.clone())
        .create(&params, &binding)
        .await
        .unwrap();

    let store = KubeStore::new(client_of(server, Some(USER)).await, Scope::All);
    let store = timeout(TIME_LIMIT, store).await.unwrap();
    let forbidden = store.create(&machine("modest", "m")).await;
    assert!(
        matches!(&forbidden, Err(StoreError::Forbidden(why)) if why.contains(USER)),
        "{forbidden:?}"
    );

    let key = key("modest", "bmc");
    let mut changes = Box::pin(store.secret_changes());
    assert_eq!(store.secret(&key).await, Ok(None));
    let data = |password: &str| BTreeMap::from([("password".to_owned(), password.to_owned())]);
    cluster.put_secret(&key, data("one")).await;
    assert_eq!(
        timeout(TIME_LIMIT, changes.next()).await.unwrap(),
        Some(key.clone())
    );
    let read = async || store.secret(&key).await.unwrap().unwrap().data["password"].clone();
    assert_eq!(read().await.expose(), b"one");
    cluster.put_secret(&key, data("two")).await;
    assert_eq!(read().await.expose(), b"two", "nothing is kept");
}

async fn a_malformed_object_does_not_break_the_watch(cluster: &Cluster) {
    cluster.add_namespace("malformed").await;
    let strict = cluster.definition().await;
    let mut lax = serde_json::to_value(&strict).unwrap();
    let schema = &mut lax["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    schema["properties"]["spec"] =
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    cluster.redefine(lax).await;
    let resource = kube::core::ApiResource::erase::<Machine>(&());
    let api: Api<kube::core::DynamicObject> =
        Api::namespaced_with(cluster.client.clone(), "malformed", &resource);
    let malformed = |host: serde_json::Value| {
        serde_json::from_value(json!({
            "apiVersion": "bmc.tinkerbell.org/v1alpha1", "kind": "Machine", "metadata": {"name": "bad"},
            "spec": {"connection": {"host": host, "insecureTLS": true}},
        }))
        .unwrap()
    };
    until(async || {
        api.create(&PostParams::default(), &malformed(json!(7)))
            .await
            .is_ok()
    })
    .await;
    let good = cluster
        .store
        .create(&machine("malformed", "good"))
        .await
        .unwrap();
    let store = &cluster.store;
    until(async || store.cached::<Machine>(&good.key()).await.is_some()).await;
    let bad = key("malformed", "bad");
    assert_eq!(store.cached::<Machine>(&bad).await, None);
    let fresh = KubeStore::new(cluster.client.clone(), Some("malformed"));
    let fresh = timeout(TIME_LIMIT, fresh)
        .await
        .expect("a list survives it, too");
    assert_eq!(fresh.cached_all::<Machine>().await.len(), 1);

    let mend = Patch::Merge(json!({"spec": {"connection": {"host": "192.0.2.7"}}}));
    api.patch("bad", &PatchParams::default(), &mend)
        .await
        .unwrap();
    until(async || store.cached::<Machine>(&bad).await.is_some()).await;
    cluster
        .redefine(serde_json::to_value(&strict).unwrap())
        .await;
    // The server takes a moment to enforce it.
    let mut nowhere = machine("malformed", "nowhere");
    nowhere.spec.connection.host.clear();
    until(async || matches!(store.create(&nowhere).await, Err(StoreError::Invalid(_)))).await;
}

async fn without_a_server_nothing_is_written(cluster: &Cluster) {
    let created = cluster.store.create(&machine("default", "late")).await;
    assert!(
        matches!(created, Err(StoreError::Unavailable(_))),
        "{created:?}"
    );
    let live = cluster.store.live::<Machine>(&key("default", "late")).await;
    assert!(matches!(live, Err(StoreError::Unavailable(_))), "{live:?}");
}

/// Waits for something that nothing tells.
async fn until(mut happened: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !happened().await {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(TIME_LIMIT, wait).await.expect("in time");
}

impl Cluster {
    fn secrets(&self, key: &Key) -> Api<Secret> {
        Api::namespaced(self.client.clone(), &key.namespace)
    }

    async fn definition(&self) -> CustomResourceDefinition {
        let api: Api<CustomResourceDefinition> = Api::all(self.client.clone());
        api.get("machines.bmc.tinkerbell.org").await.unwrap()
    }

    async fn redefine(&self, mut definition: serde_json::Value) {
        let api: Api<CustomResourceDefinition> = Api::all(self.client.clone());
        definition["metadata"] = json!({"resourceVersion": self.definition().await.metadata.resource_version,
            "name": "machines.bmc.tinkerbell.org"});
        let definition = serde_json::from_value(definition).unwrap();
        api.replace(
            "machines.bmc.tinkerbell.org",
            &PostParams::default(),
            &definition,
        )
        .await
        .unwrap();
    }
}

impl World for Cluster {
    type Store = KubeStore;

    fn store(&self) -> &KubeStore {
        &self.store
    }

    async fn add_namespace(&self, name: &str) {
        let namespace = Namespace {
            metadata: ObjectMeta {
                name: Some(name.to_owned()),
                ..ObjectMeta::default()
            },
            ..Namespace::default()
        };
        let api: Api<Namespace> = Api::all(self.client.clone());
        api.create(&PostParams::default(), &namespace)
            .await
            .unwrap();
    }

    async fn annotate(&self, machine: &Key, name: &str, value: &str) {
        let api: Api<Machine> = Api::namespaced(self.client.clone(), &machine.namespace);
        let patch = Patch::Merge(json!({"metadata": {"annotations": {name: value}}}));
        api.patch(&machine.name, &PatchParams::default(), &patch)
            .await
            .unwrap();
    }

    async fn delete_machine(&self, key: &Key) {
        let api: Api<Machine> = Api::namespaced(self.client.clone(), &key.namespace);
        api.delete(&key.name, &DeleteParams::default())
            .await
            .unwrap();
    }

    async fn put_secret(&self, key: &Key, data: BTreeMap<String, String>) {
        let secret: Secret = serde_json::from_value(json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": key.name}, "stringData": data,
        }))
        .unwrap();
        let params = PatchParams::apply("test");
        let applied = self
            .secrets(key)
            .patch(&key.name, &params, &Patch::Apply(&secret))
            .await;
        applied.unwrap();
    }

    async fn delete_secret(&self, key: &Key) {
        let params = DeleteParams::default();
        self.secrets(key).delete(&key.name, &params).await.unwrap();
    }

    async fn prune_reasons(&self) {
        let mut definition = serde_json::to_value(self.definition().await).unwrap();
        let schema = &mut definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        let condition = &mut schema["properties"]["status"]["properties"]["conditions"]["items"];
        let properties = condition["properties"].as_object_mut().unwrap();
        properties.remove("reason").expect("ours to begin with");
        self.redefine(definition).await;
        // The server takes a moment to enforce it.
        let probe = self
            .store
            .create(&machine("default", "probe"))
            .await
            .unwrap();
        until(async || {
            let seen = self
                .store
                .live::<Machine>(&probe.key())
                .await
                .unwrap()
                .unwrap();
            let reason = format!("R{}", seen.metadata.resource_version.as_deref().unwrap());
            let kept = self
                .store
                .write_status(&seen, status(&reason))
                .await
                .unwrap();
            kept.status.unwrap().conditions[0].reason.is_none()
        })
        .await;
    }
}
