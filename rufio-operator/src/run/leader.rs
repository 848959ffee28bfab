//! One replica acts: leader election on a Lease, as client-go does it.
//!
//! Every write carries the resourceVersion that was read, so that two candidates never both win. Whether a holder is alive
//! is judged by changes seen on our own clock, never by comparing clocks. While a lease of another Rufio is alive anywhere,
//! nobody here acts.

mod lease;

use std::collections::BTreeMap;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use crate::run::shutdown::Shutdown;
use lease::Record;
pub use lease::{KubeLeases, LeaseError, Leases};

/// The lease of the standalone Rufio, which is ours too: two controllers of one namespace never act together.
pub const LEASE_NAME: &str = "e74dec1a.tinkerbell.org";

/// Leases that tell of a Rufio elsewhere: the one inside the tinkerbell program, and the standalone one.
pub const RIVAL_LEASES: [&str; 2] = ["e74dec1a.bmc.tinkerbell.org", LEASE_NAME];

/// How to campaign.
#[derive(Clone, Debug)]
pub struct ElectionConfig {
    /// Who we are, unique among all candidates.
    pub identity: String,
    /// Namespace of the lease.
    pub namespace: String,
    /// How long others wait for a silent leader.
    pub lease_duration: Duration,
    /// How long the leader tries to renew before it gives up.
    pub renew_deadline: Duration,
    /// Time between two attempts.
    pub retry_period: Duration,
}

/// Knows whether this replica may act.
#[derive(Clone, Debug)]
pub struct Leadership(watch::Receiver<Standing>);

/// Where this replica stands.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Standing {
    /// Somebody else may act.
    Candidate,
    /// We act until this moment, unless it is moved.
    Leader { until: Instant },
    /// There is no election.
    Alone,
    /// We acted, and no longer may.
    Lost,
}

impl Leadership {
    /// Of a replica that needs no lease.
    pub fn without_election() -> Self {
        Self(watch::channel(Standing::Alone).1)
    }

    /// Whether this replica may act now.
    pub fn is_held(&self) -> bool {
        match *self.0.borrow() {
            Standing::Alone => true,
            Standing::Leader { until } => Instant::now() < until,
            Standing::Candidate | Standing::Lost => false,
        }
    }

    /// Waits until this replica may act.
    pub async fn acquired(&mut self) {
        let led =
            |standing: &Standing| matches!(standing, Standing::Leader { .. } | Standing::Alone);
        if self.0.wait_for(led).await.is_err() {
            // The election has ended: it will never be won.
            std::future::pending::<()>().await;
        }
    }

    /// Waits until this replica may no longer act.
    pub async fn lost(&mut self) {
        let gone = |standing: &Standing| matches!(standing, Standing::Lost);
        if self.0.wait_for(gone).await.is_err() && *self.0.borrow() == Standing::Alone {
            std::future::pending::<()>().await;
        }
    }
}

/// A candidate.
#[derive(Debug)]
pub struct Election<L> {
    leases: L,
    config: ElectionConfig,
    standing: watch::Sender<Standing>,
    observed: BTreeMap<String, Observed>,
    /// What was logged last, so that waiting does not fill the log.
    said: String,
}

/// A lease and when it was seen to change.
#[derive(Debug)]
struct Observed {
    record: Record,
    at: Instant,
}

/// What one attempt has shown.
enum Attempt {
    Held,
    Theirs(String),
    Failed(LeaseError),
}

impl<L: Leases> Election<L> {
    /// A candidate that has not begun yet.
    pub fn new(leases: L, config: ElectionConfig) -> (Self, Leadership) {
        let (standing, receiver) = watch::channel(Standing::Candidate);
        let election = Self {
            leases,
            config,
            standing,
            observed: BTreeMap::new(),
            said: String::new(),
        };
        (election, Leadership(receiver))
    }

    /// Campaigns, then leads until the lease is lost or `shutdown` is asked for, then lets the lease go.
    ///
    /// `released` must be done before the lease may go to somebody else: it ends when nothing acts any more.
    pub async fn run(mut self, shutdown: Shutdown, released: impl Future<Output = ()>) {
        let stop = shutdown.requested();
        let won = tokio::select! {
            biased;
            () = stop => false,
            () = self.campaign() => true,
        };
        if !won {
            return;
        }
        tracing::info!(lease = LEASE_NAME, namespace = %self.config.namespace, identity = %self.config.identity, "leading");
        tokio::select! {
            biased;
            () = released => self.release().await,
            () = self.lead() => {
                self.standing.send_replace(Standing::Lost);
            }
        }
    }

    async fn campaign(&mut self) {
        loop {
            let began = Instant::now();
            let deadline = began + self.config.renew_deadline;
            let attempt = timeout_at(deadline, self.attempt()).await;
            match attempt {
                Ok(Attempt::Held) => return self.hold(began),
                Ok(Attempt::Theirs(whose)) => self.say(format!("standing by: {whose}")),
                Ok(Attempt::Failed(error)) => self.fail(&error),
                Err(_) => self.say("standing by: the API server does not answer".to_owned()),
            }
            sleep(self.pause()).await;
        }
    }

    /// Renews until that has failed for too long or a rival has appeared.
    async fn lead(&mut self) {
        let mut deadline = Instant::now() + self.config.renew_deadline;
        loop {
            sleep(self.config.retry_period).await;
            let began = Instant::now();
            match timeout_at(deadline, self.attempt()).await {
                Ok(Attempt::Held) => {
                    self.hold(began);
                    deadline = began + self.config.renew_deadline;
                }
                Ok(Attempt::Theirs(whose)) => {
                    tracing::error!("no longer leading: {whose}");
                    return;
                }
                Ok(Attempt::Failed(error)) => self.fail(&error),
                Err(_) => {}
            }
            if Instant::now() >= deadline {
                tracing::error!(
                    "no longer leading: the lease could not be renewed within {:?}",
                    self.config.renew_deadline
                );
                return;
            }
        }
    }

    /// Reads, judges, and writes the lease if it is free or ours.
    async fn attempt(&mut self) -> Attempt {
        match self.try_attempt().await {
            Ok(attempt) => attempt,
            Err(error) => Attempt::Failed(error),
        }
    }

    async fn try_attempt(&mut self) -> Result<Attempt, LeaseError> {
        for rival in self.leases.rivals().await? {
            if self.is_own(&rival) {
                continue;
            }
            if let Some(whose) = self.observe(&rival) {
                return Ok(Attempt::Theirs(format!("another Rufio is active: {whose}")));
            }
        }
        let now = k8s_openapi::jiff::Timestamp::now();
        let Some(current) = self.leases.get().await? else {
            let new = Record::first(&self.config, now).into_lease(&self.config.namespace, None);
            let created = self.leases.create(&new).await?;
            self.observe(&created);
            return Ok(Attempt::Held);
        };
        let record = Record::of(&current);
        if let Some(whose) = self.observe(&current)
            && record.holder.as_deref() != Some(self.config.identity.as_str())
        {
            return Ok(Attempt::Theirs(whose));
        }
        let next = record.taken_by(&self.config, now);
        let written = self
            .leases
            .replace(&next.into_lease(&self.config.namespace, Some(&current)))
            .await?;
        self.observe(&written);
        Ok(Attempt::Held)
    }

    /// Notes a change; says who holds the lease if the holder is alive.
    fn observe(&mut self, lease: &Lease) -> Option<String> {
        let record = Record::of(lease);
        let place = lease::place(lease);
        let now = Instant::now();
        let observed = self
            .observed
            .entry(place.clone())
            .or_insert_with(|| Observed {
                record: record.clone(),
                at: now,
            });
        if observed.record != record {
            *observed = Observed {
                record: record.clone(),
                at: now,
            };
        }
        let holder = record
            .holder
            .as_deref()
            .filter(|holder| !holder.is_empty())?;
        let patience = record.duration.unwrap_or(self.config.lease_duration);
        (now < observed.at + patience).then(|| format!("lease {place} is held by {holder}"))
    }

    fn is_own(&self, lease: &Lease) -> bool {
        lease.metadata.name.as_deref() == Some(LEASE_NAME)
            && lease.metadata.namespace.as_deref() == Some(self.config.namespace.as_str())
    }

    /// We lead, counted from before the request that said so.
    fn hold(&mut self, began: Instant) {
        self.said.clear();
        self.standing.send_replace(Standing::Leader {
            until: began + self.config.lease_duration,
        });
    }

    /// Lets the lease go, so that a successor need not wait.
    async fn release(&mut self) {
        self.standing.send_replace(Standing::Lost);
        let deadline = Instant::now() + self.config.retry_period;
        let done = timeout_at(deadline, async {
            match self.leases.get().await? {
                Some(current)
                    if Record::of(&current).holder.as_deref() == Some(&self.config.identity) =>
                {
                    let free = Record::of(&current).released(k8s_openapi::jiff::Timestamp::now());
                    let lease = free.into_lease(&self.config.namespace, Some(&current));
                    self.leases.replace(&lease).await.map(drop)
                }
                _ => Ok(()),
            }
        });
        match done.await {
            Ok(Ok(())) => tracing::info!("lease released"),
            Ok(Err(error)) => tracing::warn!("lease not released: {error}"),
            Err(_) => tracing::warn!("lease not released: the API server does not answer"),
        }
    }

    /// Between one and 2.2 retry periods, so that candidates do not march in step.
    fn pause(&self) -> Duration {
        self.config
            .retry_period
            .mul_f64(1.0 + 1.2 * rand::random::<f64>())
    }

    fn fail(&mut self, error: &LeaseError) {
        match error {
            // Lost a race; the next attempt sees by whom.
            LeaseError::Conflict => {}
            LeaseError::Refused(_) => {
                tracing::error!(
                    "the API server refuses access to leases; check the Role and RoleBinding: {error}"
                );
            }
            LeaseError::Other(_) => self.say(format!("lease: {error}")),
        }
    }

    fn say(&mut self, text: String) {
        if self.said != text {
            tracing::warn!("{text}");
            self.said = text;
        }
    }
}

#[cfg(test)]
mod tests;
