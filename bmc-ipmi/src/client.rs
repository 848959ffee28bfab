//! The async driver: one [`Connection`](crate::proto::Connection) on the caller's [`Transport`]. Sockets and timers, no
//! parsing.

mod builder;
mod line;
mod link;
mod payload;
mod pending;

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bmc_core::{Endpoint, ErrorKind};
use tokio::time::{Instant, timeout_at};

use crate::codec::Wire;
use crate::command::{CloseSession, Command, SetSessionPrivilegeLevel};
use crate::config::Login;
use crate::error::Error;
use crate::proto::{Connection, Known, Request};
use crate::target::Target;
use crate::transport::{Transport, resolve};

pub use builder::ClientBuilder;
pub(crate) use payload::Attached;

use link::{Link, Opening, now};

/// Unanswered sends after which a session that can be replaced is thought to be lost.
const PATIENCE: u32 = 4;

/// New sessions in a row that a command is tried in although the BMC denies that it knows the last one.
const RENEWALS: u32 = 2;

/// A session with one BMC.
///
/// Cheap to clone; clones share the session. One command is in flight at a time unless the [window](Self::set_window)
/// is greater; others wait in line. Dropping the last clone closes the session without waiting for anything. Every
/// future may be dropped at any time: the session stays usable.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
    target: Target,
}

struct Shared {
    setup: Mutex<Setup>,
    link: Mutex<Arc<Link>>,
    /// Held while a lost session is replaced. Keeps the refusal after which no login is tried any more.
    renewal: tokio::sync::Mutex<Option<Error>>,
}

/// What a session is made of.
#[derive(Clone)]
struct Setup {
    transport: Transport,
    endpoint: Endpoint,
    login: Arc<Login>,
    window: usize,
    keep_alive: Option<Duration>,
    relogin: bool,
}

impl Client {
    /// A pause for [`ClientBuilder::keep_alive`] that suits all BMCs.
    pub const KEEP_ALIVE: Duration = Duration::from_secs(25);

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
        let builder = Self::builder(transport, endpoint, login).known(known);
        builder.connect(deadline).await
    }

    /// More ways to connect.
    pub fn builder(transport: &Transport, endpoint: &Endpoint, login: Arc<Login>) -> ClientBuilder {
        ClientBuilder::new(transport, endpoint, login)
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

    /// The BMC as the user has named it.
    pub(crate) fn endpoint(&self) -> Endpoint {
        self.setup_mut(|setup| setup.endpoint.clone())
    }

    /// The BMC's address.
    pub fn peer(&self) -> SocketAddr {
        self.link().peer()
    }

    /// What was learned about the BMC; saves a later login round trips.
    pub fn known(&self) -> Known {
        self.link().known()
    }

    /// `false` once a command had no answer or the session was closed.
    pub fn is_alive(&self) -> bool {
        self.link().is_open()
    }

    /// Lets up to `window` commands of this client and its clones be in flight at a time; 1 to 8, clamped, 1 at first.
    ///
    /// Only for BMCs that are known to bear it: many have one buffer. With one that loses commands or says that it is
    /// busy, the client goes back to 1, and [`known`](Self::known) remembers.
    pub fn set_window(&self, window: usize) {
        self.setup_mut(|setup| setup.window = window);
        self.link().set_window(window);
    }

    /// Keeps an idle session from being forgotten by the BMC; see [`ClientBuilder::keep_alive`]. `None`: no more.
    pub fn set_keep_alive(&self, pause: Option<Duration>) {
        self.setup_mut(|setup| setup.keep_alive = pause);
        self.link().set_keep_alive(pause);
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
        let mut link = self.link();
        let mut denials = 0;
        loop {
            let patience = self.patience();
            let pending = link.request(command, self.target);
            let result = pending.finish(deadline, patience, C::decode_answer).await;
            let Err(error) = result else {
                return result;
            };
            denials += u32::from(is_session_unknown(&error));
            if denials > RENEWALS {
                return Err(error);
            }
            // Boxed, so that the future of a command stays small.
            link = Box::pin(self.replace(link, error, command.is_idempotent(), deadline)).await?;
        }
    }

    /// Carries out a command given as bytes and returns the response's data behind the completion code. It goes to the
    /// client's [`target`](Self::target), whatever the request names.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub async fn raw(&self, request: &Request<'_>, deadline: Instant) -> Result<Vec<u8>, Error> {
        let mut link = self.link();
        let request = &request.at(self.target);
        let mut denials = 0;
        loop {
            let patience = self.patience();
            let pending = link.request_raw(request);
            let result = pending
                .finish(deadline, patience, |code, data| {
                    code.is_ok().then(|| Ok(data.to_vec()))
                })
                .await;
            let Err(error) = result else {
                return result;
            };
            denials += u32::from(is_session_unknown(&error));
            if denials > RENEWALS {
                return Err(error);
            }
            // Boxed, so that the future of a command stays small.
            link = Box::pin(self.replace(link, error, request.idempotent, deadline)).await?;
        }
    }

    /// Sends Close Session once and forgets the keys; commands in flight end with [`Error::Closed`], or
    /// with [`Error::NoReply`] where they must not be executed twice. Idempotent.
    pub async fn close(&self) {
        self.setup_mut(|setup| setup.relogin = false);
        let link = self.link();
        link.close();
        // Only where the socket had no room.
        let _ = link.flush().await;
    }

    /// Closes the session and waits until the BMC has confirmed that, at most until `deadline`. Idempotent.
    pub async fn shut_down(&self, deadline: Instant) {
        self.setup_mut(|setup| setup.relogin = false);
        self.link().shut_down(deadline).await;
    }

    async fn open(setup: Setup, known: Known, deadline: Instant) -> Result<Self, Error> {
        let (link, ()) = log_in(&setup, known, |_| (), deadline).await?;
        Ok(Self::new(setup, Arc::new(link)))
    }

    async fn open_with<C: Command>(
        setup: Setup,
        known: Known,
        first: &C,
        deadline: Instant,
    ) -> Result<(Self, Result<C::Response, Error>), Error> {
        let data = first.to_bytes();
        let request = Request::new(first, &data);
        let ask = |connection: &mut Connection| {
            connection.overlap_login();
            connection.request(now(), &request)
        };
        let (link, ticket) = log_in(&setup, known, ask, deadline).await?;
        let client = Self::new(setup, Arc::new(link));
        let link = client.link();
        let pending = link.pending(ticket, C::NAME);
        let result = pending.finish(deadline, None, C::decode_answer).await;
        Ok((client, result))
    }

    fn new(setup: Setup, link: Arc<Link>) -> Self {
        Self {
            shared: Arc::new(Shared {
                setup: Mutex::new(setup),
                link: Mutex::new(link),
                renewal: tokio::sync::Mutex::new(None),
            }),
            target: Target::BMC,
        }
    }

    fn link(&self) -> Arc<Link> {
        let link = self.shared.link.lock();
        Arc::clone(&link.unwrap_or_else(PoisonError::into_inner))
    }

    fn setup_mut<T>(&self, change: impl FnOnce(&mut Setup) -> T) -> T {
        let setup = self.shared.setup.lock();
        change(&mut setup.unwrap_or_else(PoisonError::into_inner))
    }

    /// How long silence is borne where it can be ended by a new login.
    fn patience(&self) -> Option<u32> {
        self.setup_mut(|setup| setup.relogin.then_some(PATIENCE))
    }

    /// A new session after `error`, if another attempt in it is allowed and makes sense.
    async fn replace(
        &self,
        lost: Arc<Link>,
        error: Error,
        is_idempotent: bool,
        deadline: Instant,
    ) -> Result<Arc<Link>, Error> {
        let setup = self.setup_mut(|setup| setup.clone());
        let may_try_again = setup.relogin && is_about_session(&error, is_idempotent);
        if !may_try_again || lost.is_open() && !is_session_unknown(&error) {
            return Err(error);
        }
        let Ok(mut refusal) = timeout_at(deadline, self.shared.renewal.lock()).await else {
            return Err(error);
        };
        let current = self.link();
        if !Arc::ptr_eq(&current, &lost) {
            return Ok(current);
        }
        lost.close();
        let renewed = match &*refusal {
            Some(refusal) => Err(refusal.clone()),
            None => log_in(&setup, lost.known(), |_| (), deadline).await,
        };
        if let Err(reason) = &renewed
            && is_about_user(reason)
        {
            *refusal = Some(reason.clone());
        }
        match renewed {
            // Closed meanwhile: the new session goes with its link.
            Ok(_) if self.patience().is_none() => Err(error),
            Ok((link, ())) => {
                tracing::debug!(peer = %link.peer(), "the session was lost and replaced");
                let link = Arc::new(link);
                let mut place = self
                    .shared
                    .link
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                *place = Arc::clone(&link);
                Ok(link)
            }
            // Why there is no new session is the better answer, unless the command may have been executed.
            Err(reason) if error.effect() == bmc_core::Effect::None => Err(reason),
            Err(_) => Err(error),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("peer", &self.peer())
            .field("is_alive", &self.is_alive())
            .finish_non_exhaustive()
    }
}

/// Logs in at the first address that answers.
async fn log_in<T>(
    setup: &Setup,
    known: Known,
    first: impl Fn(&mut Connection) -> T,
    deadline: Instant,
) -> Result<(Link, T), Error> {
    let endpoint = &setup.endpoint;
    let mut addresses = timeout_at(deadline, resolve(endpoint))
        .await
        .map_err(|_| Error::resolve(&endpoint.to_string(), std::io::ErrorKind::TimedOut.into()))??
        .into_iter();
    let mut failure = Error::Closed;
    while let Some(peer) = addresses.next() {
        // What is left of the time is shared by the addresses that are left.
        let left = u32::try_from(addresses.len() + 1).unwrap_or(u32::MAX);
        let now = Instant::now();
        let until = now + deadline.saturating_duration_since(now) / left;
        let opening = Opening {
            login: Arc::clone(&setup.login),
            known,
            window: setup.window,
            keep_alive: setup.keep_alive,
        };
        match Link::open(&setup.transport, peer, opening, &first, until).await {
            Ok((link, first)) => {
                let known = link.known();
                tracing::debug!(%peer, suite = ?known.suite, round_trip = ?known.round_trip, "logged in");
                return Ok((link, first));
            }
            Err(error) if error.is_about_address() => failure = error,
            Err(error) => return Err(error),
        }
    }
    Err(failure)
}

/// Whether a command that ended like this can be tried again in another session.
fn is_about_session(error: &Error, is_idempotent: bool) -> bool {
    match error {
        Error::NoReply { .. } => is_idempotent,
        // Nothing of the command itself was sent.
        Error::Closed | Error::LoginTimeout { .. } => true,
        _ => is_session_unknown(error),
    }
}

/// Whether the BMC does not let this user in. Trying again would be refused again, and may lock the account.
fn is_about_user(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Authentication | ErrorKind::PermissionDenied
    )
}

/// Whether the BMC says that it knows no such session. It has not looked at the command.
fn is_session_unknown(error: &Error) -> bool {
    matches!(
        error,
        Error::Completion { command, code }
            if *command == SetSessionPrivilegeLevel::NAME && *code == CloseSession::INVALID_SESSION_ID
    )
}
