//! Events, sensors and components.

use std::collections::BTreeSet;

use super::step::{must_fail, open, within};
use crate::capability::{EventLog, EventMarker, EventPage};
use crate::error::ErrorKind;
use crate::provider::Provider;

/// The event log can be read in pages, and gone on with behind its end; after a clearing an old marker says so. A foreign
/// marker is refused.
pub async fn event_log_pages(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(log) = session.event_log() {
        let info = within("event_log", log.event_log()).await;
        let all = read(log, None, usize::MAX).await;
        assert!(
            !all.more && !all.restarted,
            "all events were asked for: {all:?}"
        );
        // Events may come in between.
        assert!(
            all.events.len() as u64 >= info.entries,
            "{info:?}, but {} events",
            all.events.len()
        );
        let ids: BTreeSet<_> = all.events.iter().map(|event| &event.id).collect();
        assert_eq!(ids.len(), all.events.len(), "two events have the same id");

        let mut paged = read(log, None, 1).await;
        for event in &all.events {
            assert_eq!(
                paged.events.first(),
                Some(event),
                "pages differ from the whole"
            );
            assert!(
                paged.events.len() == 1 && !paged.restarted,
                "a page of one: {paged:?}"
            );
            paged = read(log, Some(&paged.marker), 1).await;
        }
        let foreign = EventMarker::new("conformance: a foreign marker");
        let refused = must_fail("events", log.events(Some(&foreign), 1)).await;
        assert_eq!(refused, ErrorKind::InvalidInput, "a foreign marker");

        within("clear_events", log.clear_events()).await;
        let info = within("event_log", log.event_log()).await;
        assert!(info.entries <= 1, "cleared, but still there: {info:?}");
        let rest = read(log, Some(&all.marker), usize::MAX).await;
        if !all.events.is_empty() {
            assert!(rest.restarted, "the marker's place is gone: {rest:?}");
        }
    }
    session.close().await;
}

/// Every sensor has a name and an id of its own, and its numbers are numbers.
pub async fn sensors_read(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(sensors) = session.sensors() {
        let sensors = within("sensors", sensors.sensors()).await;
        let ids: BTreeSet<_> = sensors.iter().map(|sensor| &sensor.id).collect();
        assert_eq!(ids.len(), sensors.len(), "two sensors have the same id");
        for sensor in &sensors {
            assert!(
                !sensor.name.is_empty() && !sensor.kind.is_empty(),
                "{sensor:?}"
            );
            let limits = &sensor.thresholds;
            let numbers = [
                sensor.value,
                limits.lower_non_recoverable,
                limits.lower_critical,
                limits.lower_non_critical,
                limits.upper_non_critical,
                limits.upper_critical,
                limits.upper_non_recoverable,
            ];
            assert!(
                numbers.into_iter().flatten().all(f64::is_finite),
                "{sensor:?}"
            );
        }
    }
    session.close().await;
}

/// The machine has components, and each has a name.
pub async fn inventory_reads(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(inventory) = session.inventory() {
        let components = within("components", inventory.components()).await;
        assert!(!components.is_empty(), "not even the BMC is a component");
        for component in &components {
            assert!(!component.name.is_empty(), "{component:?}");
        }
    }
    session.close().await;
}

async fn read(log: &dyn EventLog, after: Option<&EventMarker>, limit: usize) -> EventPage {
    within("events", log.events(after, limit)).await
}
