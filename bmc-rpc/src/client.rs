//! Sends requests to a consumer, one after the other.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bmc_core::ActionId;
use bmc_core::http::HttpClient;
use tokio::time::Instant;
use tracing::{debug, info};

use crate::error::Error;
use crate::exchange::{self, Shape};
use crate::payload::{Call, Request, Response};

/// One consumer and one machine behind it.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) http: HttpClient,
    pub(crate) shape: Shape,
    pub(crate) host: String,
    pub(crate) timeout: Duration,
    pub(crate) log: bool,
    pub(crate) clock: Clock,
    pub(crate) ids: Ids,
}

/// The wall clock, injected.
#[derive(Clone)]
pub(crate) struct Clock(pub(crate) Arc<dyn Fn() -> SystemTime + Send + Sync>);

/// Gives ids that never come again: microseconds since 1970, or the next number if that has been given.
#[derive(Debug, Default)]
pub(crate) struct Ids(AtomicU64);

impl Client {
    /// Sends one request and reads the answer, by `deadline` and within the time of one request.
    pub(crate) async fn call(
        &self,
        call: Call,
        action: Option<ActionId>,
        deadline: Instant,
    ) -> Result<Response, Error> {
        let now = (self.clock.0)();
        let id = action.map_or_else(|| self.ids.next(now), ActionId::get);
        let request = Request {
            id: i64::try_from(id).unwrap_or(i64::MAX),
            host: self.host.clone(),
            call,
        };
        let http = self.shape.http_request(&request, now);
        let (began, deadline) = (Instant::now(), deadline.min(Instant::now() + self.timeout));
        let answered = self.http.send(http, deadline).await;
        let status = answered
            .as_ref()
            .ok()
            .map(|answer| answer.status().as_u16());
        let read = answered
            .map_err(Error::from)
            .and_then(|answer| exchange::read(&answer, &request));
        self.tell(&request, status, began.elapsed(), read.as_ref().err());
        read
    }

    /// One line an exchange. Bodies and headers stay out of it: they may hold tokens.
    fn tell(
        &self,
        request: &Request,
        status: Option<u16>,
        elapsed: Duration,
        error: Option<&Error>,
    ) {
        if !self.log {
            return;
        }
        let (consumer, host, id) = (
            exchange::host_and_port(&self.shape.url),
            &self.host,
            request.id,
        );
        let method = request.call.method();
        let error = error.map(tracing::field::display);
        if request.call.changes() {
            info!(
                consumer,
                host,
                id,
                method,
                status,
                ?elapsed,
                error,
                "webhook called"
            );
        } else {
            debug!(
                consumer,
                host,
                id,
                method,
                status,
                ?elapsed,
                error,
                "webhook called"
            );
        }
    }
}

impl Ids {
    fn next(&self, now: SystemTime) -> u64 {
        let since = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let micros = u64::try_from(since.as_micros())
            .unwrap_or(1)
            .clamp(1, ActionId::MAX);
        let given = |last: u64| Some(micros.max(last + 1).min(ActionId::MAX));
        match self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, given)
        {
            Ok(last) | Err(last) => micros.max(last + 1).min(ActionId::MAX),
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_rise_and_never_come_again() {
        let ids = Ids::default();
        let now = SystemTime::UNIX_EPOCH + Duration::from_micros(1_700_000_000_000_000);
        assert_eq!(ids.next(now), 1_700_000_000_000_000);
        assert_eq!(ids.next(now), 1_700_000_000_000_001);
        assert_eq!(ids.next(SystemTime::UNIX_EPOCH), 1_700_000_000_000_002);
        assert_eq!(
            ids.next(now + Duration::from_secs(1)),
            1_700_000_001_000_000
        );
    }
}
