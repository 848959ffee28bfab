//! The host's serial console.

use std::fmt;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::Error;

/// Opens the host's serial console.
#[async_trait]
pub trait Console: Send + Sync {
    /// Connects to the console. [`ErrorKind::Busy`](crate::ErrorKind::Busy) if somebody else has it and it is not to be
    /// taken away.
    ///
    /// The stream has a connection of its own: it outlives this session.
    async fn open_console(&self, options: ConsoleOptions) -> Result<Box<dyn ConsoleStream>, Error>;
}

/// What the host prints and what it is typed. A shutdown, or a drop, gives the console back.
///
/// What is written waits until the BMC takes it. At the end of the stream the BMC has closed the console; an error says
/// that it is lost.
#[async_trait]
pub trait ConsoleStream: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {
    /// Sends a break behind what was written.
    async fn send_break(&mut self) -> Result<(), Error>;
}

/// How to open a console.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ConsoleOptions {
    /// Takes it away from whoever has it.
    pub steal: bool,
}
