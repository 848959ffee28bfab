//! One request: how many at once, how long, and what its failure means.

use std::error::Error;
use std::future::Future;
use std::io;
use std::time::Duration;

use kube::core::Status;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::store::StoreError;

/// Requests on their way at once; each is a connection, for the API is spoken over HTTP/1.1.
const IN_FLIGHT: usize = 32;
/// How long one request may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// All requests but the watches.
#[derive(Debug)]
pub(super) struct Requests {
    permits: Semaphore,
}

/// What a lost answer means.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Lost {
    /// Nothing: ask again.
    Read,
    /// It may have happened.
    Write,
}

impl Requests {
    pub(super) fn new() -> Self {
        Self {
            permits: Semaphore::new(IN_FLIGHT),
        }
    }

    /// A request that changes nothing.
    pub(super) async fn read<T>(
        &self,
        request: impl Future<Output = kube::Result<T>>,
    ) -> Result<T, StoreError> {
        self.send(request, Lost::Read).await
    }

    /// A request that changes something.
    pub(super) async fn write<T>(
        &self,
        request: impl Future<Output = kube::Result<T>>,
    ) -> Result<T, StoreError> {
        self.send(request, Lost::Write).await
    }

    async fn send<T>(
        &self,
        request: impl Future<Output = kube::Result<T>>,
        lost: Lost,
    ) -> Result<T, StoreError> {
        let _permit = self.permits.acquire().await;
        match timeout(TIME_LIMIT, request).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(meaning(&error, lost)),
            Err(_) => Err(lost.error(format!("no answer in {} s", TIME_LIMIT.as_secs()))),
        }
    }
}

impl Lost {
    fn error(self, message: String) -> StoreError {
        match self {
            Self::Read => StoreError::Unavailable(message),
            Self::Write => StoreError::Unknown(message),
        }
    }
}

fn meaning(error: &kube::Error, lost: Lost) -> StoreError {
    match error {
        kube::Error::Api(status) => refusal(status, lost),
        kube::Error::SerdeError(_) if lost == Lost::Read => StoreError::Invalid(error.to_string()),
        kube::Error::Auth(_) | kube::Error::BuildRequest(_) => {
            StoreError::Unavailable(error.to_string())
        }
        _ if never_sent(error) => StoreError::Unavailable(error.to_string()),
        _ => lost.error(error.to_string()),
    }
}

fn refusal(status: &Status, lost: Lost) -> StoreError {
    let message = || status.message.clone();
    match status.code {
        409 if status.reason == "AlreadyExists" => StoreError::AlreadyExists,
        409 => StoreError::Conflict,
        404 if status.reason == "NotFound" => StoreError::Gone,
        // The server does not serve the path at all: the definition is not there.
        404 => StoreError::Unavailable(message()),
        400 | 413 | 422 => StoreError::Invalid(message()),
        401 | 403 => StoreError::Forbidden(message()),
        // Turned away before it was looked at.
        429 => StoreError::Unavailable(message()),
        _ => lost.error(message()),
    }
}

/// Whether there was no connection to send it over.
fn never_sent(error: &kube::Error) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>()
            && matches!(
                error.kind(),
                io::ErrorKind::ConnectionRefused
                    | io::ErrorKind::HostUnreachable
                    | io::ErrorKind::NetworkUnreachable
                    | io::ErrorKind::AddrNotAvailable
            )
        {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::sync::Arc;

    use kube::{Client, Config, api::Api};

    use super::*;
    use crate::api::Machine;

    fn api(code: u16, reason: &str) -> kube::Error {
        kube::Error::Api(Status::failure("why", reason).with_code(code).boxed())
    }

    #[tokio::test(start_paused = true)]
    async fn each_failure_has_its_meaning() {
        let requests = Requests::new();
        let why = || "why".to_owned();
        for (code, reason, read, write) in [
            (
                409,
                "AlreadyExists",
                StoreError::AlreadyExists,
                StoreError::AlreadyExists,
            ),
            (409, "Conflict", StoreError::Conflict, StoreError::Conflict),
            (404, "NotFound", StoreError::Gone, StoreError::Gone),
            (
                404,
                "Failed to parse error data",
                StoreError::Unavailable(why()),
                StoreError::Unavailable(why()),
            ),
            (
                422,
                "Invalid",
                StoreError::Invalid(why()),
                StoreError::Invalid(why()),
            ),
            (
                403,
                "Forbidden",
                StoreError::Forbidden(why()),
                StoreError::Forbidden(why()),
            ),
            (
                429,
                "",
                StoreError::Unavailable(why()),
                StoreError::Unavailable(why()),
            ),
            (
                500,
                "",
                StoreError::Unavailable(why()),
                StoreError::Unknown(why()),
            ),
            (
                504,
                "Timeout",
                StoreError::Unavailable(why()),
                StoreError::Unknown(why()),
            ),
        ] {
            let failed = || ready(Err::<(), _>(api(code, reason)));
            assert_eq!(requests.read(failed()).await, Err(read));
            assert_eq!(requests.write(failed()).await, Err(write));
        }
        let silent = || pending::<kube::Result<()>>();
        assert!(matches!(
            requests.read(silent()).await,
            Err(StoreError::Unavailable(_))
        ));
        assert!(matches!(
            requests.write(silent()).await,
            Err(StoreError::Unknown(_))
        ));
    }

    #[tokio::test]
    async fn a_refused_connection_has_written_nothing() {
        // Bound and dropped: nothing listens there.
        let port = {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let url = format!("http://127.0.0.1:{port}").parse().unwrap();
        let client = Client::try_from(Config::new(url)).unwrap();
        let machines: Api<Machine> = Api::namespaced(client, "ns");
        let error = Requests::new().write(machines.get("m")).await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_are_on_their_way_at_once() {
        let requests = Arc::new(Requests::new());
        let waiting: Vec<_> = (0..IN_FLIGHT)
            .map(|_| {
                let requests = Arc::clone(&requests);
                tokio::spawn(async move { requests.read(pending::<kube::Result<()>>()).await })
            })
            .collect();
        tokio::task::yield_now().await;
        let start = tokio::time::Instant::now();
        requests.read(ready(Ok(()))).await.unwrap();
        assert_eq!(start.elapsed(), TIME_LIMIT);
        for task in waiting {
            assert!(task.await.unwrap().is_err());
        }
    }
}
