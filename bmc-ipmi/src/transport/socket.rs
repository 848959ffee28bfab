//! One socket, the task that receives on it, and the table of who gets what.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use socket2::{Domain, Protocol, Type};
use tokio::net::UdpSocket;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval};

use super::Transport;
use crate::proto::{Addressee, MAX_DATAGRAM, addressee};

/// The right to have a login in flight on a socket.
pub(crate) type LoginPermit = OwnedSemaphorePermit;

/// Receive errors in a row after which a socket is given up.
const MAX_ERRORS: u32 = 64;
/// Datagrams taken in before other tasks have their turn.
const BATCH: usize = 64;
/// How often sessions are looked after that nobody uses.
const TICK: Duration = Duration::from_secs(5);

/// Takes in what arrives at a place on a socket. Called by the socket's task: must not block.
pub(crate) trait Receiver: Send + Sync {
    /// A datagram has arrived that may be for this place. It may be changed.
    fn on_datagram(&self, datagram: &mut [u8]);

    /// Some seconds have passed.
    fn on_tick(&self);

    /// All datagrams that had arrived have been handed out: sends what follows from them, so that the newest decides.
    fn flush(&self, outlet: &Outlet<'_>);

    /// The socket is gone.
    fn on_closed(&self);
}

/// The way to one peer.
pub(crate) struct Outlet<'a> {
    udp: &'a UdpSocket,
    peer: SocketAddr,
}

pub(crate) struct Socket {
    shared: Arc<Shared>,
    receiver: AbortHandle,
}

struct Shared {
    udp: UdpSocket,
    table: Mutex<Table>,
    logins: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// Who listens for datagrams of which peer: usually one session a peer, while a lost one is replaced two.
type Table = HashMap<SocketAddr, Vec<(u32, Arc<dyn Receiver>)>>;

/// Receivers that have had something to do, with their peers.
type Busy = Vec<(SocketAddr, Arc<dyn Receiver>)>;

/// A client's place on a socket: it sends to one peer and receives what that peer sends to one console session ID,
/// and what belongs to no session yet. The place is given back when this is dropped.
pub(crate) struct Route {
    socket: Arc<Socket>,
    peer: SocketAddr,
    receiver: Arc<dyn Receiver>,
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

impl fmt::Debug for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Socket")
            .field("load", &self.load())
            .finish_non_exhaustive()
    }
}

impl Route {
    /// Takes a place for the datagrams of `peer` to `console_id`.
    pub(crate) fn new(
        socket: Arc<Socket>,
        peer: SocketAddr,
        console_id: u32,
        receiver: Arc<dyn Receiver>,
    ) -> Self {
        let peer = canonical(peer);
        let place = (console_id, Arc::clone(&receiver));
        socket.shared.table().entry(peer).or_default().push(place);
        Self {
            socket,
            peer,
            receiver,
        }
    }

    /// The BMC's address.
    pub(crate) fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// The way to the BMC.
    pub(crate) fn outlet(&self) -> Outlet<'_> {
        Outlet {
            udp: &self.socket.shared.udp,
            peer: self.peer,
        }
    }
}

impl Outlet<'_> {
    /// Sends one datagram if that is possible at once.
    ///
    /// # Errors
    /// The send buffer is full (`WouldBlock`), or the system refuses, for instance because there is no route.
    pub(crate) fn try_send(&self, datagram: &[u8]) -> io::Result<()> {
        self.udp.try_send_to(datagram, self.peer).map(drop)
    }

    /// Waits until the send buffer has room.
    pub(crate) async fn writable(&self) -> io::Result<()> {
        self.udp.writable().await
    }
}

impl Drop for Route {
    fn drop(&mut self) {
        let mut table = self.socket.shared.table();
        if let Some(listeners) = table.get_mut(&self.peer) {
            listeners.retain(|(_, receiver)| !Arc::ptr_eq(receiver, &self.receiver));
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

    /// Hands a datagram to everybody whom it may be for, and adds them to `busy`.
    fn deliver(&self, peer: SocketAddr, datagram: &mut [u8], busy: &mut Busy) {
        let Some(to) = addressee(datagram) else {
            return;
        };
        let mut from = 0;
        while let Some((at, receiver)) = self.listener(canonical(peer), to, from) {
            receiver.on_datagram(datagram);
            if !busy.iter().any(|(_, known)| Arc::ptr_eq(known, &receiver)) {
                busy.push((peer, receiver));
            }
            from = at + 1;
        }
    }

    fn flush(&self, busy: &mut Busy) {
        for (peer, receiver) in busy.drain(..) {
            let udp = &self.udp;
            receiver.flush(&Outlet { udp, peer });
        }
    }

    /// The first listener at or behind position `from`. The table is not kept locked while a receiver works.
    fn listener(
        &self,
        peer: SocketAddr,
        to: Addressee,
        from: usize,
    ) -> Option<(usize, Arc<dyn Receiver>)> {
        let table = self.table();
        let mut listeners = table.get(&peer)?.iter().enumerate().skip(from);
        let is_meant = |id: u32| to == Addressee::Anyone || to == Addressee::Session(id);
        listeners
            .find(|(_, (id, _))| is_meant(*id))
            .map(|(at, (_, receiver))| (at, Arc::clone(receiver)))
    }

    /// Adds everybody to `busy`.
    fn call(&self, busy: &mut Busy) {
        for (peer, listeners) in self.table().iter() {
            let receivers = listeners.iter().map(|(_, receiver)| receiver);
            busy.extend(receivers.map(|receiver| (*peer, Arc::clone(receiver))));
        }
    }
}

/// The task of a socket.
async fn receive(shared: Arc<Shared>) {
    let mut buffer = vec![0; MAX_DATAGRAM];
    let mut busy = Vec::new();
    let mut errors = 0;
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while errors < MAX_ERRORS {
        tokio::select! {
            biased;
            _ = shared.udp.readable() => {
                errors = take_in(&shared, &mut buffer, &mut busy, errors);
                shared.flush(&mut busy);
                tokio::task::consume_budget().await;
            }
            _ = ticks.tick() => {
                shared.call(&mut busy);
                for (_, receiver) in &busy {
                    receiver.on_tick();
                }
                shared.flush(&mut busy);
            }
        }
    }
    shared.call(&mut busy);
    for (_, receiver) in busy {
        receiver.on_closed();
    }
}

/// Takes in what has arrived. Gives the number of errors in a row.
fn take_in(shared: &Shared, buffer: &mut [u8], busy: &mut Busy, mut errors: u32) -> u32 {
    for _ in 0..BATCH {
        match shared.udp.try_recv_from(buffer) {
            Ok((length, peer)) => {
                errors = 0;
                let datagram = buffer.get_mut(..length).unwrap_or_default();
                shared.deliver(peer, datagram, busy);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            // Some systems report a refusal by one peer here.
            Err(_) => errors += 1,
        }
    }
    errors
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
