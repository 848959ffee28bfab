//! The records and sensors of ipmi_sim, which `.ci/peers/ipmi_sim/bmc.emu` sets up.

use std::collections::BTreeMap;

use bmc_ipmi::command::SensorHysteresis;
use bmc_ipmi::device::{SdrCache, SdrRepository, Sensors};
use bmc_ipmi::record::sensor::Availability;
use bmc_ipmi::wire::{Severity, Threshold};
use peers::IpmiSim;

use crate::{log_in, soon};

#[tokio::test]
async fn ipmi_sim_records_and_readings() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let client = log_in(&peer, "ipmiusr", "test").await;
    let cache = SdrCache::in_memory();
    let repository = SdrRepository::new(&client).cached_by(&cache);
    let all = repository.records(soon()).await.unwrap();
    assert!(all.is_complete);
    let names: Vec<_> = all
        .records
        .iter()
        .filter_map(|record| record.body.name())
        .collect();
    assert_eq!(
        names,
        [
            "BMC",
            "watchdog",
            "MBTemp",
            "SubTemp",
            "mm1pres",
            "Fan1",
            "P12V",
            "TCtl margin"
        ]
    );
    assert!(repository.records(soon()).await.unwrap().is_cached);

    let sensors = Sensors::discover(&client, &cache, soon()).await.unwrap();
    let statuses = sensors.sweep(soon()).await.unwrap();
    let read = |name: &str| {
        let found = sensors
            .list()
            .iter()
            .zip(&statuses)
            .find(|(sensor, _)| sensor.name == name);
        found.unwrap().1.clone()
    };
    assert_eq!(read("MBTemp").value, Some(96.0));
    assert_eq!(read("SubTemp").value, Some(50.0), "on the satellite");
    assert_eq!(read("Fan1").value, Some(7500.0));
    assert_eq!(read("P12V").value, Some(12.05));
    assert_eq!(read("TCtl margin").value, Some(-10.0));
    assert_eq!(read("watchdog").availability, Availability::NotReadable);
    let presence = sensors.find("mm1pres").unwrap();
    assert_eq!(read("mm1pres").state_names(presence), ["absent"]);

    let temperature = sensors.find("MBTemp").unwrap();
    let change = BTreeMap::from([
        (Threshold::UpperNonCritical, 90.0),
        (Threshold::UpperCritical, 95.0),
    ]);
    sensors
        .set_thresholds(temperature, &change, soon())
        .await
        .unwrap();
    let thresholds = sensors.thresholds(temperature, soon()).await.unwrap();
    assert_eq!(thresholds[&Threshold::UpperCritical], 95.0);
    let status = sensors.read(temperature, soon()).await.unwrap();
    assert_eq!(status.severity(), Severity::Critical);
    let none = SensorHysteresis {
        positive: 0,
        negative: 0,
    };
    let hysteresis = sensors.hysteresis(temperature, soon()).await;
    assert!(hysteresis.is_err() || hysteresis.unwrap() == none);
    client.close().await;
}
