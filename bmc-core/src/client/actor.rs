//! The task behind a [`Bmc`](super::Bmc): takes what waits, one operation at a time, and logs out at the end.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout_at;

use super::command::Job;
use super::fallback::Chain;
use super::queue::Queue;
use super::{Core, closed};
use crate::error::{Error, ErrorKind};

pub(super) enum Message {
    Run(Box<dyn Job>),
    /// Wakes the actor after the handle was marked closed; the sender is dropped once everything is logged out.
    Close(oneshot::Sender<()>),
}

/// Starts the task on the current runtime. It ends when the handle is closed or all its clones are gone.
pub(super) fn start(core: Arc<Core>) -> mpsc::UnboundedSender<Message> {
    let (sender, inbox) = mpsc::unbounded_channel();
    let actor = Actor {
        chain: Chain::new(Arc::clone(&core)),
        core,
        inbox,
        queue: Queue::new(),
        closers: Vec::new(),
    };
    tokio::spawn(actor.serve());
    sender
}

struct Actor {
    core: Arc<Core>,
    chain: Chain,
    inbox: mpsc::UnboundedReceiver<Message>,
    queue: Queue<Box<dyn Job>>,
    closers: Vec<oneshot::Sender<()>>,
}

impl Actor {
    async fn serve(mut self) {
        loop {
            while let Ok(message) = self.inbox.try_recv() {
                self.take(message);
            }
            if self.core.is_closed() {
                break;
            }
            match self.queue.pop() {
                Some(job) if job.begin() => job.run(&mut self.chain).await,
                Some(job) => {
                    let late = Error::new(ErrorKind::Timeout, "no time left after waiting");
                    job.refuse(&self.core, late);
                }
                None if !self.wait().await => break,
                None => {}
            }
        }
        // Boxed, so that what is only needed at the end does not make thousands of tasks twice as large.
        Box::pin(self.end()).await;
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Run(job) => self.queue.push(job.lane(), job),
            Message::Close(done) => self.closers.push(done),
        }
    }

    /// Waits for a message, or until the sessions are idle for too long. `false`: all handles are gone.
    async fn wait(&mut self) -> bool {
        let received = match self.chain.idle_until() {
            None => self.inbox.recv().await,
            Some(limit) => match timeout_at(limit, self.inbox.recv()).await {
                Ok(received) => received,
                Err(_) => {
                    self.chain.retire_all();
                    return true;
                }
            },
        };
        received.map(|message| self.take(message)).is_some()
    }

    async fn end(mut self) {
        self.inbox.close();
        while let Ok(message) = self.inbox.try_recv() {
            self.take(message);
        }
        while let Some(job) = self.queue.pop() {
            job.refuse(&self.core, closed());
        }
        self.chain.close().await;
    }
}
