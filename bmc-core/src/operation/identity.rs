//! The question who the BMC is.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::BmcIdentity;
use crate::error::Error;
use crate::provider::Session;

/// Reads the BMC's identity.
#[derive(Clone, Copy, Debug)]
pub struct GetIdentity;

#[async_trait]
impl Operation for GetIdentity {
    type Output = BmcIdentity;

    fn name(&self) -> &'static str {
        "info"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<BmcIdentity, Error>> {
        Some(session.identity()?.identity().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<BmcIdentity>, Error>> {
        None
    }
}
