//! What the BMC in memory lists: events, sensors and components.

use async_trait::async_trait;

use super::super::host::Log;
use super::MemorySession;
use crate::capability::{
    Component, EventLog, EventLogInfo, EventMarker, EventPage, Inventory, Sensor, Sensors,
};
use crate::error::{Error, ErrorKind};

#[async_trait]
impl EventLog for MemorySession {
    async fn event_log(&self) -> Result<EventLogInfo, Error> {
        let read = self.request(
            |host| EventLogInfo {
                entries: host.log.events.len() as u64,
                last_added: host.log.events.last().and_then(|event| event.time),
                ..EventLogInfo::default()
            },
            |_| EventLogInfo::default(),
        );
        read.await
    }

    async fn events(&self, after: Option<&EventMarker>, limit: usize) -> Result<EventPage, Error> {
        let after = after.map(place).transpose()?;
        self.request(
            |host| page(&host.log, after, limit),
            |_| page(&Log::default(), None, 0),
        )
        .await
    }

    async fn clear_events(&self) -> Result<(), Error> {
        let cleared = self.request(
            |host| {
                host.counters.event_clears += 1;
                host.log.events.clear();
                host.log.clears += 1;
            },
            |()| (),
        );
        cleared.await
    }
}

#[async_trait]
impl Sensors for MemorySession {
    async fn sensors(&self) -> Result<Vec<Sensor>, Error> {
        self.request(|host| host.sensors.clone(), |_| Vec::new())
            .await
    }
}

#[async_trait]
impl Inventory for MemorySession {
    async fn components(&self) -> Result<Vec<Component>, Error> {
        self.request(|host| host.components.clone(), |_| Vec::new())
            .await
    }
}

/// A marker is the number of clearings and the number of events before it.
fn place(marker: &EventMarker) -> Result<(u64, usize), Error> {
    let parts = marker.as_str().split_once('/');
    parts
        .and_then(|(clears, before)| Some((clears.parse().ok()?, before.parse().ok()?)))
        .ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidInput,
                "event marker is of another provider",
            )
        })
}

fn page(log: &Log, after: Option<(u64, usize)>, limit: usize) -> EventPage {
    let restarted = after.is_some_and(|(clears, _)| clears != log.clears);
    let skipped = match after {
        Some((_, before)) if !restarted => before,
        _ => 0,
    };
    let events: Vec<_> = log
        .events
        .iter()
        .skip(skipped)
        .take(limit)
        .cloned()
        .collect();
    let before = skipped + events.len();
    EventPage {
        marker: EventMarker::new(format!("{}/{before}", log.clears)),
        more: before < log.events.len(),
        events,
        restarted,
    }
}
