//! The opening of the console as an operation.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::{ConsoleOptions, ConsoleStream};
use crate::error::Error;
use crate::provider::Session;

/// Opens the host's serial console.
#[derive(Clone, Copy, Debug)]
pub struct OpenConsole(pub ConsoleOptions);

#[async_trait]
impl Operation for OpenConsole {
    type Output = Box<dyn ConsoleStream>;

    fn name(&self) -> &'static str {
        "console open"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Converge
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<Box<dyn ConsoleStream>, Error>> {
        Some(session.console()?.open_console(self.0).await)
    }

    async fn reached(
        &self,
        _: &dyn Session,
    ) -> Option<Result<Option<Box<dyn ConsoleStream>>, Error>> {
        None
    }
}
