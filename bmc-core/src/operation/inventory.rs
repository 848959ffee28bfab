//! The listing of the machine's components as an operation.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::Component;
use crate::error::Error;
use crate::provider::Session;

/// Lists the machine's components.
#[derive(Clone, Copy, Debug)]
pub struct GetInventory;

#[async_trait]
impl Operation for GetInventory {
    type Output = Vec<Component>;

    fn name(&self) -> &'static str {
        "inventory"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    fn is_sweep(&self) -> bool {
        true
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<Vec<Component>, Error>> {
        Some(session.inventory()?.components().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<Vec<Component>>, Error>> {
        None
    }
}
