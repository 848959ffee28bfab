//! Sensors.

use bmc_core::{ErrorKind, SensorStatus};
use bmc_ipmi::command::{Command, GetSdr, GetSensorReading, GetSensorThresholds};
use bmc_ipmi::device::SdrCache;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::CompletionCode;

use crate::setup::{builder, count, failure, handle, pair};

#[tokio::test]
async fn every_sensor_has_a_reading_with_its_meaning() {
    let (sim, bmc) = pair(Sim::builder().demo_inventory()).await;
    let all = bmc.sensors().await.unwrap().value;
    let find = |name: &str| all.iter().find(|sensor| sensor.name == name).unwrap();
    let inlet = find("Inlet Temp");
    assert_eq!(
        (inlet.value, inlet.unit.as_deref()),
        (Some(23.0), Some("°C"))
    );
    assert_eq!(
        (inlet.kind.as_str(), inlet.status),
        ("temperature", SensorStatus::Ok)
    );
    assert!(inlet.thresholds.upper_critical > inlet.value, "{inlet:?}");
    assert!(inlet.states.is_empty());
    let redundancy = find("PS Redundancy");
    assert_eq!(
        (redundancy.value, redundancy.states.as_slice()),
        (None, &["fully redundant".to_owned()][..])
    );
    assert_eq!(redundancy.status, SensorStatus::Ok);
    assert!(
        all.iter().all(|sensor| sensor.name != "SEL"),
        "it only generates events"
    );
    let numbers = count(&sim, GetSensorReading::NETFN, GetSensorReading::CMD);
    assert_eq!(numbers, all.len());
}

#[tokio::test]
async fn a_reading_beyond_a_threshold_is_critical_and_what_is_refused_is_unavailable() {
    let (sim, bmc) = pair(Sim::builder().demo_inventory()).await;
    assert!(sim.sensors(|sensors| sensors.named("Inlet Temp").unwrap().set_value(46.0)));
    let all = bmc.sensors().await.unwrap().value;
    let inlet = all
        .iter()
        .find(|sensor| sensor.name == "Inlet Temp")
        .unwrap();
    assert_eq!(
        (inlet.value, inlet.status),
        (Some(46.0), SensorStatus::Critical),
        "{inlet:?}"
    );
    sim.sensors(|sensors| sensors.named("PS Redundancy").unwrap().states = 0x02);
    let all = bmc.sensors().await.unwrap().value;
    let redundancy = all
        .iter()
        .find(|sensor| sensor.name == "PS Redundancy")
        .unwrap();
    assert_ne!(redundancy.status, SensorStatus::Ok, "{redundancy:?}");
    // A state of the second byte: throttled.
    sim.sensors(|sensors| sensors.named("CPU1 Status").unwrap().states = 1 << 10);
    let all = bmc.sensors().await.unwrap().value;
    let processor = all.iter().find(|sensor| sensor.name == "CPU1 Status");
    let processor = processor.unwrap();
    assert_eq!(processor.status, SensorStatus::NonCritical, "{processor:?}");

    sim.faults(|faults| {
        let absent = CompletionCode::NOT_PRESENT;
        faults.completion_code(GetSensorReading::NETFN, GetSensorReading::CMD, absent);
        faults.completion_code(GetSensorThresholds::NETFN, GetSensorThresholds::CMD, absent);
    });
    let all = bmc.sensors().await.unwrap().value;
    assert!(
        all.iter()
            .all(|sensor| sensor.status == SensorStatus::Unavailable && sensor.value.is_none())
    );
}

#[tokio::test]
async fn records_are_read_once_and_by_whoever_shares_the_cache() {
    let sim = Sim::builder().demo_inventory().spawn().await.unwrap();
    let cache = SdrCache::in_memory();
    let first = handle(builder(&sim).sdr_cache(&cache));
    let seen = first.sensors().await.unwrap().value;
    let records = count(&sim, GetSdr::NETFN, GetSdr::CMD);
    assert!(records > 0);
    let second = handle(builder(&sim).sdr_cache(&cache).window(8));
    assert_eq!(second.sensors().await.unwrap().value, seen);
    assert_eq!(count(&sim, GetSdr::NETFN, GetSdr::CMD), records);
}

#[tokio::test]
async fn a_bmc_without_sensors_has_none_and_a_refusal_is_an_error() {
    let (_sim, bmc) = pair(Sim::builder()).await;
    assert_eq!(bmc.sensors().await.unwrap().value, []);
    let (sim, bmc) = pair(Sim::builder().demo_inventory()).await;
    sim.faults(|faults| {
        let refused = CompletionCode::INSUFFICIENT_PRIVILEGE;
        faults.completion_code(GetSdr::NETFN, GetSdr::CMD, refused);
    });
    let failed = failure(bmc.sensors().await);
    assert_eq!(failed.kind(), ErrorKind::PermissionDenied);
}
