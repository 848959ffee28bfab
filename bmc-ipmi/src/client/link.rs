//! A connection and its place on a socket.

use std::future::{Future, pending, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::time::{Instant, sleep_until, timeout_at};
use zeroize::Zeroize;

use crate::client::line::{Line, Sent, State};
use crate::client::pending::Pending;
use crate::command::{CloseSession, Command};
use crate::config::Login;
use crate::error::{Error, Step};
use crate::proto::{Connection, Event, Known, Request, Ticket};
use crate::target::Target;
use crate::transport::{LoginPermit, Route, Socket, Transport};

/// Length of the longest command that holds a secret, in bytes.
const SECRET_COMMAND: usize = 32;

/// One login and its session. Dropping it sends Close Session.
pub(super) struct Link {
    line: Arc<Line>,
    route: Route,
}

/// How to log in.
#[derive(Clone)]
pub(super) struct Opening {
    pub(super) login: Arc<Login>,
    pub(super) known: Known,
    pub(super) window: usize,
    pub(super) keep_alive: Option<Duration>,
}

type Probe = Pin<Box<dyn Future<Output = bool> + Send>>;

impl Link {
    /// Logs in at one address. `first` may request a command that overlaps the login.
    pub(super) async fn open<T>(
        transport: &Transport,
        peer: SocketAddr,
        opening: Opening,
        first: impl FnOnce(&mut Connection) -> T,
        deadline: Instant,
    ) -> Result<(Self, T), Error> {
        let socket = transport.socket_for(peer).map_err(no_socket)?;
        let permit = timeout_at(deadline, socket.login_permit())
            .await
            .map_err(|_| Error::LoginTimeout {
                step: Step::OpenSession,
                sent: 0,
                last: None,
            })?;
        let (link, first) = Self::begin(socket, peer, opening, first)?;
        // Boxed, so that thousands that wait for their turn need little memory.
        Box::pin(link.log_in(transport, permit, deadline)).await?;
        Ok((link, first))
    }

    pub(super) fn peer(&self) -> SocketAddr {
        self.route.peer()
    }

    pub(super) fn known(&self) -> Known {
        self.line.lock().connection.known()
    }

    pub(super) fn is_open(&self) -> bool {
        self.line.lock().connection.is_open()
    }

    pub(super) fn set_window(&self, window: usize) {
        self.line.lock().connection.set_window(window);
    }

    pub(super) fn set_keep_alive(&self, pause: Option<Duration>) {
        self.line.lock().set_keep_alive(pause);
    }

    /// Puts a typed command in line.
    pub(super) fn request<C: Command>(&self, command: &C, target: Target) -> Pending<'_> {
        let mut state = self.line.lock();
        let mut data = std::mem::take(&mut state.scratch);
        data.clear();
        // Room for a secret, so that no outgrown buffer keeps a part of it.
        data.reserve(SECRET_COMMAND);
        command.encode(&mut data);
        let request = Request::new(command, &data).at(target);
        let ticket = state.connection.request(now(), &request);
        data.zeroize();
        state.scratch = data;
        drop(state);
        self.pending(ticket, C::NAME)
    }

    /// Puts a command in line that is given as bytes.
    pub(super) fn request_raw(&self, request: &Request<'_>) -> Pending<'_> {
        let ticket = self.line.lock().connection.request(now(), request);
        self.pending(ticket, request.name)
    }

    /// The command that was requested with the login.
    pub(super) fn pending(&self, ticket: Ticket, name: &'static str) -> Pending<'_> {
        Pending::new(self, ticket, name)
    }

    /// Sends Close Session.
    pub(super) fn close(&self) {
        self.line.lock().close(&self.route.outlet(), now());
    }

    /// Sends Close Session until the BMC answers, or the time is over.
    pub(super) async fn shut_down(&self, deadline: Instant) {
        let session_id = self.line.lock().connection.bmc_id();
        if let Some(session_id) = session_id
            && self.is_open()
        {
            let farewell = self.request(&CloseSession { session_id }, Target::BMC);
            if farewell
                .finish(deadline, None, |code, _| code.is_ok().then_some(Ok(())))
                .await
                .is_ok()
            {
                self.line.lock().end(now());
                return;
            }
        }
        self.close();
    }

    pub(super) fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.line.lock()
    }

    /// Sends what is to be sent; waits for room in the socket.
    pub(super) async fn flush(&self) -> io::Result<()> {
        let outlet = self.route.outlet();
        loop {
            let sent = self.line.lock().transmit(&outlet)?;
            match sent {
                Sent::All => return Ok(()),
                Sent::Blocked => outlet.writable().await?,
            }
        }
    }

    /// Drops a command, so that another one may have its turn.
    pub(super) fn forget(&self, ticket: Ticket) {
        let mut state = self.line.lock();
        state.forget(ticket, now());
        let _ = state.transmit(&self.route.outlet());
    }

    /// Sends what can be sent at once.
    pub(super) fn flush_now(&self) {
        let _ = self.line.lock().transmit(&self.route.outlet());
    }

    /// A login that is about to start. Apart from [`open`](Self::open), whose future need not hold all this.
    fn begin<T>(
        socket: Arc<Socket>,
        peer: SocketAddr,
        opening: Opening,
        first: impl FnOnce(&mut Connection) -> T,
    ) -> Result<(Self, T), Error> {
        let mut seed = [0; 32];
        SysRng
            .try_fill_bytes(&mut seed)
            .map_err(|error| no_socket(io::Error::other(error)))?;
        let mut connection = Connection::new(opening.login, opening.known, now(), seed);
        connection.set_window(opening.window);
        let first = first(&mut connection);
        let console_id = connection.console_id();
        let line = Arc::new(Line::new(connection, opening.keep_alive, now()));
        let route = Route::new(socket, peer, console_id, Arc::clone(&line) as _);
        Ok((Self { line, route }, first))
    }

    async fn log_in(
        &self,
        transport: &Transport,
        mut permit: Option<LoginPermit>,
        deadline: Instant,
    ) -> Result<(), Error> {
        let peer = self.route.peer();
        let mut probe: Option<Probe> = None;
        loop {
            let flushed = self.flush().await;
            flushed.map_err(|error| Error::Send {
                peer,
                source: Arc::new(error),
            })?;
            let (until, is_silent) = {
                let mut state = self.line.lock();
                if Instant::now() >= deadline {
                    // The login may have ended at the last moment.
                    return match state.connection.poll_event() {
                        Some(Event::Established) => Ok(()),
                        Some(Event::LoginFailed(error)) => Err(error),
                        None => Err(state.connection.give_up(now())),
                    };
                }
                let timeout = state.connection.poll_timeout();
                let until = timeout.map_or(deadline, |at| Instant::from_std(at).min(deadline));
                (until, state.connection.is_silent())
            };
            // The permit guards the receive buffer, which a silent BMC does not fill.
            if is_silent && permit.take().is_some() {
                let transport = transport.clone();
                probe = Some(Box::pin(
                    async move { transport.nothing_listens(peer).await },
                ));
            }
            let ended = poll_fn(|cx| self.line.lock().poll_login(until.into_std(), cx));
            tokio::select! {
                biased;
                event = ended => match event {
                    Some(Event::Established) => return Ok(()),
                    Some(Event::LoginFailed(error)) => return Err(error),
                    None if self.line.lock().is_gone() => {
                        return Err(self.line.lock().connection.give_up(now()));
                    }
                    None => {}
                },
                refused = finish(&mut probe) => {
                    probe = None;
                    if refused {
                        return Err(Error::Unreachable { peer });
                    }
                }
                () = sleep_until(until) => self.line.lock().on_timeout(now()),
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close();
    }
}

/// The probe's result; never without a probe.
async fn finish(probe: &mut Option<Probe>) -> bool {
    match probe {
        Some(probe) => probe.await,
        None => pending().await,
    }
}

fn no_socket(error: io::Error) -> Error {
    Error::Socket(Arc::new(error))
}

pub(super) fn now() -> std::time::Instant {
    Instant::now().into_std()
}
