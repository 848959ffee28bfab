//! The system event log.

use bmc_core::{ErrorKind, EventMarker, Severity};
use bmc_ipmi::command::{ClearSel, Command, GetSdr, SelErasure};
use bmc_ipmi::record::sel::SelBody;
use bmc_ipmi::sim::{Sim, SimBuilder};
use bmc_ipmi::wire::Timestamp;

use crate::events;
use crate::setup::{count, failure, pair};

fn too_hot(number: u8) -> SelBody {
    events::too_hot(number, Timestamp(1_795_246_641))
}

fn with_events(count: u8) -> SimBuilder {
    (1..=count).fold(Sim::builder(), |sim, number| sim.event(too_hot(number)))
}

/// The number of the demonstration's inlet temperature.
fn inlet() -> u8 {
    let sim = Sim::builder().demo_inventory().build();
    let mut sim = sim;
    sim.sensors().named("Inlet Temp").unwrap().sensor.key.number
}

#[tokio::test]
async fn an_event_says_what_happened_where() {
    let oem = SelBody::TimestampedOem {
        record_type: 0xc5,
        timestamp: Timestamp(30),
        manufacturer: 674,
        data: [1, 2, 3, 4, 5, 6],
    };
    let sim = Sim::builder()
        .demo_inventory()
        .event(too_hot(inlet()))
        .event(oem);
    let (_sim, bmc) = pair(sim).await;
    let page = bmc.events(None, usize::MAX).await.unwrap().value;
    // Behind the events of the demonstration.
    let [.., hot, oem] = &page.events[..] else {
        panic!("{page:?}");
    };
    assert_eq!(hot.time.unwrap().to_string(), "2026-11-21T07:37:21Z");
    assert_eq!(
        (hot.severity, hot.asserted),
        (Some(Severity::Critical), Some(true))
    );
    assert_eq!(
        (hot.source.as_deref(), hot.kind.as_deref()),
        (Some("Inlet Temp"), Some("temperature"))
    );
    assert_eq!(
        hot.text,
        "upper critical going high; reading 92 °C; threshold 90 °C"
    );
    assert_eq!((hot.raw.len(), hot.id.len()), (32, 4));
    // Before the clock was set.
    assert_eq!(
        (oem.time, oem.severity, oem.source.as_deref()),
        (None, None, None)
    );
    assert!(!oem.text.is_empty());
}

#[tokio::test]
async fn a_log_is_watched_page_by_page() {
    let (sim, bmc) = pair(with_events(3)).await;
    let info = bmc.event_log().await.unwrap().value;
    assert_eq!((info.entries, info.overflow), (3, false));
    assert!(info.free.unwrap() > 0);
    let page = bmc.events(None, 2).await.unwrap().value;
    assert!(page.events.len() == 2 && page.more && !page.restarted);
    let page = bmc.events(Some(page.marker), 2).await.unwrap().value;
    assert!(page.events.len() == 1 && !page.more && !page.restarted);
    assert_eq!(page.events[0].source.as_deref(), Some("#03h of BMC"));

    let idle = bmc
        .events(Some(page.marker.clone()), 2)
        .await
        .unwrap()
        .value;
    assert!(idle.events.is_empty() && !idle.restarted);
    sim.event_log(|log| log.push(too_hot(4))).unwrap();
    let page = bmc.events(Some(idle.marker), 2).await.unwrap().value;
    assert_eq!(page.events.len(), 1);
    assert_eq!(
        count(&sim, GetSdr::NETFN, GetSdr::CMD),
        0,
        "there are no records to look names up in"
    );

    bmc.clear_events().await.unwrap();
    sim.event_log(|log| log.push(too_hot(5))).unwrap();
    let page = bmc.events(Some(page.marker), 10).await.unwrap().value;
    assert!(
        page.restarted
            && page
                .events
                .iter()
                .any(|event| event.source.as_deref() == Some("#05h of BMC"))
    );
}

#[tokio::test]
async fn a_clearing_is_started_once() {
    let (sim, bmc) = pair(with_events(3)).await;
    bmc.clear_events().await.unwrap();
    let log = sim.log();
    let starts = log.iter().filter(|done| {
        (done.netfn, done.command) == (ClearSel::NETFN, ClearSel::CMD)
            && done.data.last() == Some(&SelErasure::START.0)
    });
    assert_eq!(starts.count(), 1);
    assert!(bmc.event_log().await.unwrap().value.entries <= 1);
}

#[tokio::test]
async fn a_marker_of_another_provider_reaches_no_bmc() {
    let (sim, bmc) = pair(with_events(1)).await;
    bmc.power_state().await.unwrap();
    let before = sim.log().len();
    let failed = failure(bmc.events(Some(EventMarker::new("redfish/7")), 1).await);
    assert_eq!(failed.kind(), ErrorKind::InvalidInput);
    assert!(
        failed.to_string().contains("of another provider"),
        "{failed}"
    );
    assert_eq!(sim.log().len(), before);
}

/// FFFFh free bytes are that many or more.
#[tokio::test]
async fn room_beyond_the_counter_is_not_known() {
    for (capacity, free) in [(10, Some(10)), (5_000, None)] {
        let (_sim, bmc) = pair(Sim::builder().event_capacity(capacity)).await;
        assert_eq!(bmc.event_log().await.unwrap().value.free, free);
    }
}
