//! One kube-apiserver for all tests of this program.

use std::fmt::Debug;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use kube::api::{Api, DeleteParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::NamespaceResourceScope;
use kube::{Client, Config, Resource};
use peers::Kubernetes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A running API server with our definitions.
pub struct Cluster {
    server: Kubernetes,
    gate: RwLock<()>,
}

static CLUSTER: OnceLock<Option<Cluster>> = OnceLock::new();

/// The API server; `None` where its programs are missing.
pub fn cluster() -> Option<&'static Cluster> {
    CLUSTER.get_or_init(start).as_ref()
}

fn start() -> Option<Cluster> {
    let cluster = Cluster {
        server: Kubernetes::start()?,
        gate: RwLock::new(()),
    };
    cluster.kubectl(&["apply", "-f", &deploy("manifest.yaml")]);
    let wait = "--for=condition=Established";
    cluster.kubectl(&["wait", wait, "crd", "--all", "--timeout=30s"]);
    Some(cluster)
}

impl Cluster {
    /// For tests that keep to a namespace of their own.
    pub async fn shared(&self) -> RwLockReadGuard<'_, ()> {
        self.gate.read().await
    }

    /// For tests that serve the whole cluster, which is empty then.
    pub async fn exclusive(&self) -> RwLockWriteGuard<'_, ()> {
        let alone = self.gate.write().await;
        let group = "bmc.tinkerbell.org";
        let kinds =
            format!("jobs.{group},tasks.{group},machines.{group},leases.coordination.k8s.io");
        self.kubectl(&["delete", &kinds, "--all", "--all-namespaces"]);
        alone
    }

    /// Where this test program may put files.
    pub fn directory(&self) -> &Path {
        self.server.directory()
    }

    /// The administrator's.
    pub fn kubeconfig(&self) -> &Path {
        self.server.kubeconfig()
    }

    /// An administrator's client.
    pub async fn client(&self) -> Client {
        let kubeconfig = Kubeconfig::read_from(self.kubeconfig()).expect("readable");
        let options = KubeConfigOptions::default();
        let config = Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .expect("usable");
        Client::try_from(config).expect("client")
    }

    /// Runs kubectl as the administrator; it must succeed.
    pub fn kubectl(&self, arguments: &[&str]) -> String {
        let output = self.try_kubectl(arguments);
        assert!(
            output.status.success(),
            "kubectl {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs kubectl as the administrator.
    pub fn try_kubectl(&self, arguments: &[&str]) -> Output {
        let mut kubectl = self.server.kubectl();
        kubectl.args(arguments).output().expect("kubectl runs")
    }

    /// Makes objects from YAML.
    pub fn apply(&self, yaml: &str) {
        let file = tempfile::NamedTempFile::new_in(self.directory()).expect("file");
        fs::write(file.path(), yaml).expect("writable");
        self.kubectl(&["apply", "-f", &file.path().display().to_string()]);
    }

    /// Something must have been told about an object of this kind.
    pub fn assert_events_on(&self, kind: &str, namespace: &str) {
        let selector = format!("--field-selector=regarding.kind={kind}");
        let events = "events.v1.events.k8s.io";
        let told = self.kubectl(&["get", events, "-n", namespace, &selector, "-o", "name"]);
        assert!(!told.is_empty(), "no Event on any {kind}");
    }

    /// A namespace for one test, with the Secret `bm-auth` (ipmiusr/test).
    pub async fn namespace(&self, name: &str) -> Client {
        let client = self.client().await;
        self.apply(&format!(
            "apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n---\n\
             apiVersion: v1\nkind: Secret\nmetadata: {{name: bm-auth, namespace: {name}}}\n\
             type: kubernetes.io/basic-auth\nstringData: {{username: ipmiusr, password: test}}\n"
        ));
        client
    }
}

/// Creates an object given as JSON.
pub async fn create<K>(client: &Client, namespace: &str, object: Value) -> K
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + Clone
        + Debug
        + Serialize
        + DeserializeOwned,
{
    let object: K = serde_json::from_value(object).expect("an object of this kind");
    Api::namespaced(client.clone(), namespace)
        .create(&PostParams::default(), &object)
        .await
        .expect("created")
}

/// Deletes an object at once, as tink-controller does.
pub async fn delete<K>(client: &Client, namespace: &str, name: &str)
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + Clone
        + Debug
        + DeserializeOwned,
{
    let _ = Api::<K>::namespaced(client.clone(), namespace)
        .delete(name, &DeleteParams::background().grace_period(0))
        .await
        .expect("deleted");
}

/// Reads an object every few milliseconds until it is as wanted.
pub async fn until<K>(
    client: &Client,
    namespace: &str,
    name: &str,
    limit: Duration,
    wanted: impl Fn(&Value) -> bool,
) -> Value
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + Clone
        + Debug
        + Serialize
        + DeserializeOwned,
{
    let api = Api::<K>::namespaced(client.clone(), namespace);
    let began = Instant::now();
    let mut last = Value::Null;
    while began.elapsed() < limit {
        if let Some(object) = api.get_opt(name).await.expect("readable") {
            last = serde_json::to_value(&object).expect("JSON");
            if wanted(&last) {
                return last;
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{namespace}/{name} after {limit:?}: {last:#}");
}

/// Whether a Job or Task has ended.
pub fn ended(object: &Value) -> bool {
    holds(object, "Completed") || holds(object, "Failed")
}

/// Whether a condition is True.
pub fn holds(object: &Value, type_: &str) -> bool {
    condition(object, type_)["status"] == "True"
}

/// A condition of an object, null if there is none.
pub fn condition(object: &Value, type_: &str) -> Value {
    let conditions = object["status"]["conditions"].as_array();
    conditions
        .into_iter()
        .flatten()
        .find(|condition| condition["type"] == type_)
        .cloned()
        .unwrap_or_default()
}

/// A connection to a BMC.
pub fn connection(bmc: SocketAddr, secret: &str, namespace: &str) -> Value {
    json!({"host": bmc.ip().to_string(), "port": bmc.port(), "insecureTLS": true,
        "authSecretRef": {"name": secret, "namespace": namespace}})
}

/// A Machine with this connection.
pub fn machine(name: &str, connection: &Value) -> Value {
    json!({"apiVersion": API_VERSION, "kind": "Machine", "metadata": {"name": name}, "spec": {"connection": connection}})
}

/// A Job on a Machine.
pub fn job(name: &str, machine: &str, namespace: &str, tasks: &Value) -> Value {
    json!({"apiVersion": API_VERSION, "kind": "Job", "metadata": {"name": name},
        "spec": {"machineRef": {"name": machine, "namespace": namespace}, "tasks": tasks}})
}

pub const API_VERSION: &str = "bmc.tinkerbell.org/v1alpha1";

/// A file of `deploy/`.
pub fn deploy(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("deploy")
        .join(file);
    path.display().to_string()
}
