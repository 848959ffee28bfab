//! What a stream's user, its task and its session share.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use tokio::io::ReadBuf;
use tokio::sync::Notify;

use crate::device::SolEnd;
use crate::error::Error;
use crate::proto::{PayloadHandler, SolEvent, SolStream};
use crate::wire::SolFlags;

/// A stream behind a lock, and who waits for it.
#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    /// Tells the task that it has to look.
    wanted: Notify,
}

#[derive(Debug)]
struct State {
    stream: SolStream,
    phase: Phase,
    end: Option<SolEnd>,
    /// When the task looks by itself.
    armed: Option<Instant>,
    is_doubtful: bool,
    /// Characters that were not confirmed and that no flush has reported.
    unconfirmed: Option<usize>,
    events: std::collections::VecDeque<SolEvent>,
    reader: Option<Waker>,
    writer: Option<Waker>,
    listener: Option<Waker>,
}

/// How a stream stands.
pub(super) struct Look {
    pub(super) phase: Phase,
    pub(super) has_ended: bool,
    pub(super) is_flushed: bool,
    /// The BMC has not confirmed something since the last look.
    pub(super) is_doubtful: bool,
    pub(super) timeout: Option<Instant>,
}

/// What the user wants.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Phase {
    Open,
    /// Everything that was written is to arrive, then SOL is to end.
    ShuttingDown,
    /// Nobody is interested any more.
    Abandoned,
}

/// Events kept for a user who does not ask for them; older ones are dropped.
const MAX_EVENTS: usize = 64;

impl Shared {
    pub(super) fn new(stream: SolStream) -> Self {
        Self {
            state: Mutex::new(State {
                stream,
                phase: Phase::Open,
                end: None,
                armed: None,
                is_doubtful: false,
                unconfirmed: None,
                events: [].into(),
                reader: None,
                writer: None,
                listener: None,
            }),
            wanted: Notify::new(),
        }
    }

    pub(super) fn limit_data(&self, max_data: usize) {
        self.lock().stream.limit_data(max_data);
    }

    /// Moves characters into `buffer`. With `true` something is to be sent.
    pub(super) fn poll_read(
        &self,
        now: Instant,
        buffer: &mut ReadBuf<'_>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<bool>> {
        let mut state = self.lock();
        if buffer.remaining() == 0 {
            return Poll::Ready(Ok(false));
        }
        let count = state.stream.read(now, buffer.initialize_unfilled());
        buffer.advance(count);
        if count > 0 {
            return Poll::Ready(Ok(state.stream.wants_transmit()));
        }
        match &state.end {
            Some(SolEnd::Lost(_)) => Poll::Ready(Err(state.error())),
            Some(_) => Poll::Ready(Ok(false)),
            None => {
                state.reader = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    pub(super) fn poll_write(
        &self,
        characters: &[u8],
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let mut state = self.lock();
        if state.is_closed() {
            return Poll::Ready(Err(state.error()));
        }
        match state.stream.write(characters) {
            0 if !characters.is_empty() => {
                state.writer = Some(cx.waker().clone());
                Poll::Pending
            }
            count => Poll::Ready(Ok(count)),
        }
    }

    pub(super) fn poll_flush(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.lock();
        if let Some(characters) = state.unconfirmed.take() {
            let text = format!("the BMC has not confirmed {characters} characters");
            return Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, text)));
        }
        if state.stream.is_flushed() && !matches!(state.end, Some(SolEnd::Lost(_))) {
            return Poll::Ready(Ok(()));
        }
        if state.end.is_some() {
            return Poll::Ready(Err(state.error()));
        }
        state.writer = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Ready when SOL has ended; asks for that first.
    pub(super) fn poll_shutdown(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.lock();
        match &state.end {
            Some(SolEnd::Lost(_)) => Poll::Ready(Err(state.error())),
            Some(_) => match state.unconfirmed.take() {
                None => Poll::Ready(Ok(())),
                Some(characters) => {
                    let text = format!("the BMC has not confirmed {characters} characters");
                    Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, text)))
                }
            },
            None => {
                if state.phase == Phase::Open {
                    state.phase = Phase::ShuttingDown;
                    self.wanted.notify_one();
                }
                state.writer = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    pub(super) fn control(&self, operation: SolFlags) -> io::Result<()> {
        let mut state = self.lock();
        if state.is_closed() {
            return Err(state.error());
        }
        if state.stream.control(operation) {
            return Ok(());
        }
        let text = "too many breaks wait for the BMC";
        Err(io::Error::new(ErrorKind::WouldBlock, text))
    }

    pub(super) fn poll_event(&self, cx: &mut Context<'_>) -> Poll<Option<SolEvent>> {
        let mut state = self.lock();
        if let Some(event) = state.events.pop_front() {
            return Poll::Ready(Some(event));
        }
        if state.end.is_some() {
            return Poll::Ready(None);
        }
        state.listener = Some(cx.waker().clone());
        Poll::Pending
    }

    pub(super) fn end(&self) -> Option<SolEnd> {
        self.lock().end.clone()
    }

    /// Nobody reads or writes any more.
    pub(super) fn abandon(&self) {
        self.lock().phase = Phase::Abandoned;
        self.wanted.notify_one();
    }

    /// Ends the stream, unless it has ended.
    pub(super) fn finish(&self, end: SolEnd) {
        let mut state = self.lock();
        state.end.get_or_insert(end);
        state.wake_all();
        self.wanted.notify_one();
    }

    /// Waits until the task has to look again before the time that [`look`](Self::look) gave.
    pub(super) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    /// How things stand. The task is told when they change before the time-out.
    pub(super) fn look(&self) -> Look {
        let mut state = self.lock();
        state.armed = state.stream.poll_timeout();
        Look {
            phase: state.phase,
            has_ended: state.end.is_some(),
            is_flushed: state.stream.is_flushed(),
            is_doubtful: std::mem::take(&mut state.is_doubtful),
            timeout: state.armed,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After the stream has changed: tells everybody whom that concerns.
    fn settle(&self, state: &mut State) {
        while let Some(event) = state.stream.poll_event() {
            if let SolEvent::Unconfirmed { characters } = event {
                *state.unconfirmed.get_or_insert_default() += characters;
                state.is_doubtful = true;
            }
            if state.events.len() >= MAX_EVENTS {
                state.events.pop_front();
            }
            state.events.push_back(event);
            wake(&mut state.listener);
        }
        if state.stream.is_over() {
            state.end.get_or_insert(SolEnd::Deactivated);
            state.wake_all();
        }
        if state.stream.readable() > 0 {
            wake(&mut state.reader);
        }
        if state.stream.is_writable() || state.stream.is_flushed() || state.is_doubtful {
            wake(&mut state.writer);
        }
        let timeout = state.stream.poll_timeout();
        let is_earlier = match (timeout, state.armed) {
            (Some(timeout), Some(armed)) => timeout < armed,
            (timeout, _) => timeout.is_some(),
        };
        let may_go = state.phase != Phase::Open && state.stream.is_flushed();
        if is_earlier || state.is_doubtful || may_go || state.end.is_some() {
            self.wanted.notify_one();
        }
    }
}

impl State {
    fn is_closed(&self) -> bool {
        self.end.is_some() || self.phase != Phase::Open
    }

    /// The end as an error of whoever wants to go on.
    fn error(&self) -> io::Error {
        let (kind, end) = match &self.end {
            Some(end @ SolEnd::Lost(_)) => (ErrorKind::ConnectionAborted, end.clone()),
            Some(end) => (ErrorKind::BrokenPipe, end.clone()),
            None => (ErrorKind::BrokenPipe, SolEnd::ShutDown),
        };
        io::Error::new(kind, end)
    }

    fn wake_all(&mut self) {
        wake(&mut self.reader);
        wake(&mut self.writer);
        wake(&mut self.listener);
    }
}

/// The session's end of a stream.
#[derive(Debug)]
pub(super) struct Port(Arc<Shared>);

impl Port {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }
}

impl PayloadHandler for Port {
    fn on_payload(&mut self, now: Instant, sequence: u32, payload: &[u8]) {
        let mut state = self.0.lock();
        state.stream.on_payload(now, sequence, payload);
        self.0.settle(&mut state);
    }

    fn on_timeout(&mut self, now: Instant) {
        let mut state = self.0.lock();
        state.stream.on_timeout(now);
        self.0.settle(&mut state);
    }

    fn poll_transmit(&mut self, now: Instant, out: &mut Vec<u8>) -> bool {
        let mut state = self.0.lock();
        let is_sent = state.stream.poll_transmit(now, out);
        self.0.settle(&mut state);
        is_sent
    }

    fn poll_timeout(&self) -> Option<Instant> {
        self.0.lock().stream.poll_timeout()
    }

    fn is_in_use(&self) -> bool {
        let state = self.0.lock();
        state.end.is_none() && state.phase != Phase::Abandoned
    }

    fn on_replaced(&mut self) {
        self.0.finish(SolEnd::Deactivated);
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.0.finish(SolEnd::Lost(Error::Closed));
    }
}

fn wake(waker: &mut Option<Waker>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}
