//! The question why the host started last.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::Restart;
use crate::error::Error;
use crate::provider::Session;

/// Reads what the BMC noted when the host started last.
#[derive(Clone, Copy, Debug)]
pub struct GetLastRestart;

#[async_trait]
impl Operation for GetLastRestart {
    type Output = Restart;

    fn name(&self) -> &'static str {
        "power cause"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<Restart, Error>> {
        Some(session.restart_record()?.last_restart().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<Restart>, Error>> {
        None
    }
}
