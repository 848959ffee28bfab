//! HTTP on TCP for the simulated peers.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use super::body::{Manner, SimBody};

/// What a simulated peer does with a request.
#[derive(Debug)]
pub(super) enum Reaction {
    /// Answers.
    Answer(Response<Bytes>, Manner),
    /// Says nothing, for ever.
    Silence,
    /// Closes the connection.
    Hangup,
}

/// A peer that reacts to requests.
pub(super) trait Page: Send + Sync + 'static {
    fn react(&self, request: Request<Incoming>) -> impl Future<Output = Reaction> + Send;
}

/// Stops the server when it is dropped.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) addr: SocketAddr,
    task: AbortHandle,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves `page` on a free port of loopback, or at `addr`.
pub(super) async fn serve(addr: SocketAddr, page: Arc<impl Page>) -> io::Result<Running> {
    let listener = TcpListener::bind(addr).await?;
    let addr = listener.local_addr()?;
    let task = tokio::spawn(async move {
        loop {
            // A connection that broke before it was accepted.
            let Ok((socket, _)) = listener.accept().await else {
                continue;
            };
            tokio::spawn(connection(socket, Arc::clone(&page)));
        }
    });
    Ok(Running {
        addr,
        task: task.abort_handle(),
    })
}

async fn connection(socket: TcpStream, page: Arc<impl Page>) {
    let service = service_fn(|request| {
        let page = Arc::clone(&page);
        async move {
            match page.react(request).await {
                Reaction::Answer(answer, manner) => {
                    Ok(answer.map(|body| SimBody::new(body, manner)))
                }
                Reaction::Silence => pending::<Result<Response<SimBody>, Closed>>().await,
                Reaction::Hangup => Err(Closed),
            }
        }
    });
    // Whatever breaks is the peer's business.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(socket), service)
        .await;
}

/// Makes hyper close the connection without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the simulated peer hangs up")]
struct Closed;

impl From<Infallible> for Closed {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
