//! The system event log, in words.

use async_trait::async_trait;
use bmc_core::{
    Error as CoreError, ErrorKind, Event, EventLog, EventLogInfo, EventMarker, EventPage, Timestamp,
};
use tokio::time::Instant;

use super::session::{IpmiSession, without_effect};
use crate::codec::Wire;
use crate::device::{SdrRepository, Sel, SelMarker};
use crate::record::Sensor;
use crate::record::sel::{SelRecord, SensorLookup, SystemEvent};
use crate::wire;

/// Free bytes of a log that has this many or more.
const MANY: u16 = 0xffff;

#[async_trait]
impl EventLog for IpmiSession {
    async fn event_log(&self) -> Result<EventLogInfo, CoreError> {
        let info = Sel::new(self.client()).info(self.deadline()).await;
        let info = info.map_err(without_effect)?;
        let room = usize::from(info.free_bytes) / SelRecord::LENGTH;
        Ok(EventLogInfo {
            entries: info.entries.into(),
            free: (info.free_bytes != MANY).then_some(room as u64),
            last_added: time(info.last_addition),
            last_cleared: time(info.last_erase),
            overflow: info.has_overflowed(),
        })
    }

    async fn events(
        &self,
        after: Option<&EventMarker>,
        limit: usize,
    ) -> Result<EventPage, CoreError> {
        let after: Option<SelMarker> = after
            .map(|marker| marker.as_str().parse())
            .transpose()
            .map_err(|error| {
                CoreError::new(
                    ErrorKind::InvalidInput,
                    "event marker is of another provider",
                )
                .with_source(error)
            })?;
        let deadline = self.sweep_deadline();
        let sel = Sel::new(self.client());
        let page = sel.entries_after(after.as_ref(), limit, deadline).await;
        let page = page.map_err(without_effect)?;
        let sensors = match page.records.iter().any(|record| record.event().is_some()) {
            true => self.known_sensors(deadline).await,
            false => Vec::new(),
        };
        Ok(EventPage {
            events: page
                .records
                .iter()
                .map(|record| event(record, &sensors.as_slice()))
                .collect(),
            marker: EventMarker::new(page.marker.to_string()),
            more: page.more,
            restarted: page.restarted,
        })
    }

    /// Done when the BMC says that the erasure is complete.
    async fn clear_events(&self) -> Result<(), CoreError> {
        let sel = Sel::new(self.client());
        Ok(sel.clear(self.sweep_deadline()).await?)
    }
}

impl IpmiSession {
    /// The sensors that events may name. Without them events have numbers.
    async fn known_sensors(&self, deadline: Instant) -> Vec<Sensor> {
        let repository = SdrRepository::new(self.client()).cached_by(&self.setup().sdr_cache);
        match repository.records(deadline).await {
            Ok(all) => Sensor::all(all.records.iter()),
            Err(error) => {
                tracing::debug!(%error, "events are left without the names of their sensors");
                Vec::new()
            }
        }
    }
}

fn event(record: &SelRecord, lookup: &impl SensorLookup) -> Event {
    let raw = record.to_bytes();
    let common = Event {
        id: format!("{:04x}", record.id),
        time: record.timestamp().and_then(time),
        raw: raw.iter().map(|byte| format!("{byte:02x}")).collect(),
        ..Event::default()
    };
    match record.event() {
        Some(system) => Event {
            severity: system.event.severity(),
            source: Some(source(system, lookup)),
            kind: Some(system.event.sensor_type.to_string()),
            asserted: Some(!system.event.deassertion),
            text: text(system, lookup),
            ..common
        },
        None => Event {
            text: record.describe(lookup),
            ..common
        },
    }
}

fn source(system: &SystemEvent, lookup: &impl SensorLookup) -> String {
    let number = system.event.sensor_number;
    lookup
        .name(system.generator, number)
        .unwrap_or_else(|| format!("#{number:02X}h of {}", system.generator))
}

/// The state, and what the event data adds.
fn text(system: &SystemEvent, lookup: &impl SensorLookup) -> String {
    let mut phrases = vec![system.event.state()];
    phrases.extend(system.details(lookup));
    phrases.join("; ")
}

fn time(time: wire::Timestamp) -> Option<Timestamp> {
    let seconds = time.seconds_since_epoch()?;
    Some(Timestamp::from_unix(seconds.into()))
}
