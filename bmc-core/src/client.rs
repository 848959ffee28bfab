//! A handle to one BMC that may be reached in several ways.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::capability::{BmcIdentity, BootOverride, BootReading, PowerAction, PowerState};
use crate::error::{Effect, Error, ErrorKind};
use crate::operation::{
    GetBootOverride, GetIdentity, GetPowerState, Operation, SendNmi, SetBootOverride, SetPower,
};
use crate::provider::{Provider, Session};
use crate::report::{Attempt, Exhausted, Outcome, Report, Stage};

/// A cheap handle to one BMC; clones share its session.
#[derive(Clone, Debug)]
pub struct Bmc {
    inner: Arc<Inner>,
    lane: Lane,
}

/// Who goes first when several operations wait for the same BMC.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Lane {
    /// What somebody asked for; before any poll.
    #[default]
    Action,
    /// Background observation.
    Poll,
}

#[derive(Debug)]
struct Inner {
    providers: Vec<Arc<dyn Provider>>,
    operation_timeout: Duration,
    session: Mutex<Option<(&'static str, Arc<dyn Session>)>>,
}

/// Collects the providers and limits of a [`Bmc`].
#[derive(Debug)]
pub struct BmcBuilder {
    providers: Vec<Arc<dyn Provider>>,
    operation_timeout: Duration,
}

impl Bmc {
    /// Starts with no providers and the default limits.
    pub fn builder() -> BmcBuilder {
        BmcBuilder {
            providers: Vec::new(),
            operation_timeout: Duration::from_secs(60),
        }
    }

    /// The same BMC with this lane as the default for its operations.
    #[must_use]
    pub fn on_lane(&self, lane: Lane) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            lane,
        }
    }

    /// Runs an operation within the default total time.
    pub async fn run<O: Operation>(&self, operation: O) -> Result<Outcome<O::Output>, Exhausted> {
        self.run_until(operation, Instant::now() + self.inner.operation_timeout)
            .await
    }

    /// Runs an operation; `deadline` bounds waiting, login, every provider and the close together.
    pub async fn run_until<O: Operation>(
        &self,
        operation: O,
        deadline: Instant,
    ) -> Result<Outcome<O::Output>, Exhausted> {
        let _ = self.lane;
        let mut slot = self.inner.session.lock().await;
        let mut report = Report {
            operation: operation.name(),
            attempts: vec![],
        };
        let mut effect = Effect::None;
        for provider in &self.inner.providers {
            let began = Instant::now();
            let session = match slot
                .as_ref()
                .filter(|(name, session)| *name == provider.name() && session.is_alive())
            {
                Some((_, session)) => Arc::clone(session),
                None => match provider.open(deadline).await {
                    Ok(session) => {
                        *slot = Some((provider.name(), Arc::clone(&session)));
                        session
                    }
                    Err(error) => {
                        report.attempts.push(Attempt {
                            provider: provider.name(),
                            stage: Stage::Open,
                            elapsed: began.elapsed(),
                            error: Some(error),
                        });
                        continue;
                    }
                },
            };
            let result = operation
                .run(session.as_ref())
                .await
                .unwrap_or_else(|| Err(Error::new(ErrorKind::Unsupported, "not supported")));
            let (value, error) = match result {
                Ok(value) => (Some(value), None),
                Err(error) => {
                    effect = error.effect();
                    (None, Some(error))
                }
            };
            report.attempts.push(Attempt {
                provider: provider.name(),
                stage: Stage::Operate,
                elapsed: began.elapsed(),
                error,
            });
            if let Some(value) = value {
                return Ok(Outcome { value, report });
            }
        }
        Err(Exhausted { report, effect })
    }

    /// Reads the power state.
    pub async fn power_state(&self) -> Result<Outcome<PowerState>, Exhausted> {
        self.run(GetPowerState).await
    }

    /// Sends a power action.
    pub async fn set_power(&self, action: PowerAction) -> Result<Outcome<()>, Exhausted> {
        self.run(SetPower(action)).await
    }

    /// Reads the boot override.
    pub async fn boot_override(&self) -> Result<Outcome<BootReading>, Exhausted> {
        self.run(GetBootOverride).await
    }

    /// Sets the boot override.
    pub async fn set_boot_override(&self, wanted: BootOverride) -> Result<Outcome<()>, Exhausted> {
        self.run(SetBootOverride(wanted)).await
    }

    /// Sends a non-maskable interrupt.
    pub async fn send_nmi(&self) -> Result<Outcome<()>, Exhausted> {
        self.run(SendNmi).await
    }

    /// Reads the BMC's identity.
    pub async fn identity(&self) -> Result<Outcome<BmcIdentity>, Exhausted> {
        self.run(GetIdentity).await
    }

    /// Logs out; operations that begin later fail with [`ErrorKind::Closed`].
    pub async fn close(&self) {
        if let Some((_, session)) = self.inner.session.lock().await.take() {
            session.close().await;
        }
    }
}

impl BmcBuilder {
    /// Adds a provider behind those added before.
    #[must_use]
    pub fn provider(mut self, provider: impl Provider) -> Self {
        self.providers.push(Arc::new(provider));
        self
    }

    /// Total time of one operation, queueing included, when the caller gives no deadline: 60 s unless set.
    #[must_use]
    pub fn operation_timeout(mut self, timeout: Duration) -> Self {
        self.operation_timeout = timeout;
        self
    }

    /// The handle. Does no I/O.
    pub fn build(self) -> Bmc {
        Bmc {
            inner: Arc::new(Inner {
                providers: self.providers,
                operation_timeout: self.operation_timeout,
                session: Mutex::new(None),
            }),
            lane: Lane::Action,
        }
    }
}
