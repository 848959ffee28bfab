//! Waiting for one command.

use std::future::poll_fn;

use tokio::time::{Instant, sleep_until};

use crate::client::link::{Link, now};
use crate::codec::DecodeError;
use crate::error::Error;
use crate::proto::Ticket;
use crate::wire::CompletionCode;

/// A command in line or in flight. Dropping it drops the command.
pub(super) struct Pending<'a> {
    link: &'a Link,
    ticket: Ticket,
    name: &'static str,
}

impl<'a> Pending<'a> {
    pub(super) fn new(link: &'a Link, ticket: Ticket, name: &'static str) -> Self {
        Self { link, ticket, name }
    }

    /// Waits for the answer and lets `read` decode its data, unless it says that there are none.
    ///
    /// After `patience` sends without an answer the session is thought to be lost, even before the deadline.
    pub(super) async fn finish<T>(
        self,
        deadline: Instant,
        patience: Option<u32>,
        read: impl FnOnce(CompletionCode, &[u8]) -> Option<Result<T, DecodeError>>,
    ) -> Result<T, Error> {
        loop {
            // What cannot be sent is a lost datagram.
            let _ = self.link.flush().await;
            let until = {
                let mut state = self.link.lock();
                match state.look(self.ticket, deadline.into_std()) {
                    Ok(Ok(code)) => {
                        let code = *code;
                        let command = self.name;
                        return match read(code, state.connection.reply(self.ticket)) {
                            Some(response) => Ok(response?),
                            None => Err(Error::Completion { command, code }),
                        };
                    }
                    Ok(Err(error)) => return Err(error.clone()),
                    Err(until) => {
                        let sends = state.connection.sends(self.ticket);
                        let is_hopeless =
                            state.is_gone() || patience.is_some_and(|patience| sends > patience);
                        if is_hopeless || Instant::now() >= deadline {
                            return Err(state.connection.give_up_on(self.ticket, now()));
                        }
                        until
                    }
                }
            };
            let changed = poll_fn(|cx| self.link.lock().poll_command(self.ticket, until, cx));
            tokio::select! {
                biased;
                () = changed => {}
                () = sleep_until(Instant::from_std(until)) => self.link.lock().on_timeout(now()),
            }
        }
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.link.forget(self.ticket);
    }
}
