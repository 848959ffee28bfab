//! The connection to the API server.

use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use crate::args::RunArgs;
use crate::store::kube::client;

/// How long the API server may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// There is no way to talk to a cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The URL is not one.
    #[error("--kubernetes: {url:?} is not a URL: {reason}")]
    Url {
        /// What was given.
        url: String,
        /// Why not.
        reason: String,
    },
    /// The kubeconfig cannot be used.
    #[error("--kubeconfig: {file}: {error}")]
    Kubeconfig {
        /// The file.
        file: String,
        /// Why not.
        error: kube::config::KubeconfigError,
    },
    /// Neither a kubeconfig nor a service account was found.
    #[error(
        "no cluster: neither a kubeconfig (--kubeconfig, $KUBECONFIG, ~/.kube/config) nor a pod's service account can be used: {0}. \
         Without a cluster, use `rufio-operator local -f FILE`"
    )]
    None(Box<kube::config::InferConfigError>),
    /// The client could not be made.
    #[error("API server: {0}")]
    Client(#[from] kube::Error),
}

/// A client, and the namespace that the operator itself lives in.
pub(super) async fn connect(args: &RunArgs) -> Result<(Client, String), ClientError> {
    let config = config(args).await?;
    let namespace = args
        .leader_election_namespace
        .clone()
        .or_else(|| std::env::var("POD_NAMESPACE").ok())
        .filter(|namespace| !namespace.is_empty())
        .unwrap_or_else(|| config.default_namespace.clone());
    Ok((client(config, CONNECT_TIMEOUT)?, namespace))
}

async fn config(args: &RunArgs) -> Result<Config, ClientError> {
    let url = match &args.kubernetes {
        Some(url) => Some(
            url.parse::<axum::http::Uri>()
                .map_err(|error| ClientError::Url {
                    url: url.clone(),
                    reason: error.to_string(),
                })?,
        ),
        None => None,
    };
    let mut config = match &args.kubeconfig {
        Some(file) => {
            let refused = |error| ClientError::Kubeconfig {
                file: file.display().to_string(),
                error,
            };
            let kubeconfig = Kubeconfig::read_from(file).map_err(refused)?;
            Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
                .await
                .map_err(refused)?
        }
        None => match (Config::infer().await, &url) {
            (Ok(config), _) => config,
            (Err(_), Some(url)) => Config::new(url.clone()),
            (Err(error), None) => return Err(ClientError::None(Box::new(error))),
        },
    };
    if let Some(url) = url {
        config.cluster_url = url;
    }
    Ok(config)
}
