//! Other Rufios: leases that somebody else keeps alive anywhere.

use std::collections::BTreeMap;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use tokio::time::{Instant, sleep};

use super::config::Holder;
use super::decide::Observed;
use super::lease::Record;
use super::{ElectionConfig, LEASE_NAME, LeaseError, Leases};
use crate::run::shutdown::Shutdown;

/// How often to look when nothing depends on it.
const WATCH: Duration = Duration::from_secs(15);

/// The leases of other Rufios as last seen.
#[derive(Debug)]
pub(super) struct Rivals {
    /// Our own lease is none.
    own: Option<String>,
    scope: Option<String>,
    patience: Duration,
    seen: BTreeMap<String, Observed>,
}

impl Rivals {
    /// Those of a candidate.
    pub(super) fn new(config: &ElectionConfig) -> Self {
        Self {
            own: Some(place(&config.namespace, LEASE_NAME)),
            scope: config.scope.clone(),
            patience: config.lease_duration,
            seen: BTreeMap::new(),
        }
    }

    /// Reads their leases.
    pub(super) async fn look(&mut self, leases: &impl Leases) -> Result<(), LeaseError> {
        let found = leases.rivals().await?;
        let now = Instant::now();
        let before = std::mem::take(&mut self.seen);
        for lease in &found {
            let place = place_of(lease);
            if self.own.as_ref() != Some(&place) {
                let record = Record::of(lease);
                let observed = Observed::next(before.get(&place), record, self.patience, now);
                self.seen.insert(place, observed);
            }
        }
        Ok(())
    }

    /// One that may be alive and act on the objects that we serve.
    pub(super) fn any(&self) -> Option<String> {
        self.find(|_, holder| Holder::of(holder).meets(self.scope.as_deref()))
    }

    /// One that may be alive and is of another make: it does not look out for us.
    pub(super) fn foreign(&self) -> Option<String> {
        self.find(|_, holder| Holder::of(holder) == Holder::Foreign)
    }

    /// One that certainly is alive, of those that may act on the objects that we serve.
    fn certain(&self) -> Option<String> {
        self.find(|observed, holder| {
            observed.changed && Holder::of(holder).meets(self.scope.as_deref())
        })
    }

    fn find(&self, wanted: impl Fn(&Observed, &str) -> bool) -> Option<String> {
        let now = Instant::now();
        self.seen.iter().find_map(|(place, observed)| {
            let holder = observed.holder(now)?;
            wanted(observed, holder)
                .then(|| format!("another Rufio is active: lease {place} is held by {holder}"))
        })
    }
}

/// Without an election, says in the log whenever another Rufio is alive: then actions are carried out twice.
///
/// `scope` is the one namespace that is served, or all of them.
pub async fn warn_of_rivals(leases: impl Leases, scope: Option<String>, shutdown: Shutdown) {
    let mut rivals = Rivals {
        own: None,
        scope,
        patience: WATCH * 3,
        seen: BTreeMap::new(),
    };
    let mut said = String::new();
    let watch = async {
        loop {
            match rivals.look(&leases).await {
                Ok(()) => {}
                // Without an election the right is not required.
                Err(LeaseError::Refused { .. }) => return,
                Err(error) => tracing::debug!("cannot look for another Rufio: {error}"),
            }
            let whose = rivals.certain().unwrap_or_default();
            if !whose.is_empty() && whose != said {
                tracing::error!(
                    "{whose}; actions may be carried out twice: stop it, or run this one with --leader-elect"
                );
            }
            said = whose;
            sleep(WATCH).await;
        }
    };
    tokio::select! {
        biased;
        () = shutdown.requested() => {}
        () = watch => {}
    }
}

fn place_of(lease: &Lease) -> String {
    let namespace = lease.metadata.namespace.as_deref().unwrap_or_default();
    place(
        namespace,
        lease.metadata.name.as_deref().unwrap_or_default(),
    )
}

fn place(namespace: &str, name: &str) -> String {
    format!("{namespace}/{name}")
}
