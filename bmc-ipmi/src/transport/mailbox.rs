//! Datagrams on their way from the receiving task to one client.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// More unread datagrams than this are dropped, as a full socket buffer would.
const CAPACITY: usize = 32;

/// A bounded queue for one reader. Buffers go round, so that a session in steady state allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    queue: Mutex<Queue>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    unread: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    closed: bool,
}

impl Mailbox {
    pub(super) fn put(&self, datagram: &[u8]) {
        let mut queue = self.lock();
        if queue.unread.len() >= CAPACITY {
            return;
        }
        let mut buffer = queue.spare.pop().unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(datagram);
        queue.unread.push_back(buffer);
        drop(queue);
        self.arrived.notify_one();
    }

    /// Says that nothing will arrive any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_one();
    }

    /// Takes the oldest datagram if there is one, swapping buffers. `None` once closed.
    pub(super) fn try_take(&self, into: &mut Vec<u8>) -> Option<bool> {
        let mut queue = self.lock();
        match queue.unread.pop_front() {
            Some(datagram) => {
                let spare = std::mem::replace(into, datagram);
                if queue.spare.len() < 2 {
                    queue.spare.push(spare);
                }
                Some(true)
            }
            None if queue.closed => None,
            None => Some(false),
        }
    }

    /// Waits for a datagram. `false`: the socket is gone. Cancellation-safe.
    pub(super) async fn take(&self, into: &mut Vec<u8>) -> bool {
        loop {
            match self.try_take(into) {
                Some(true) => return true,
                None => return false,
                Some(false) => self.arrived.notified().await,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
