//! Whether the cluster knows our kinds.

use std::fmt;
use std::time::Duration;

use kube::Client;
use tokio::time::{sleep, timeout};

const GROUP_VERSION: &str = "bmc.tinkerbell.org/v1alpha1";
const RESOURCES: [&str; 3] = ["machines", "jobs", "tasks"];
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The command that installs the definitions.
pub const INSTALL_DEFINITIONS: &str = "rufio-operator crd | kubectl apply -f -";

/// Why the cluster cannot be served yet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Missing {
    /// It does not know these resources.
    Resources(Vec<&'static str>),
    /// It cannot be asked.
    Unavailable(String),
}

/// Waits until the cluster knows machines, jobs and tasks. Tells `report` what is missing whenever that changes.
pub async fn await_definitions(client: &Client, mut report: impl FnMut(&Missing)) {
    let mut reported = None;
    while let Some(missing) = missing(client).await {
        if reported.as_ref() != Some(&missing) {
            report(&missing);
            reported = Some(missing);
        }
        sleep(POLL_INTERVAL).await;
    }
}

async fn missing(client: &Client) -> Option<Missing> {
    let known = match timeout(TIME_LIMIT, client.list_api_group_resources(GROUP_VERSION)).await {
        Ok(Ok(list)) => list.resources,
        // Plain text, not a Status, so that kube finds no reason in it.
        Ok(Err(kube::Error::Api(status))) if status.code == 404 => Vec::new(),
        Ok(Err(error)) => return Some(Missing::Unavailable(error.to_string())),
        Err(_) => return Some(Missing::Unavailable("no answer".to_owned())),
    };
    let unknown = |name: &&str| !known.iter().any(|resource| resource.name == **name);
    let missing: Vec<_> = RESOURCES.into_iter().filter(unknown).collect();
    (!missing.is_empty()).then_some(Missing::Resources(missing))
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resources(names) => write!(
                f,
                "the cluster does not know {} of {GROUP_VERSION}",
                names.join(", ")
            ),
            Self::Unavailable(reason) => write!(f, "the cluster cannot be asked: {reason}"),
        }
    }
}
