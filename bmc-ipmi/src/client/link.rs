//! A connection and its place on a socket.

use std::future::{Future, pending};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::config::Login;
use crate::error::{Error, Step};
use crate::proto::{Connection, Event, Known, Request};
use crate::transport::{LoginPermit, Route, Transport};

/// Drives one connection. Dropping it sends Close Session.
pub(super) struct Link {
    /// Boxed, so that the futures that hold a link stay small.
    connection: Box<Connection>,
    route: Route,
    inbound: Vec<u8>,
    outbound: Vec<u8>,
    data: Vec<u8>,
}

type Probe = Pin<Box<dyn Future<Output = bool> + Send>>;

impl Link {
    /// Logs in at one address.
    pub(super) async fn open(
        transport: &Transport,
        peer: SocketAddr,
        login: Arc<Login>,
        known: Known,
        deadline: Instant,
    ) -> Result<Self, Error> {
        let socket = transport.socket_for(peer).map_err(no_socket)?;
        let permit = timeout_at(deadline, socket.login_permit())
            .await
            .map_err(|_| Error::LoginTimeout {
                step: Step::OpenSession,
                sent: 0,
                last: None,
            })?;
        let mut seed = [0; 32];
        SysRng
            .try_fill_bytes(&mut seed)
            .map_err(|error| no_socket(io::Error::other(error)))?;
        let connection = Box::new(Connection::new(login, known, now(), seed));
        let mut link = Self {
            route: Route::new(socket, peer, connection.console_id()),
            connection,
            inbound: Vec::new(),
            outbound: Vec::new(),
            data: Vec::new(),
        };
        // Boxed, so that thousands that wait for their turn need little memory.
        Box::pin(link.log_in(transport, permit, deadline)).await?;
        Ok(link)
    }

    pub(super) fn known(&self) -> Known {
        self.connection.known()
    }

    pub(super) fn is_open(&self) -> bool {
        self.connection.is_open()
    }

    /// The data of the last answer.
    pub(super) fn reply(&self) -> &[u8] {
        self.connection.reply()
    }

    /// An empty buffer for a command's data.
    pub(super) fn take_data(&mut self) -> Vec<u8> {
        let mut data = std::mem::take(&mut self.data);
        data.clear();
        data
    }

    pub(super) fn put_data(&mut self, data: Vec<u8>) {
        self.data = data;
    }

    /// Carries out one command; its answer is in `reply`.
    pub(super) async fn exchange(
        &mut self,
        request: &Request<'_>,
        deadline: Instant,
    ) -> Result<(), Error> {
        self.connection.request(now(), request);
        loop {
            // A datagram that cannot be sent is a lost one.
            let _ = self.flush().await;
            match self.connection.poll_event() {
                Some(Event::Reply(code)) if code.is_ok() => return Ok(()),
                Some(Event::Reply(code)) => {
                    let command = request.name;
                    return Err(Error::Completion { command, code });
                }
                Some(Event::CommandFailed(error) | Event::LoginFailed(error)) => return Err(error),
                Some(Event::Established) | None => {}
            }
            if Instant::now() >= deadline {
                return Err(self.connection.give_up(now()));
            }
            let wake = self.wake_before(deadline);
            match timeout_at(wake, self.route.receive(&mut self.inbound)).await {
                Ok(true) => self.take_in(),
                Ok(false) => return Err(self.connection.give_up(now())),
                Err(_) => self.connection.on_timeout(now()),
            }
        }
    }

    /// Sends Close Session.
    pub(super) async fn close(&mut self) {
        self.connection.close(now());
        let _ = self.flush().await;
    }

    async fn log_in(
        &mut self,
        transport: &Transport,
        mut permit: Option<LoginPermit>,
        deadline: Instant,
    ) -> Result<(), Error> {
        let peer = self.route.peer();
        let mut probe: Option<Probe> = None;
        loop {
            self.flush().await?;
            match self.connection.poll_event() {
                Some(Event::Established) => return Ok(()),
                Some(Event::LoginFailed(error) | Event::CommandFailed(error)) => return Err(error),
                Some(Event::Reply(_)) | None => {}
            }
            if Instant::now() >= deadline {
                return Err(self.connection.give_up(now()));
            }
            // The permit guards the receive buffer, which a silent BMC does not fill.
            if self.connection.is_silent() && permit.take().is_some() {
                let transport = transport.clone();
                probe = Some(Box::pin(
                    async move { transport.nothing_listens(peer).await },
                ));
            }
            let wake = self.wake_before(deadline);
            tokio::select! {
                biased;
                is_open = self.route.receive(&mut self.inbound) => match is_open {
                    true => self.take_in(),
                    false => return Err(self.connection.give_up(now())),
                },
                refused = finish(&mut probe) => {
                    probe = None;
                    if refused {
                        return Err(Error::Unreachable { peer });
                    }
                }
                () = sleep_until(wake) => self.connection.on_timeout(now()),
            }
        }
    }

    /// Takes in the received datagram and all others that have arrived, so that the newest decides.
    fn take_in(&mut self) {
        loop {
            self.connection.on_datagram(now(), &mut self.inbound);
            if !self.route.receive_now(&mut self.inbound) {
                break;
            }
        }
        // A stream of datagrams must not keep time from passing.
        self.connection.on_timeout(now());
    }

    fn wake_before(&self, deadline: Instant) -> Instant {
        self.connection
            .poll_timeout()
            .map_or(deadline, |at| Instant::from_std(at).min(deadline))
    }

    async fn flush(&mut self) -> Result<(), Error> {
        while self.connection.poll_transmit(&mut self.outbound) {
            match self.route.send(&self.outbound).await {
                Err(error) if is_about_route(error.kind()) => {
                    return Err(Error::Send {
                        peer: self.route.peer(),
                        source: Arc::new(error),
                    });
                }
                // Anything else, such as a full queue, is a lost datagram.
                _ => {}
            }
        }
        Ok(())
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.connection.close(now());
        while self.connection.poll_transmit(&mut self.outbound) {
            self.route.send_now(&self.outbound);
        }
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

fn is_about_route(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NetworkUnreachable
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::AddrNotAvailable
            | ErrorKind::PermissionDenied
            | ErrorKind::InvalidInput
    )
}

fn now() -> std::time::Instant {
    Instant::now().into_std()
}
