//! Reading and setting sensors.

use std::collections::BTreeMap;
use std::time::Duration;

use bmc_core::ErrorKind;
use bmc_ipmi::command::{
    Command, GetSensorReading, GetSensorReadingFactors, ReadingFactors, SensorHysteresis,
};
use bmc_ipmi::device::{SdrCache, Sensors};
use bmc_ipmi::record::Sensor;
use bmc_ipmi::record::sdr::Sharing;
use bmc_ipmi::record::sensor::{Availability, SensorStates, SensorStatus};
use bmc_ipmi::sim::{BridgeReplies, Sim, SimHandle};
use bmc_ipmi::wire::{CompletionCode, NetFn, Severity, Threshold};
use tokio::time::Instant;

use crate::inventory::{curved, drives, factors, full, latin, numeric};
use crate::setup::{connect, deadline};

async fn discover(bmc: &SimHandle) -> Sensors {
    let client = connect(bmc).await;
    Sensors::discover(&client, &SdrCache::in_memory(), deadline())
        .await
        .unwrap()
}

async fn read(sensors: &Sensors, name: &str) -> SensorStatus {
    let sensor = sensors.find(name).unwrap();
    sensors.read(sensor, deadline()).await.unwrap()
}

/// A BMC with one temperature.
async fn thermometer() -> (SimHandle, Sensors) {
    let bmc = Sim::builder()
        .records([full(numeric(1, latin("Temp")))])
        .spawn()
        .await
        .unwrap();
    let sensors = discover(&bmc).await;
    (bmc, sensors)
}

#[tokio::test]
async fn a_demonstration_reads_as_it_was_set() {
    let bmc = Sim::builder().demo_inventory().spawn().await.unwrap();
    let sensors = discover(&bmc).await;
    let statuses = sensors.sweep(deadline()).await.unwrap();
    assert_eq!(statuses.len(), sensors.list().len());
    let shown: BTreeMap<_, _> = sensors
        .list()
        .iter()
        .zip(&statuses)
        .map(|(sensor, status)| {
            let value = status
                .value
                .map(|value| format!("{value:.3} {}", sensor.units));
            let states = status.state_names(sensor).join(", ");
            (sensor.name.as_str(), value.unwrap_or(states))
        })
        .collect();
    for (name, text) in [
        ("Inlet Temp", "23.000 °C"),
        ("FAN2", "4575.000 rpm"),
        ("12V", "12.033 V"),
        ("VBAT", "3.060 V"),
        ("PS1 Input Power", "132.000 W"),
        ("CPU1 Status", "present"),
        ("PS Redundancy", "fully redundant"),
        ("Drive0", "drive present"),
        ("Drive3", ""),
        ("Intrusion", ""),
    ] {
        assert_eq!(shown[name], text, "{name}");
    }
    let severities = statuses.iter().map(SensorStatus::severity);
    assert_eq!(severities.max(), Some(Severity::Ok));
    let events = sensors.find("SEL").unwrap();
    let status = sensors.read(events, deadline()).await.unwrap();
    assert_eq!(status.availability, Availability::NotReadable);
}

#[tokio::test]
async fn thresholds_and_states_follow_the_reading() {
    let bmc = Sim::builder()
        .records([
            full(numeric(1, latin("Temp"))),
            drives(
                0x10,
                Sharing {
                    count: 2,
                    ..Sharing::default()
                },
            ),
        ])
        .spawn()
        .await
        .unwrap();
    let sensors = discover(&bmc).await;
    for (value, severity, beyond) in [
        (25.0, Severity::Ok, ""),
        (60.0, Severity::NonCritical, "upper non-critical"),
        (
            75.0,
            Severity::Critical,
            "upper non-critical, upper critical",
        ),
        (
            -20.0,
            Severity::NonRecoverable,
            "lower non-critical, lower critical, lower non-recoverable",
        ),
    ] {
        bmc.sensors(|sensors| assert!(sensors.named("Temp").unwrap().set_value(value)));
        let status = read(&sensors, "Temp").await;
        assert_eq!(status.value, Some(value));
        assert_eq!(status.severity(), severity);
        let names = status.state_names(sensors.find("Temp").unwrap());
        assert_eq!(names.join(", "), beyond);
    }
    bmc.sensors(|sensors| sensors.get_mut(0x11).unwrap().states = 0x4103);
    let slot = sensors.find("Slot1").unwrap();
    let status = sensors.read(slot, deadline()).await.unwrap();
    assert_eq!(status.states, SensorStates::Discrete(0x4103));
    assert_eq!(
        status.state_names(slot),
        [
            "drive present",
            "drive fault",
            "rebuild aborted",
            "state 14"
        ]
    );
    assert_eq!(
        (
            status.value,
            read(&sensors, "Slot0").await.state_names(slot)
        ),
        (None, vec![])
    );
}

#[tokio::test]
async fn no_reading_is_never_zero() {
    let (bmc, sensors) = thermometer().await;
    let expect = async |availability| {
        let status = read(&sensors, "Temp").await;
        assert_eq!(status.availability, availability);
        assert_eq!(
            (status.raw, status.value, status.severity()),
            (None, None, Severity::Ok)
        );
    };
    bmc.sensors(|sensors| sensors.get_mut(1).unwrap().scanning = false);
    expect(Availability::ScanningDisabled).await;
    bmc.sensors(|sensors| sensors.get_mut(1).unwrap().unavailable = true);
    expect(Availability::Unavailable).await;
    for code in [0xcb, 0xcd, 0xc9, 0xce, 0xd5, 0xd3, 0xff, 0xc1, 0x80] {
        let code = CompletionCode(code);
        bmc.sensors(|sensors| sensors.get_mut(1).unwrap().refusal = Some(code));
        expect(Availability::Refused(code)).await;
    }
    let code = CompletionCode::INSUFFICIENT_PRIVILEGE;
    bmc.sensors(|sensors| sensors.get_mut(1).unwrap().refusal = Some(code));
    let sensor = sensors.find("Temp").unwrap();
    let error = sensors.read(sensor, deadline()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(sensors.sweep(deadline()).await.is_err());
}

#[tokio::test]
async fn curves_are_straightened() {
    let mut table = curved(6, "Table", 0x70, 0, 0);
    table.factors = ReadingFactors::default();
    let bmc = Sim::builder()
        .records([
            full(curved(1, "ln", 1, 1, 0)),
            full(curved(2, "1/x", 7, 1, -3)),
            full(curved(3, "sqrt", 10, 4, 0)),
            full(curved(4, "cube", 9, 1, -1)),
            full(curved(5, "fall", 0, -2, 0)),
            full(table),
        ])
        .spawn()
        .await
        .unwrap();
    bmc.sensors(|sensors| {
        for sensor in sensors.iter_mut() {
            sensor.raw = 25;
        }
        let table = sensors.get_mut(6).unwrap();
        table.factors = BTreeMap::from([
            (0, factors(1, 0)),
            (20, factors(2, -5)),
            (100, factors(3, 7)),
        ]);
    });
    let sensors = discover(&bmc).await;
    for (name, value) in [
        ("ln", 25f64.ln()),
        ("1/x", 40.0),
        ("sqrt", 10.0),
        ("cube", 15.625),
        ("fall", -50.0),
        ("Table", 45.0),
    ] {
        let read = read(&sensors, name).await.value.unwrap();
        assert!((read - value).abs() < 1e-9, "{name}: {read} is not {value}");
    }
    read(&sensors, "Table").await;
    let asked = bmc
        .log()
        .into_iter()
        .filter(|done| (done.netfn, done.command) == (NetFn::SENSOR, GetSensorReadingFactors::CMD));
    assert_eq!(asked.count(), 1, "factors never change");
    bmc.sensors(|sensors| sensors.get_mut(6).unwrap().raw = 200);
    assert_eq!(read(&sensors, "Table").await.value, Some(607.0));
    bmc.sensors(|sensors| sensors.get_mut(1).unwrap().raw = 0);
    let status = read(&sensors, "ln").await;
    assert_eq!(
        (status.raw, status.value),
        (Some(0), None),
        "no logarithm of 0"
    );
}

#[tokio::test]
async fn thresholds_are_set_in_units() {
    let (_bmc, sensors) = thermometer().await;
    let sensor = sensors.find("Temp").unwrap();
    let before = sensors.thresholds(sensor, deadline()).await.unwrap();
    assert_eq!(
        before.values().copied().collect::<Vec<_>>(),
        [5.0, 0.0, -10.0, 60.0, 70.0, 90.0]
    );
    let change = BTreeMap::from([
        (Threshold::UpperCritical, 80.4),
        (Threshold::LowerCritical, -3.0),
    ]);
    sensors
        .set_thresholds(sensor, &change, deadline())
        .await
        .unwrap();
    let after = sensors.thresholds(sensor, deadline()).await.unwrap();
    assert_eq!(
        after.values().copied().collect::<Vec<_>>(),
        [5.0, -3.0, -10.0, 60.0, 80.0, 90.0]
    );

    assert_eq!(
        sensors.hysteresis(sensor, deadline()).await.unwrap(),
        SensorHysteresis {
            positive: 2,
            negative: 3
        }
    );
    let hysteresis = SensorHysteresis {
        positive: 4,
        negative: 4,
    };
    sensors
        .set_hysteresis(sensor, hysteresis, deadline())
        .await
        .unwrap();
    assert_eq!(
        sensors.hysteresis(sensor, deadline()).await.unwrap(),
        hysteresis
    );
    let masks = sensors.event_masks(sensor, deadline()).await.unwrap();
    assert_eq!(
        (masks.events_enabled(), masks.assertion),
        (true, Some(0x0a95))
    );
    let status = sensors.event_status(sensor, deadline()).await.unwrap();
    assert!(!status.is_unavailable());
}

#[tokio::test]
async fn wrong_settings_are_refused_before_anything_is_sent() {
    let mut fixed = numeric(2, latin("Fixed"));
    fixed.sensor.reading_mask = 0x083f;
    fixed.sensor.capabilities.0 = 0x54;
    let bmc = Sim::builder()
        .records([
            full(numeric(1, latin("Temp"))),
            full(fixed),
            drives(3, Sharing::default()),
        ])
        .spawn()
        .await
        .unwrap();
    let sensors = discover(&bmc).await;
    let sent = bmc.log().len();
    let refused = async |name: &str, threshold, value| {
        let sensor = sensors.find(name).unwrap();
        let change = BTreeMap::from([(threshold, value)]);
        let error = sensors
            .set_thresholds(sensor, &change, deadline())
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        error.to_string()
    };
    assert_eq!(
        refused("Temp", Threshold::UpperCritical, 500.0).await,
        r#"sensor "Temp" can read -50 to 205 °C, not 500"#
    );
    assert_eq!(
        refused("Fixed", Threshold::UpperCritical, 50.0).await,
        r#"sensor upper critical of "Fixed" cannot be set; these can: upper non-critical"#
    );
    assert_eq!(
        refused("Slot", Threshold::UpperCritical, 50.0).await,
        r#"sensor "Slot" has no analog reading, so no thresholds"#
    );
    refused("Temp", Threshold::UpperCritical, f64::NAN).await;
    let sensor = sensors.find("Fixed").unwrap();
    let none = SensorHysteresis {
        positive: 0,
        negative: 0,
    };
    let error = sensors
        .set_hysteresis(sensor, none, deadline())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert_eq!(bmc.log().len(), sent, "nothing was sent");
}

#[tokio::test]
async fn sensors_of_other_luns_and_controllers_are_asked_there() {
    for replies in [BridgeReplies::Follow, BridgeReplies::Embedded] {
        let mut second = numeric(1, latin("LUN 1"));
        second.sensor.key.lun = 1;
        let mut remote = numeric(1, latin("Remote"));
        remote.sensor.key.owner = 0xc0;
        let mut absent = numeric(1, latin("Absent"));
        absent.sensor.key.owner = 0xc2;
        let mut software = numeric(1, latin("Software"));
        software.sensor.key.owner = 0x41;
        let records = [numeric(1, latin("Own")), second, remote, absent, software].map(full);
        let satellite = Sim::builder().records(records.clone());
        let bmc = Sim::builder()
            .records(records)
            .luns([0, 1])
            .satellite(0, 0xc0, satellite)
            .bridge_replies(replies)
            .spawn()
            .await
            .unwrap();
        bmc.sensors(|sensors| {
            for (sensor, value) in sensors.iter_mut().zip([10.0, 20.0]) {
                assert!(sensor.set_value(value));
            }
        });
        let sensors = discover(&bmc).await;
        let statuses = sensors.sweep(deadline()).await.unwrap();
        let values: Vec<_> = statuses.iter().map(|status| status.value).collect();
        assert_eq!(values, [Some(10.0), Some(20.0), Some(25.0), None, None]);
        assert!(
            matches!(statuses[3].availability, Availability::Refused(_)),
            "{:?}",
            statuses[3]
        );
        assert_eq!(statuses[4].availability, Availability::NotReadable);

        let client = connect(&bmc).await;
        let own = Sensors::discover(&client, &SdrCache::in_memory(), deadline())
            .await
            .unwrap();
        let own = own.assume_own(true);
        assert_eq!(read(&own, "Software").await.value, Some(10.0));
    }
}

#[tokio::test]
async fn a_sweep_uses_the_window() {
    let records = (1..=32).map(|number| full(numeric(number, latin("Temp"))));
    let bmc = Sim::builder().records(records).spawn().await.unwrap();
    let client = connect(&bmc).await;
    client.set_window(8);
    let sensors = Sensors::discover(&client, &SdrCache::in_memory(), deadline())
        .await
        .unwrap();
    bmc.faults(|faults| faults.delay = Duration::from_millis(100));
    let begun = Instant::now();
    // As a task: the future is `Send` and borrows nothing.
    let sweeping = sensors.clone();
    let sweep = tokio::spawn(async move { sweeping.sweep(deadline()).await });
    let statuses = sweep.await.unwrap().unwrap();
    let elapsed = begun.elapsed();
    assert_eq!(statuses.len(), 32);
    assert!(statuses.iter().all(|status| status.value == Some(25.0)));
    // One after the other they take 3.2 s; eight at a time 0.4 s.
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
    let asked = bmc
        .log()
        .into_iter()
        .filter(|done| done.command == GetSensorReading::CMD);
    assert_eq!(asked.count(), 32);
}

#[tokio::test]
async fn readings_survive_loss() {
    let records = (1..=32).map(|number| full(numeric(number, latin("Temp"))));
    let bmc = Sim::builder()
        .records(records)
        .seed(7)
        .spawn()
        .await
        .unwrap();
    let client = connect(&bmc).await;
    client.set_window(4);
    bmc.faults(|faults| {
        faults.drop = 0.1;
        faults.duplicate = true;
        faults.reorder = Duration::from_millis(5);
    });
    let sensors = Sensors::discover(&client, &SdrCache::in_memory(), deadline())
        .await
        .unwrap();
    let statuses = sensors.sweep(deadline()).await.unwrap();
    assert!(statuses.iter().all(|status| status.value == Some(25.0)));
    let named: Vec<&Sensor> = sensors.list().iter().collect();
    assert_eq!(named.len(), 32);
}
