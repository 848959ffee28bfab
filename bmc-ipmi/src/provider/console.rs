//! The serial console by Serial over LAN.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use async_trait::async_trait;
use bmc_core::{Console, ConsoleOptions, ConsoleStream, Error as CoreError, ErrorKind};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::session::{IpmiSession, without_effect};
use crate::device::{Sol, SolOptions};
use crate::error::Error;

/// [`Sol`] in a session of its own, which ends with it.
#[derive(Debug)]
struct IpmiConsole(Sol);

#[async_trait]
impl Console for IpmiSession {
    async fn open_console(
        &self,
        options: ConsoleOptions,
    ) -> Result<Box<dyn ConsoleStream>, CoreError> {
        if !self.client().is_alive() {
            return Err(Error::Closed.into());
        }
        if !self.setup().has_detected() {
            self.read_device().await?;
        }
        let deadline = self.deadline();
        let client = self
            .setup()
            .connect(deadline)
            .await
            .map_err(without_effect)?;
        let options = SolOptions {
            steal: options.steal,
            ..SolOptions::for_quirks(self.setup().quirks())
        };
        match Sol::open(&client, options, deadline).await {
            Ok(sol) => Ok(Box::new(IpmiConsole(sol))),
            Err(error) => {
                client.close().await;
                Err(error.into())
            }
        }
    }
}

#[async_trait]
impl ConsoleStream for IpmiConsole {
    async fn send_break(&mut self) -> Result<(), CoreError> {
        self.0.send_break().map_err(|error| {
            CoreError::new(ErrorKind::Closed, "the console is closed").with_source(error)
        })
    }
}

impl AsyncRead for IpmiConsole {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for IpmiConsole {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
