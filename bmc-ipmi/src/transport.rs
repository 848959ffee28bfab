//! UDP sockets shared by any number of BMCs.

mod probe;
mod resolve;
mod socket;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};

pub(crate) use resolve::resolve;
pub(crate) use socket::{LoginPermit, Outlet, Receiver, Route, Socket};

use crate::proto::greet;

/// Probe sockets open at a time.
const PROBES: usize = 32;

/// One or few UDP sockets, shared by every client that is given a clone of it.
///
/// Sockets are opened when they are first needed: one serves up to [`LOGINS_PER_SOCKET`](Self::LOGINS_PER_SOCKET)
/// logins at a time and any number of sessions, a further one is opened while all are busy, up to the limit of the
/// builder; more logins than that wait for their turn. One task a socket receives and hands each datagram to the
/// client that it is for. The tasks belong to the tokio runtime in which the first client connected and end with the
/// last clone and client.
#[derive(Clone, Debug)]
pub struct Transport {
    shared: Arc<Shared>,
}

/// Sets up a [`Transport`].
#[derive(Clone, Copy, Debug)]
pub struct TransportBuilder {
    sockets: usize,
    receive_buffer: usize,
}

#[derive(Debug)]
struct Shared {
    options: TransportBuilder,
    v4: Mutex<Vec<Arc<Socket>>>,
    v6: Mutex<Vec<Arc<Socket>>>,
    probes: Semaphore,
}

impl Transport {
    /// Logins in flight a socket: a default receive buffer holds 256 small datagrams, and a BMC may answer twice.
    pub const LOGINS_PER_SOCKET: usize = 128;

    /// A transport of at most 4 sockets for IPv4 and 4 for IPv6. Opens nothing yet.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Starts with the defaults of [`new`](Self::new).
    pub fn builder() -> TransportBuilder {
        TransportBuilder {
            sockets: 4,
            receive_buffer: 1 << 20,
        }
    }

    /// Number of sockets open now.
    pub fn open_sockets(&self) -> usize {
        [&self.shared.v4, &self.shared.v6]
            .iter()
            .map(|pool| pool.lock().unwrap_or_else(PoisonError::into_inner).len())
            .sum()
    }

    /// The right to open a socket for one peer. The semaphore is never closed, so there always is one.
    pub(crate) async fn probe_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.shared.probes.acquire().await.ok()
    }

    /// Whether the host of `peer` refuses datagrams. Silence is `false`.
    pub(crate) async fn nothing_listens(&self, peer: SocketAddr) -> bool {
        let _permit = self.probe_permit().await;
        let mut greeting = Vec::new();
        greet(0, &mut greeting);
        probe::nothing_listens(peer, &greeting).await
    }

    /// The socket that should serve the next login at `peer`.
    pub(crate) fn socket_for(&self, peer: SocketAddr) -> std::io::Result<Arc<Socket>> {
        let (pool, any): (_, SocketAddr) = match peer {
            SocketAddr::V4(_) => (&self.shared.v4, (Ipv4Addr::UNSPECIFIED, 0).into()),
            SocketAddr::V6(_) => (&self.shared.v6, (Ipv6Addr::UNSPECIFIED, 0).into()),
        };
        let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.retain(|socket| socket.is_open());
        if let Some(idle) = pool.iter().find(|socket| socket.has_room()) {
            return Ok(Arc::clone(idle));
        }
        if pool.len() < self.shared.options.sockets {
            let socket = Arc::new(Socket::open(any, self.shared.options.receive_buffer)?);
            pool.push(Arc::clone(&socket));
            return Ok(socket);
        }
        pool.iter()
            .min_by_key(|socket| socket.load())
            .cloned()
            .ok_or_else(|| std::io::Error::other("the transport has no socket"))
    }
}

impl Default for Transport {
    fn default() -> Self {
        Self::new()
    }
}

impl TransportBuilder {
    /// The greatest number of sockets for each of IPv4 and IPv6; 1 to 64, clamped.
    #[must_use]
    pub fn sockets(mut self, count: usize) -> Self {
        self.sockets = count.clamp(1, 64);
        self
    }

    /// Receive buffer of a socket in bytes, as far as the system allows; 1 MiB by default.
    #[must_use]
    pub fn receive_buffer(mut self, bytes: usize) -> Self {
        self.receive_buffer = bytes;
        self
    }

    /// The transport. Opens nothing yet.
    pub fn build(self) -> Transport {
        Transport {
            shared: Arc::new(Shared {
                options: self,
                v4: Mutex::new(Vec::new()),
                v6: Mutex::new(Vec::new()),
                probes: Semaphore::new(PROBES),
            }),
        }
    }
}
