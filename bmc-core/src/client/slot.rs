//! One provider of a [`Bmc`](super::Bmc): its session while there is one, and its refused login.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use crate::error::{Effect, Error, ErrorKind};
use crate::operation::Operation;
use crate::provider::{Provider, Session};

/// Longest wait for a logout.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Slot {
    provider: Arc<dyn Provider>,
    session: Option<Arc<dyn Session>>,
    refused: Option<Error>,
}

impl Slot {
    pub(super) fn new(provider: Arc<dyn Provider>) -> Self {
        Self {
            provider,
            session: None,
            refused: None,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.provider.name()
    }

    pub(super) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// Refuses what the provider cannot carry out.
    pub(super) fn check(&self, operation: &impl Operation) -> Result<(), Error> {
        let checked = operation
            .argument()
            .map_or(Ok(()), |argument| self.provider.check(argument));
        // Nothing was sent, whatever a provider says.
        checked.map_err(|error| error.with_effect(Effect::None))
    }

    /// The kept session, if it is still good; one that is not goes to `logouts`.
    pub(super) fn kept(&mut self, logouts: &mut Logouts) -> Option<Arc<dyn Session>> {
        if self
            .session
            .as_ref()
            .is_some_and(|session| !session.is_alive())
        {
            self.retire(logouts);
        }
        self.session.clone()
    }

    /// Logs in before `limit`, unless that was refused before.
    pub(super) async fn open(&mut self, limit: Instant) -> Result<Arc<dyn Session>, Error> {
        if let Some(error) = &self.refused {
            return Err(error.clone());
        }
        let opened = match timeout_at(limit, self.provider.open(limit)).await {
            // A login has no effect on the host, whatever a provider says.
            Ok(opened) => opened.map_err(|error| error.with_effect(Effect::None)),
            Err(_) => Err(Error::new(
                ErrorKind::Timeout,
                "no answer to the login in time",
            )),
        };
        match &opened {
            Ok(session) => self.session = Some(Arc::clone(session)),
            Err(error) if error.kind() == ErrorKind::Authentication => self.refuse(error.clone()),
            Err(_) => {}
        }
        opened
    }

    /// Remembers that the credential was refused.
    pub(super) fn refuse(&mut self, error: Error) {
        self.refused = Some(error);
    }

    pub(super) fn forget_refusal(&mut self) {
        self.refused = None;
    }

    /// Gives up the session; its logout holds up nobody.
    pub(super) fn retire(&mut self, logouts: &mut Logouts) {
        if let Some(session) = self.session.take() {
            logouts.start(session);
        }
    }
}

/// Logouts on their way, beside the operations.
#[derive(Debug, Default)]
pub(super) struct Logouts(JoinSet<()>);

impl Logouts {
    fn start(&mut self, session: Arc<dyn Session>) {
        while self.0.try_join_next().is_some() {}
        self.0.spawn(async move {
            let _ = timeout(CLOSE_LIMIT, session.close()).await;
        });
    }

    pub(super) async fn finish(&mut self) {
        while self.0.join_next().await.is_some() {}
    }
}
