//! The diagnostic interrupt as an operation.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::error::Error;
use crate::provider::Session;

/// Sends a non-maskable interrupt.
#[derive(Clone, Copy, Debug)]
pub struct SendNmi;

#[async_trait]
impl Operation for SendNmi {
    type Output = ();

    fn name(&self) -> &'static str {
        "power nmi"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Never
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.nmi()?.send_nmi().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<()>, Error>> {
        None
    }
}
