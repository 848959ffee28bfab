//! Operations on the system event log.

use async_trait::async_trait;

use super::{Operation, Repeat};
use crate::capability::{EventLogInfo, EventMarker, EventPage};
use crate::error::Error;
use crate::provider::Session;

/// Reads how full the event log is and when it changed.
#[derive(Clone, Copy, Debug)]
pub struct GetEventLog;

/// Reads events.
#[derive(Clone, Debug)]
pub struct GetEvents {
    /// Where to go on from; without one, from the begin of the log.
    pub after: Option<EventMarker>,
    /// How many events at most.
    pub limit: usize,
}

/// Deletes all events.
#[derive(Clone, Copy, Debug)]
pub struct ClearEvents;

#[async_trait]
impl Operation for GetEventLog {
    type Output = EventLogInfo;

    fn name(&self) -> &'static str {
        "events info"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<EventLogInfo, Error>> {
        Some(session.event_log()?.event_log().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<EventLogInfo>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for GetEvents {
    type Output = EventPage;

    fn name(&self) -> &'static str {
        "events list"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Read
    }

    fn is_sweep(&self) -> bool {
        true
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<EventPage, Error>> {
        let log = session.event_log()?;
        Some(log.events(self.after.as_ref(), self.limit).await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<EventPage>, Error>> {
        None
    }
}

#[async_trait]
impl Operation for ClearEvents {
    type Output = ();

    fn name(&self) -> &'static str {
        "events clear"
    }

    fn repeat(&self) -> Repeat {
        Repeat::Never
    }

    async fn run(&self, session: &dyn Session) -> Option<Result<(), Error>> {
        Some(session.event_log()?.clear_events().await)
    }

    async fn reached(&self, _: &dyn Session) -> Option<Result<Option<()>, Error>> {
        None
    }
}
