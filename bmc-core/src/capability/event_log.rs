//! What the BMC has noted about its host.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::timestamp::Timestamp;
use crate::vocabulary::{UnknownWord, word};

/// Reads and clears the system event log.
#[async_trait]
pub trait EventLog: Send + Sync {
    /// Reads how full the log is and when it changed.
    async fn event_log(&self) -> Result<EventLogInfo, Error>;

    /// Reads at most `limit` events in the order of the log, from its begin or behind `after`.
    ///
    /// A marker that another provider gave is [`ErrorKind::InvalidInput`](crate::ErrorKind::InvalidInput).
    async fn events(&self, after: Option<&EventMarker>, limit: usize) -> Result<EventPage, Error>;

    /// Deletes all events. Sent at most once: a repeat could delete what nobody has read. BMCs often note the clearing
    /// itself as the first new event.
    async fn clear_events(&self) -> Result<(), Error>;
}

/// How full an event log is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventLogInfo {
    /// Events in the log.
    pub entries: u64,
    /// Further events that it has room for, if the BMC tells.
    pub free: Option<u64>,
    /// When the last event was added.
    pub last_added: Option<Timestamp>,
    /// When it was cleared.
    pub last_cleared: Option<Timestamp>,
    /// Whether events were lost because it was full.
    pub overflow: bool,
}

/// A part of an event log.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventPage {
    /// The events, in the order of the log: oldest first.
    pub events: Vec<Event>,
    /// The place behind the last of them, to go on from.
    pub marker: EventMarker,
    /// Whether there are more.
    pub more: bool,
    /// Whether the place to go on from was gone, because the log was cleared or has dropped old events: these events
    /// are from its begin, and some before them may have been missed.
    pub restarted: bool,
}

/// A place in an event log that can be kept, also over a restart of the program. Its text is the provider's own affair.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(transparent)]
pub struct EventMarker(String);

/// One event.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// What the protocol calls this entry.
    pub id: String,
    /// When it happened; `None` if the BMC's clock was not set.
    pub time: Option<Timestamp>,
    /// How bad it is, if that is known.
    pub severity: Option<Severity>,
    /// What it is about: a sensor or a component.
    pub source: Option<String>,
    /// The type of the sensor, in the words of the protocol.
    pub kind: Option<String>,
    /// Whether a condition began (`true`) or ended.
    pub asserted: Option<bool>,
    /// What happened, for a person to read.
    pub text: String,
    /// The protocol's own form: bytes in hexadecimal, or JSON.
    pub raw: String,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Severity {
    /// Nothing is wrong.
    Ok,
    /// Something wants attention.
    NonCritical,
    /// Something fails.
    Critical,
    /// Something has failed and will not come back by itself.
    NonRecoverable,
}

word!(Severity, "severity" {
    Ok => "ok", NonCritical => "non-critical", Critical => "critical", NonRecoverable => "non-recoverable",
});

impl EventMarker {
    /// The marker with this text; for providers, and for programs that have kept one.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EventMarker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
