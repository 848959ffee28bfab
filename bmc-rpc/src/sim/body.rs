//! The body of a simulated answer, with or without the manners of one.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// A body that may hide its length, or never end.
#[derive(Debug)]
pub(super) struct SimBody {
    data: Option<Bytes>,
    manner: Manner,
}

/// How a body is sent.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Manner {
    /// With its length.
    #[default]
    Whole,
    /// In chunks.
    Chunked,
    /// Some, and then nothing more, for ever.
    Stalled,
}

impl SimBody {
    pub(super) fn new(data: Bytes, manner: Manner) -> Self {
        Self {
            data: Some(data),
            manner,
        }
    }
}

impl Body for SimBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let manner = self.manner;
        match self.data.take() {
            Some(data) if data.is_empty() && manner != Manner::Stalled => Poll::Ready(None),
            Some(mut data) => {
                if manner == Manner::Stalled {
                    data.truncate(data.len() / 2);
                }
                Poll::Ready(Some(Ok(Frame::data(data))))
            }
            // The connection is closed by the peer that tires of waiting.
            None if manner == Manner::Stalled => Poll::Pending,
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.manner != Manner::Stalled && self.data.as_ref().is_none_or(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        match (self.manner, &self.data) {
            (Manner::Whole, Some(data)) => SizeHint::with_exact(data.len() as u64),
            (Manner::Whole, None) => SizeHint::with_exact(0),
            _ => SizeHint::default(),
        }
    }
}
