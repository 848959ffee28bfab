//! The async driver: one [`Connection`] on the caller's [`Transport`]. Sockets and timers, no parsing.

mod link;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bmc_core::Endpoint;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::command::Command;
use crate::config::Login;
use crate::error::Error;
use crate::proto::{Known, Request};
use crate::target::Target;
use crate::transport::{Transport, resolve};

use link::Link;

/// A session with one BMC.
///
/// Cheap to clone; one command is in flight at a time, others wait. Dropping the last clone closes the session without
/// waiting for anything. Every future may be dropped at any time: the session stays usable.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
    target: Target,
}

struct Shared {
    peer: SocketAddr,
    known: Known,
    is_alive: AtomicBool,
    link: Mutex<Link>,
}

impl Client {
    /// Logs in at the first address of `endpoint` that answers. `known` comes from an earlier client of this BMC.
    ///
    /// # Errors
    /// The name has no address, nothing listens, no answer came in time, or the BMC refused. A refusal is final: it is
    /// not tried again at another address.
    pub async fn connect(
        transport: &Transport,
        endpoint: &Endpoint,
        login: Arc<Login>,
        known: Known,
        deadline: Instant,
    ) -> Result<Self, Error> {
        let mut addresses = timeout_at(deadline, resolve(endpoint))
            .await
            .map_err(|_| {
                Error::resolve(&endpoint.to_string(), std::io::ErrorKind::TimedOut.into())
            })??
            .into_iter();
        let mut failure = Error::Closed;
        while let Some(peer) = addresses.next() {
            // What is left of the time is shared by the addresses that are left.
            let left = u32::try_from(addresses.len() + 1).unwrap_or(u32::MAX);
            let now = Instant::now();
            let until = now + deadline.saturating_duration_since(now) / left;
            let opening = Link::open(transport, peer, Arc::clone(&login), known, until);
            match opening.await {
                Ok(link) => {
                    let known = link.known();
                    tracing::debug!(%peer, suite = ?known.suite, round_trip = ?known.round_trip, "logged in");
                    return Ok(Self {
                        target: Target::BMC,
                        shared: Arc::new(Shared {
                            peer,
                            known,
                            is_alive: AtomicBool::new(true),
                            link: Mutex::new(link),
                        }),
                    });
                }
                Err(error) if error.is_about_address() => failure = error,
                Err(error) => return Err(error),
            }
        }
        Err(failure)
    }

    /// The same session, but commands go to `target`: another LUN, or a controller behind the BMC.
    #[must_use]
    pub fn at(&self, target: Target) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            target,
        }
    }

    /// Who executes the commands.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The BMC's address.
    pub fn peer(&self) -> SocketAddr {
        self.shared.peer
    }

    /// What was learned about the BMC; saves a later login round trips.
    pub fn known(&self) -> Known {
        self.shared.known
    }

    /// `false` once a command had no answer or the session was closed.
    pub fn is_alive(&self) -> bool {
        self.shared.is_alive.load(Ordering::Relaxed)
    }

    /// Carries out a typed command.
    ///
    /// It is repeated until `deadline` if that makes no difference to the BMC; other commands are sent once. The
    /// session's privilege is raised first where the command needs that.
    ///
    /// # Errors
    /// No answer came in time, or the BMC answered with a completion code or nonsense. [`Error::effect`] says whether
    /// the BMC may have acted.
    pub async fn execute<C: Command>(
        &self,
        command: &C,
        deadline: Instant,
    ) -> Result<C::Response, Error> {
        let mut link = self.lock(C::NAME, deadline).await?;
        let mut data = link.take_data();
        command.encode(&mut data);
        let request = Request::new(command, &data).at(self.target);
        let result = link.exchange(&request, deadline).await;
        link.put_data(data);
        self.note(&link);
        result?;
        Ok(C::decode_response(link.reply())?)
    }

    /// Carries out a command given as bytes and returns the response's data behind the completion code. It goes to the
    /// client's [`target`](Self::target), whatever the request names.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub async fn raw(&self, request: &Request<'_>, deadline: Instant) -> Result<Vec<u8>, Error> {
        let mut link = self.lock(request.name, deadline).await?;
        let result = link.exchange(&request.at(self.target), deadline).await;
        self.note(&link);
        result?;
        Ok(link.reply().to_vec())
    }

    /// Sends Close Session once and forgets the keys; waits for the command in flight. Idempotent.
    pub async fn close(&self) {
        self.shared.is_alive.store(false, Ordering::Relaxed);
        self.shared.link.lock().await.close().await;
    }

    async fn lock(
        &self,
        command: &'static str,
        deadline: Instant,
    ) -> Result<tokio::sync::MutexGuard<'_, Link>, Error> {
        timeout_at(deadline, self.shared.link.lock())
            .await
            .map_err(|_| Error::NotSent { command })
    }

    fn note(&self, link: &Link) {
        self.shared
            .is_alive
            .store(link.is_open(), Ordering::Relaxed);
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("peer", &self.shared.peer)
            .field("is_alive", &self.is_alive())
            .finish_non_exhaustive()
    }
}
