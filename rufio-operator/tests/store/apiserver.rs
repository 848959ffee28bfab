//! Clients of a kube-apiserver.

use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use peers::Kubernetes;
use rufio_operator::store::kube::client;

/// A client of the administrator, or of somebody whom the administrator impersonates.
pub(crate) async fn client_of(server: &Kubernetes, user: Option<&str>) -> Client {
    let kubeconfig = Kubeconfig::read_from(server.kubeconfig()).unwrap();
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .unwrap();
    config.auth_info.impersonate = user.map(str::to_owned);
    client(config, Duration::from_secs(5)).unwrap()
}
