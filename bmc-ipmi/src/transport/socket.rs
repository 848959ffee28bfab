//! One socket, the task that receives on it, and the table of who gets what.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use socket2::{Domain, Protocol, Type};
use tokio::net::UdpSocket;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use super::Transport;
use super::mailbox::Mailbox;
use crate::proto::{Addressee, MAX_DATAGRAM, addressee};

/// The right to have a login in flight on a socket.
pub(crate) type LoginPermit = OwnedSemaphorePermit;

/// Receive errors in a row after which a socket is given up.
const MAX_ERRORS: u32 = 64;

#[derive(Debug)]
pub(crate) struct Socket {
    shared: Arc<Shared>,
    receiver: AbortHandle,
}

#[derive(Debug)]
struct Shared {
    udp: UdpSocket,
    table: Mutex<Table>,
    logins: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// Who listens for datagrams of which peer: usually one session a peer, while a lost one is replaced two.
type Table = HashMap<SocketAddr, Vec<(u32, Arc<Mailbox>)>>;

/// A client's place on a socket: it sends to one peer and receives what that peer sends to one console session ID,
/// and what belongs to no session yet. The place is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Route {
    socket: Arc<Socket>,
    peer: SocketAddr,
    mailbox: Arc<Mailbox>,
}

impl Socket {
    /// Opens a socket and starts its task.
    ///
    /// # Errors
    /// The system has no socket to give.
    pub(super) fn open(local: SocketAddr, receive_buffer: usize) -> io::Result<Self> {
        let socket =
            socket2::Socket::new(Domain::for_address(local), Type::DGRAM, Some(Protocol::UDP))?;
        if local.is_ipv6() {
            socket.set_only_v6(true)?;
        }
        socket.set_nonblocking(true)?;
        socket.bind(&local.into())?;
        // A smaller buffer than wished for is no reason to fail: logins are paced to fit the default one.
        let _ = socket.set_recv_buffer_size(receive_buffer);
        let shared = Arc::new(Shared {
            udp: UdpSocket::from_std(socket.into())?,
            table: Mutex::default(),
            logins: Arc::new(Semaphore::new(Transport::LOGINS_PER_SOCKET)),
            waiting: AtomicUsize::new(0),
        });
        let receiver = tokio::spawn(receive(Arc::clone(&shared))).abort_handle();
        Ok(Self { shared, receiver })
    }

    pub(super) fn is_open(&self) -> bool {
        !self.receiver.is_finished()
    }

    /// Whether a login can start at once.
    pub(super) fn has_room(&self) -> bool {
        self.shared.logins.available_permits() > self.shared.waiting.load(Ordering::Relaxed)
    }

    /// Logins in flight or waiting.
    pub(super) fn load(&self) -> usize {
        self.shared.waiting.load(Ordering::Relaxed) + Transport::LOGINS_PER_SOCKET
            - self.shared.logins.available_permits()
    }

    /// Waits for the right to start a login.
    pub(crate) async fn login_permit(&self) -> Option<LoginPermit> {
        let _waiting = Waiting::new(&self.shared.waiting);
        Arc::clone(&self.shared.logins).acquire_owned().await.ok()
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.receiver.abort();
    }
}

impl Route {
    /// Takes a place for the datagrams of `peer` to `console_id`.
    pub(crate) fn new(socket: Arc<Socket>, peer: SocketAddr, console_id: u32) -> Self {
        let peer = canonical(peer);
        let mailbox = Arc::<Mailbox>::default();
        socket
            .shared
            .table()
            .entry(peer)
            .or_default()
            .push((console_id, Arc::clone(&mailbox)));
        Self {
            socket,
            peer,
            mailbox,
        }
    }

    /// The BMC's address.
    pub(crate) fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Sends one datagram. A full send buffer is waited for.
    ///
    /// # Errors
    /// The system refuses, for instance because there is no route.
    pub(crate) async fn send(&self, datagram: &[u8]) -> io::Result<()> {
        let udp = &self.socket.shared.udp;
        udp.send_to(datagram, self.peer).await.map(drop)
    }

    /// Sends one datagram if that is possible at once.
    pub(crate) fn send_now(&self, datagram: &[u8]) {
        let _ = self.socket.shared.udp.try_send_to(datagram, self.peer);
    }

    /// Waits for a datagram and swaps it in. `false`: the socket is gone. Cancellation-safe.
    pub(crate) async fn receive(&self, into: &mut Vec<u8>) -> bool {
        self.mailbox.take(into).await
    }

    /// Takes a datagram that has already arrived.
    pub(crate) fn receive_now(&self, into: &mut Vec<u8>) -> bool {
        self.mailbox.try_take(into) == Some(true)
    }
}

impl Drop for Route {
    fn drop(&mut self) {
        let mut table = self.socket.shared.table();
        if let Some(listeners) = table.get_mut(&self.peer) {
            listeners.retain(|(_, mailbox)| !Arc::ptr_eq(mailbox, &self.mailbox));
            if listeners.is_empty() {
                table.remove(&self.peer);
            }
        }
    }
}

impl Shared {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deliver(&self, peer: SocketAddr, datagram: &[u8]) {
        let Some(to) = addressee(datagram) else {
            return;
        };
        if let Some(listeners) = self.table().get(&canonical(peer)) {
            for (console_id, mailbox) in listeners {
                if to == Addressee::Anyone || to == Addressee::Session(*console_id) {
                    mailbox.put(datagram);
                }
            }
        }
    }
}

/// The task of a socket.
async fn receive(shared: Arc<Shared>) {
    let mut buffer = vec![0; MAX_DATAGRAM];
    let mut errors = 0;
    while errors < MAX_ERRORS {
        match shared.udp.recv_from(&mut buffer).await {
            Ok((length, peer)) => {
                errors = 0;
                shared.deliver(peer, buffer.get(..length).unwrap_or_default());
            }
            // Some systems report a refusal by one peer here.
            Err(_) => errors += 1,
        }
    }
    for listeners in shared.table().values() {
        for (_, mailbox) in listeners {
            mailbox.close();
        }
    }
}

/// The form in which the system reports a sender: without flow label, IPv4 as IPv4.
fn canonical(peer: SocketAddr) -> SocketAddr {
    match peer {
        SocketAddr::V4(_) => peer,
        SocketAddr::V6(mut v6) => {
            v6.set_flowinfo(0);
            v6.into()
        }
    }
}

/// Counts one waiting login while it lives.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
