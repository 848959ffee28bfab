//! IPMI at the port that was given or, where that one is dead, at the standard port.
//!
//! Rufio has always ignored `spec.connection.port`. Objects with a stray value in it must not stop working.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::{Error, ErrorKind, Provider, Session};
use bmc_ipmi::IpmiProvider;
use tokio::time::Instant;

const NOT_KNOWN: u8 = 0;
const GIVEN: u8 = 1;
const FALLBACK: u8 = 2;

/// IPMI at one port, or else at another one; which of them answers is remembered.
#[derive(Debug)]
pub(super) struct IpmiWithFallback<P = IpmiProvider> {
    inner: Arc<Inner<P>>,
}

#[derive(Debug)]
struct Inner<P> {
    given: P,
    fallback: Option<P>,
    answers: AtomicU8,
}

impl<P: Provider> IpmiWithFallback<P> {
    pub(super) fn new(given: P, fallback: Option<P>) -> Self {
        Self {
            inner: Arc::new(Inner {
                given,
                fallback,
                answers: AtomicU8::new(NOT_KNOWN),
            }),
        }
    }

    /// Whether the BMC answers at the fallback.
    pub(super) fn is_in_use(&self) -> bool {
        self.inner.answers.load(Ordering::Acquire) == FALLBACK
    }

    fn answers(&self, port: u8) {
        self.inner.answers.store(port, Ordering::Release);
    }
}

impl<P> Clone for IpmiWithFallback<P> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
        }
    }
}

#[async_trait]
impl<P: Provider> Provider for IpmiWithFallback<P> {
    fn name(&self) -> &'static str {
        self.inner.given.name()
    }

    async fn open(&self, deadline: Instant) -> Result<Arc<dyn Session>, Error> {
        let Inner {
            given,
            fallback: Some(fallback),
            answers,
        } = self.inner.as_ref()
        else {
            return self.inner.given.open(deadline).await;
        };
        match answers.load(Ordering::Acquire) {
            GIVEN => return given.open(deadline).await,
            FALLBACK => return fallback.open(deadline).await,
            _ => {}
        }
        // The first port must leave time for the second one.
        let now = Instant::now();
        let half = now
            + deadline
                .saturating_duration_since(now)
                .min(Duration::from_secs(20))
                / 2;
        let error = match given.open(half).await {
            Err(error) if is_silence(error.kind()) => error,
            answer => {
                self.answers(GIVEN);
                return answer;
            }
        };
        match fallback.open(deadline).await {
            Ok(session) => {
                self.answers(FALLBACK);
                Ok(session)
            }
            // Somebody answers there, and it is our BMC.
            Err(refused) if refused.kind() == ErrorKind::Authentication => {
                self.answers(FALLBACK);
                Err(refused)
            }
            Err(_) => Err(error),
        }
    }
}

fn is_silence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Timeout | ErrorKind::Unreachable)
}

#[cfg(test)]
mod tests {
    use bmc_core::testing::memory::{Fault, MemoryBmc, Step};

    use super::*;

    #[tokio::test]
    async fn the_port_that_answers_is_remembered() {
        let machine = MemoryBmc::new();
        let (given, fallback) = (machine.provider("ipmi"), machine.provider("ipmi"));
        given.always(Step::Login, Fault::Unreachable);
        let provider = IpmiWithFallback::new(given.clone(), Some(fallback.clone()));
        let deadline = Instant::now() + Duration::from_secs(10);
        for _ in 0..3 {
            provider.open(deadline).await.unwrap();
        }
        assert!(provider.is_in_use());
        assert_eq!((given.logins_tried(), fallback.logins_tried()), (1, 3));
    }

    #[tokio::test]
    async fn a_refused_login_is_an_answer() {
        let machine = MemoryBmc::new();
        let (given, fallback) = (machine.provider("ipmi"), machine.provider("ipmi"));
        given.always(Step::Login, Fault::Refuse);
        let provider = IpmiWithFallback::new(given, Some(fallback.clone()));
        let deadline = Instant::now() + Duration::from_secs(10);
        let error = provider.open(deadline).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Authentication);
        assert_eq!(fallback.logins_tried(), 0);
    }

    #[tokio::test]
    async fn a_dead_bmc_is_told_by_the_given_port() {
        let machine = MemoryBmc::new();
        let (given, fallback) = (machine.provider("ipmi"), machine.provider("ipmi"));
        given.always(Step::Login, Fault::Unreachable);
        fallback.fault(Step::Login, Fault::Busy);
        let provider = IpmiWithFallback::new(given, Some(fallback));
        let deadline = Instant::now() + Duration::from_secs(10);
        let error = provider.open(deadline).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable);
        // It was dead; nothing is concluded from that.
        provider.open(deadline).await.unwrap();
    }
}
