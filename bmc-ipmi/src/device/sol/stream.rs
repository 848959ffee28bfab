//! Reading and writing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use crate::device::Sol;

impl AsyncRead for Sol {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let now = Instant::now().into_std();
        self.shared.poll_read(now, buffer, cx).map_ok(|speaks| {
            // The BMC may go on.
            if speaks {
                self.attached.send();
            }
        })
    }
}

impl AsyncWrite for Sol {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        characters: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.shared.poll_write(characters, cx).map_ok(|count| {
            self.attached.send();
            count
        })
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.shared.poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.shared.poll_shutdown(cx)
    }
}
