//! Steps that must end, and what is expected of them.

use std::fmt::Debug;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::error::{Effect, Error, ErrorKind};
use crate::provider::{Provider, Session};

/// Longest wait for one step, and for the host to switch.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

pub(super) async fn open(provider: &dyn Provider) -> Arc<dyn Session> {
    within("open", provider.open(Instant::now() + PATIENCE)).await
}

pub(super) async fn bounded<T>(
    what: &str,
    step: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    match timeout(PATIENCE, step).await {
        Ok(result) => result,
        Err(_) => panic!("{what} did not return within {PATIENCE:?}"),
    }
}

pub(super) async fn within<T>(what: &str, step: impl Future<Output = Result<T, Error>>) -> T {
    match bounded(what, step).await {
        Ok(value) => value,
        Err(error) => panic!("{what} failed: {error:?}"),
    }
}

/// What was read; `None` where the protocol has no such question.
pub(super) async fn readable<T>(
    what: &str,
    step: impl Future<Output = Result<T, Error>>,
) -> Option<T> {
    match bounded(what, step).await {
        Ok(value) => Some(value),
        Err(error) if error.kind() == ErrorKind::Unsupported && error.effect() == Effect::None => {
            None
        }
        Err(error) => panic!("{what} failed: {error:?}"),
    }
}

/// A step that has to fail, soon and without effect.
pub(super) async fn must_fail<T: Debug>(
    what: &str,
    step: impl Future<Output = Result<T, Error>>,
) -> ErrorKind {
    match bounded(what, step).await {
        Ok(value) => panic!("{what} succeeded, but should fail: {value:?}"),
        Err(error) => {
            assert_eq!(
                error.effect(),
                Effect::None,
                "{what} should fail without effect: {error:?}"
            );
            error.kind()
        }
    }
}

/// Whether nothing happened, because it is not possible.
pub(super) fn is_plain_refusal(error: &Error) -> bool {
    error.effect() == Effect::None
        && matches!(
            error.kind(),
            ErrorKind::Unsupported | ErrorKind::InvalidInput | ErrorKind::Rejected
        )
}
