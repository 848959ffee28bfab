//! One replica acts: leader election on a Lease, as client-go does it.
//!
//! Every write carries the resourceVersion that was read, so that two candidates never both win. Whether a holder is alive
//! is judged by changes seen on our own clock, never by comparing clocks. Nobody here acts while another Rufio is alive
//! anywhere: it holds a lease of [`RUFIO_LEASES`] in any namespace.

mod config;
mod decide;
mod kube;
mod lease;
mod rivals;
mod standing;

use std::pin::pin;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::jiff::Timestamp;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use crate::env::Env;
use crate::run::shutdown::Shutdown;
use decide::{Observed, Step, decide};
use lease::Record;
use rivals::Rivals;

pub use config::{ElectionConfig, ElectionConfigError};
pub use kube::KubeLeases;
pub use lease::{LeaseError, Leases};
pub use rivals::warn_of_rivals;
pub use standing::{Leadership, Standing};

/// The lease of the standalone Rufio, which is ours too: two controllers of one namespace never act together.
pub const LEASE_NAME: &str = "e74dec1a.tinkerbell.org";

/// Leases that tell of a Rufio: the one inside the tinkerbell program, and the standalone one.
pub const RUFIO_LEASES: [&str; 2] = ["e74dec1a.bmc.tinkerbell.org", LEASE_NAME];

/// How often a leader looks for another Rufio.
const LOOKOUT: Duration = Duration::from_secs(5);

/// A candidate.
#[derive(Debug)]
pub struct Election<L> {
    leases: L,
    config: ElectionConfig,
    holder: String,
    env: Env,
    standing: watch::Sender<Standing>,
    /// Our lease as last seen, until a request about it fails.
    current: Option<Lease>,
    observed: Option<Observed>,
    rivals: Rivals,
    /// Whether our lease may say that we hold it.
    written: bool,
    /// What was logged last, so that waiting does not fill the log.
    said: String,
}

/// What one attempt has shown.
enum Attempt {
    Held,
    Theirs(String),
}

impl<L: Leases> Election<L> {
    /// A candidate that has not begun yet.
    pub fn new(leases: L, config: ElectionConfig, env: Env) -> (Self, Leadership) {
        let (standing, receiver) = watch::channel(Standing::waiting("nothing is known yet"));
        let election = Self {
            leases,
            holder: config.holder(),
            rivals: Rivals::new(&config),
            config,
            env,
            standing,
            current: None,
            observed: None,
            written: false,
            said: String::new(),
        };
        (election, Leadership::new(receiver))
    }

    /// Campaigns, then leads until the lease is lost or `shutdown` is asked for, then lets the lease go.
    ///
    /// `released` ends when nothing acts any more; before that the lease is not let go.
    pub async fn run(mut self, shutdown: Shutdown, released: impl Future<Output = ()>) {
        let mut released = pin!(released);
        let won = tokio::select! {
            biased;
            () = shutdown.requested() => None,
            until = self.campaign() => Some(until),
        };
        if let Some(began) = won {
            tracing::info!(lease = LEASE_NAME, namespace = %self.config.namespace, holder = %self.holder, "leading");
            let deposed = tokio::select! {
                biased;
                () = &mut released => None,
                why = self.lead(began) => Some(why),
            };
            if let Some(why) = deposed {
                tracing::error!("no longer leading: {why}");
                self.standing.send_replace(Standing::lost(&why));
                // Later than this nobody waits for us.
                if timeout(self.config.lease_duration, released).await.is_err() {
                    return;
                }
            }
        }
        self.standing.send_replace(Standing::lost("shutting down"));
        self.release().await;
    }

    /// Tries until the lease is ours; says when the winning attempt began.
    async fn campaign(&mut self) -> Instant {
        loop {
            let began = Instant::now();
            // What is left of the deadline is for the first renewal.
            match timeout(self.config.renew_deadline / 2, self.attempt()).await {
                Ok(Ok(Attempt::Held)) => {
                    self.hold(began);
                    return began;
                }
                Ok(Ok(Attempt::Theirs(whose))) => self.stand_by(&whose),
                Ok(Err(error)) => self.failed(&error),
                Err(_) => {
                    self.forget();
                    self.stand_by("the API server does not answer");
                }
            }
            // Half to nine tenths: candidates do not march in step, and a lease that was let go is found within a period.
            let pause = 0.5 + 0.4 * self.env.random_fraction();
            sleep(self.config.retry_period.mul_f64(pause)).await;
        }
    }

    /// Renews until that has failed for too long or a rival has appeared; says why.
    async fn lead(&mut self, won: Instant) -> String {
        let mut deadline = won + self.config.renew_deadline;
        let mut lookout = Instant::now() + LOOKOUT;
        loop {
            sleep_until(deadline.min(Instant::now() + self.config.retry_period)).await;
            let began = Instant::now();
            // A connection that went dead must leave time for another.
            let patience = deadline.min(began + self.config.renew_deadline / 2);
            match timeout_at(patience, self.renew()).await {
                Ok(Ok(Attempt::Held)) => {
                    self.hold(began);
                    deadline = began + self.config.renew_deadline;
                }
                Ok(Ok(Attempt::Theirs(whose))) => return whose,
                Ok(Err(error)) => self.failed(&error),
                Err(_) => self.forget(),
            }
            if Instant::now() >= deadline {
                let limit = self.config.renew_deadline;
                return format!("the lease could not be renewed within {limit:?}");
            }
            if Instant::now() >= lookout {
                match timeout_at(deadline, self.rivals.look(&self.leases)).await {
                    Ok(Ok(())) => lookout = Instant::now() + LOOKOUT,
                    Ok(Err(error)) => self.warn(format!("cannot look for another Rufio: {error}")),
                    Err(_) => {}
                }
                // One of ours that is newer than us makes way.
                if let Some(whose) = self.rivals.foreign() {
                    return whose;
                }
            }
        }
    }

    /// Writes what was written before, anew. Without certainty of what the server has, makes a full attempt.
    async fn renew(&mut self) -> Result<Attempt, LeaseError> {
        match self.current.take() {
            Some(current) => self.take(Some(&current)).await.map(|()| Attempt::Held),
            None => self.attempt().await,
        }
    }

    /// Reads, judges, and writes the lease if it is free or ours.
    async fn attempt(&mut self) -> Result<Attempt, LeaseError> {
        let current = self.leases.get().await?;
        self.observed = current.as_ref().map(|lease| self.observe(lease));
        if let Step::Wait { holder } = decide(self.observed.as_ref(), &self.holder, Instant::now())
        {
            let namespace = &self.config.namespace;
            return Ok(Attempt::Theirs(format!(
                "lease {namespace}/{LEASE_NAME} is held by {holder}"
            )));
        }
        let leads = matches!(*self.standing.borrow(), Standing::Leading { .. });
        if !leads {
            self.rivals.look(&self.leases).await?;
            if let Some(whose) = self.rivals.any() {
                return Ok(Attempt::Theirs(whose));
            }
        }
        self.take(current.as_ref()).await?;
        if !leads {
            // Of two that won different leases at once, the later writer sees the other's here.
            self.rivals.look(&self.leases).await?;
            if let Some(whose) = self.rivals.any() {
                self.release().await;
                return Ok(Attempt::Theirs(whose));
            }
        }
        Ok(Attempt::Held)
    }

    /// Writes that we hold the lease, over `current`.
    async fn take(&mut self, current: Option<&Lease>) -> Result<(), LeaseError> {
        let record = current.map_or_else(Record::default, Record::of);
        let record = record.taken_by(&self.holder, self.config.lease_duration, Timestamp::now());
        let lease = record.into_lease(&self.config.namespace, current);
        self.written = true;
        let written = match current {
            Some(_) => self.leases.replace(&lease).await?,
            None => self.leases.create(&lease).await?,
        };
        self.observed = Some(self.observe(&written));
        self.current = Some(written);
        Ok(())
    }

    fn observe(&self, lease: &Lease) -> Observed {
        let record = Record::of(lease);
        Observed::next(
            self.observed.as_ref(),
            record,
            self.config.lease_duration,
            Instant::now(),
        )
    }

    /// We lead, counted from before the request that said so.
    fn hold(&mut self, began: Instant) {
        self.said.clear();
        self.standing.send_replace(Standing::Leading {
            until: began + self.config.renew_deadline,
        });
    }

    /// Lets the lease go if it is ours, so that a successor need not wait.
    async fn release(&mut self) {
        if !self.written {
            return;
        }
        self.forget();
        match timeout(self.config.retry_period, self.try_release()).await {
            Ok(Ok(())) => {
                self.written = false;
                tracing::info!("lease released");
            }
            Ok(Err(error)) => tracing::warn!("lease not released: {error}"),
            Err(_) => tracing::warn!("lease not released: the API server does not answer"),
        }
    }

    async fn try_release(&self) -> Result<(), LeaseError> {
        // A renewal that was given up may still arrive between our read and our write.
        for _ in 0..3 {
            let Some(current) = self.leases.get().await? else {
                return Ok(());
            };
            let record = Record::of(&current);
            if record.holder.as_deref() != Some(&self.holder) {
                return Ok(());
            }
            let free = record.released(Timestamp::now());
            let lease = free.into_lease(&self.config.namespace, Some(&current));
            match self.leases.replace(&lease).await {
                Err(LeaseError::Conflict) => {}
                done => return done.map(drop),
            }
        }
        Err(LeaseError::Conflict)
    }

    /// What the server has is uncertain.
    fn forget(&mut self) {
        self.current = None;
    }

    fn failed(&mut self, error: &LeaseError) {
        self.forget();
        let text = match error {
            // Lost a race; the next attempt sees by whom.
            LeaseError::Conflict => return,
            LeaseError::Refused { .. } => format!("{error}; check the Role and the RoleBinding"),
            LeaseError::Other(_) => error.to_string(),
        };
        if matches!(*self.standing.borrow(), Standing::Leading { .. }) {
            self.warn(format!("the lease could not be renewed: {text}"));
        } else {
            self.stand_by(&text);
        }
    }

    fn stand_by(&mut self, reason: &str) {
        self.warn(format!("standing by: {reason}"));
        self.standing
            .send_if_modified(|standing| standing.wait_for(reason));
    }

    fn warn(&mut self, text: String) {
        if self.said != text {
            tracing::warn!("{text}");
            self.said = text;
        }
    }
}

#[cfg(test)]
mod tests;
