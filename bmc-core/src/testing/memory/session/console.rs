//! The console of the BMC in memory: the host echoes what it is typed.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::super::MemoryBmc;
use super::MemorySession;
use crate::capability::{Console, ConsoleOptions, ConsoleStream};
use crate::error::{Error, ErrorKind};

/// Longest echo that waits for its reader.
const CAPACITY: usize = 4096;

/// What both ends of a console share.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Wire(Arc<Mutex<Echo>>);

#[derive(Debug, Default)]
struct Echo {
    bytes: VecDeque<u8>,
    is_closed: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

#[derive(Debug)]
struct MemoryConsole {
    machine: MemoryBmc,
    wire: Wire,
}

#[async_trait]
impl Console for MemorySession {
    async fn open_console(&self, options: ConsoleOptions) -> Result<Box<dyn ConsoleStream>, Error> {
        let opened = self.request(
            |host| {
                let held = host.console.as_ref().filter(|wire| !wire.echo().is_closed);
                match held {
                    Some(_) if !options.steal => {
                        return Err(Error::new(ErrorKind::Busy, "somebody else has the console"));
                    }
                    Some(wire) => wire.close(),
                    None => {}
                }
                let wire = Wire::default();
                host.console = Some(wire.clone());
                Ok(wire)
            },
            |_| Ok(Wire::default()),
        );
        Ok(Box::new(MemoryConsole {
            wire: opened.await??,
            machine: self.provider.machine().clone(),
        }))
    }
}

#[async_trait]
impl ConsoleStream for MemoryConsole {
    async fn send_break(&mut self) -> Result<(), Error> {
        if self.wire.echo().is_closed {
            return Err(Error::new(ErrorKind::Closed, "the console is closed"));
        }
        self.machine.host().counters.breaks += 1;
        Ok(())
    }
}

impl AsyncRead for MemoryConsole {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut echo = self.wire.echo();
        if echo.bytes.is_empty() && !echo.is_closed {
            echo.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        let count = buffer.remaining().min(echo.bytes.len());
        for byte in echo.bytes.drain(..count) {
            buffer.put_slice(&[byte]);
        }
        wake(&mut echo.writer);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for MemoryConsole {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut echo = self.wire.echo();
        if echo.is_closed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let count = bytes.len().min(CAPACITY.saturating_sub(echo.bytes.len()));
        if count == 0 && !bytes.is_empty() {
            echo.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        echo.bytes.extend(bytes.iter().take(count));
        wake(&mut echo.reader);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.wire.close();
        Poll::Ready(Ok(()))
    }
}

impl Drop for MemoryConsole {
    fn drop(&mut self) {
        self.wire.close();
    }
}

impl Wire {
    fn echo(&self) -> MutexGuard<'_, Echo> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let mut echo = self.echo();
        echo.is_closed = true;
        wake(&mut echo.reader);
        wake(&mut echo.writer);
    }
}

fn wake(waker: &mut Option<Waker>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}
