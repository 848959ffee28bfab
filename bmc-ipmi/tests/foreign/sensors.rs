//! ipmitool and freeipmi read the simulated BMC's records, sensors and DCMI.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bmc_ipmi::command::{PowerLimit, PowerLimitAction};
use bmc_ipmi::wire::{CompletionCode, Threshold};

use crate::inventory::{curved, drives, every_type, factors, full, latin, numeric};
use crate::tool::{SUITES, Tool, bmc, freeipmi};

/// The columns of the first table row with this name.
fn row<'a>(table: &'a str, name: &str) -> Vec<&'a str> {
    let rows = table
        .lines()
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    rows.into_iter()
        .find(|row| row.contains(&name))
        .unwrap_or_else(|| panic!("no {name} in\n{table}"))
}

/// freeipmi keeps records in files; each test has a directory of its own.
pub(crate) fn cache(test: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("freeipmi-{test}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    format!("--sdr-cache-directory={}", path.display())
}

#[tokio::test]
async fn ipmitool_lists_what_the_simulator_holds() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().demo_inventory().spawn().await.unwrap();
    let info = tool.ipmitool(&bmc, SUITES[0], "sdr info").await;
    assert!(
        info.contains("Record Count                        : 26"),
        "{info}"
    );
    bmc.sensors(|sensors| {
        assert!(sensors.named("CPU1 Temp").unwrap().set_value(-7.0));
        assert!(sensors.named("12V").unwrap().set_value(10.2));
        sensors.named("FAN3").unwrap().scanning = false;
        sensors.named("PS1 Status").unwrap().states = 0x0009;
    });
    let list = tool.ipmitool(&bmc, SUITES[0], "sensor list").await;
    let held: BTreeMap<String, Option<f64>> = bmc.sensors(|sensors| {
        let values = sensors.iter_mut().map(|sensor| {
            let value = sensor.value_of(sensor.raw).filter(|_| sensor.scanning);
            (sensor.sensor.name.clone(), value)
        });
        values.collect()
    });
    let mut compared = 0;
    for (name, value) in held.iter().filter(|(name, _)| !name.starts_with("Drive")) {
        let row = row(&list, name);
        match value {
            Some(value) => {
                assert_eq!(
                    row[1].parse::<f64>().unwrap(),
                    (value * 1000.0).round() / 1000.0,
                    "{name}"
                );
                compared += 1;
            }
            None => assert!(row[1] == "na" || row[2] == "discrete", "{row:?}"),
        }
    }
    assert_eq!(compared, 13);
    assert_eq!(
        row(&list, "12V")[3..],
        ["cr", "na", "10.836", "11.403", "12.663", "13.230", "na"]
    );
    assert_eq!(row(&list, "PS1 Status")[3], "0x0980");

    let all = tool.ipmitool(&bmc, SUITES[1], "sdr elist all").await;
    assert_eq!(
        row(&all, "PS1 Status")[4],
        "Presence detected, Power Supply AC lost"
    );
    assert_eq!(
        row(&all, "CPU1 Temp")[1..],
        ["02h", "ok", "3.1", "-7 degrees C"]
    );
    assert_eq!(row(&all, "FAN3")[4], "Disabled");
    assert_eq!(row(&all, "SEL")[4], "Event-Only");
    assert_eq!(row(&all, "BMC")[4], "Dynamic MC @ 20h");
    assert_eq!(row(&all, "Board Monitor")[4], "Generic Device @20h:90h.0");
    let short = tool.ipmitool(&bmc, SUITES[0], "sdr list").await;
    assert_eq!(row(&short, "VBAT")[1..], ["3.06 Volts", "ok"]);
}

#[tokio::test]
async fn ipmitool_sets_thresholds() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc()
        .records([full(numeric(1, latin("Temp")))])
        .spawn()
        .await
        .unwrap();
    tool.ipmitool(&bmc, SUITES[0], "sensor thresh Temp upper 61 72 93")
        .await;
    tool.ipmitool(&bmc, SUITES[0], "sensor thresh Temp lcr 2")
        .await;
    let raw = bmc.sensors(|sensors| sensors.get_mut(1).unwrap().thresholds);
    assert_eq!(raw.0, [55, 52, 40, 111, 122, 143]);
    assert_eq!(raw.get(Threshold::UpperCritical), 122);
    let text = tool.ipmitool(&bmc, SUITES[0], "sensor get Temp").await;
    for line in [
        "Sensor Reading        : 25 (+/- 1) degrees C",
        "Upper Non-Recoverable : 93.000",
        "Lower Critical        : 2.000",
        "Positive Hysteresis   : 2.000",
        "Negative Hysteresis   : 3.000",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

/// Both programs agree with the simulator on curves, signs and factors of single readings.
#[tokio::test]
async fn curves_are_read_alike() {
    let (Some(ipmitool), Some(sensors)) = (Tool::find("ipmitool"), Tool::find("ipmi-sensors"))
    else {
        return;
    };
    let table = curved(9, "Table", 0x70, 0, 0);
    let bmc = bmc()
        .records([
            full(curved(1, "ln", 1, 1, 0)),
            full(curved(2, "log10", 2, 1, 0)),
            full(curved(3, "log2", 3, 1, 0)),
            full(curved(4, "inverse", 7, 1, -3)),
            full(curved(5, "square", 8, 1, -1)),
            full(curved(6, "cube", 9, 1, -1)),
            full(curved(7, "root", 10, 4, 0)),
            full(curved(8, "fall", 0, -2, 0)),
            full(table),
        ])
        .spawn()
        .await
        .unwrap();
    let held: Vec<(String, f64)> = bmc.sensors(|sensors| {
        let table = BTreeMap::from([(0, factors(1, 0)), (20, factors(2, -5))]);
        sensors.get_mut(9).unwrap().factors = table;
        let each = sensors.iter_mut().map(|sensor| {
            sensor.raw = 25;
            (sensor.sensor.name.clone(), sensor.value_of(25).unwrap())
        });
        each.collect()
    });
    let list = ipmitool.ipmitool(&bmc, SUITES[0], "sensor list").await;
    let free = freeipmi(&sensors, &bmc, &[&cache("curves")]).await;
    for (name, value) in held {
        let read: f64 = row(&list, &name)[1].parse().unwrap();
        assert!(
            (read - value).abs() < 6e-4,
            "{name}: ipmitool reads {read}, held is {value}"
        );
        if name == "Table" {
            // freeipmi does not ask for the factors of a reading.
            assert_eq!(row(&free, &name)[3], "N/A");
            continue;
        }
        let read: f64 = row(&free, &name)[3].parse().unwrap();
        assert!(
            (read - value).abs() < 6e-3,
            "{name}: freeipmi reads {read}, held is {value}"
        );
    }
}

#[tokio::test]
async fn freeipmi_reads_the_demonstration() {
    let Some(tool) = Tool::find("ipmi-sensors") else {
        return;
    };
    let bmc = bmc().demo_inventory().spawn().await.unwrap();
    bmc.sensors(|sensors| assert!(sensors.named("12V").unwrap().set_value(10.2)));
    let args = [
        &cache("demo")[..],
        "--output-sensor-state",
        "--shared-sensors",
    ];
    let table = freeipmi(&tool, &bmc, &args).await;
    assert_eq!(
        row(&table, "Inlet Temp")[2..],
        ["Temperature", "Nominal", "23.00", "C", "'OK'"]
    );
    assert_eq!(row(&table, "12V")[3..5], ["Critical", "10.21"]);
    assert_eq!(row(&table, "PS Redundancy")[6], "'Fully Redundant'");
    let drives = table.lines().filter(|line| line.contains("Drive Slot"));
    assert_eq!(drives.count(), 4, "{table}");
}

/// Each of them walks a repository that gives little at once and loses reservations.
#[tokio::test]
async fn every_record_type_is_walked_in_parts() {
    let (Some(ipmitool), Some(sensors)) = (Tool::find("ipmitool"), Tool::find("ipmi-sensors"))
    else {
        return;
    };
    let bmc = bmc().records(every_type()).spawn().await.unwrap();
    bmc.repository(|repository| {
        repository.quirks.largest_read = Some(24);
        repository.quirks.refusal = Some(CompletionCode::CANNOT_RETURN_LENGTH);
        repository.quirks.lose_reservations = 1;
    });
    let list = ipmitool.ipmitool(&bmc, SUITES[0], "sdr elist all").await;
    assert_eq!(row(&list, "LM75")[4], "Generic Device @20h:91h.0");
    assert_eq!(row(&list, "HSC")[4], "Static MC @ C0h");
    let args = [&cache("types")[..], "--shared-sensors"];
    let table = freeipmi(&sensors, &bmc, &args).await;
    let shared = table.lines().filter(|line| line.contains("Drive Slot"));
    assert_eq!(shared.count(), 3, "{table}");
    let single = drives(1, bmc_ipmi::record::sdr::Sharing::default());
    assert_eq!(single.name().as_deref(), Some("Slot"));
}

#[tokio::test]
async fn ipmitool_speaks_dcmi() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().demo_inventory().spawn().await.unwrap();
    let ask = async |command: &str| {
        tool.ipmitool(&bmc, SUITES[0], &format!("dcmi {command}"))
            .await
    };
    let power = ask("power reading").await;
    for line in [
        "Instantaneous power reading:                   260 Watts",
        "Minimum during sampling period:                 96 Watts",
        "Average power reading over sample period:      248 Watts",
        "Sampling period:                          00003600 Seconds.",
    ] {
        assert!(power.contains(line), "{line} is not in\n{power}");
    }
    assert!(
        ask("power get_limit")
            .await
            .contains("No Active Power Limit")
    );
    ask("power set_limit limit 500").await;
    ask("power activate").await;
    let limit = PowerLimit {
        action: PowerLimitAction::NONE,
        watts: 500,
        correction_ms: 0,
        sampling_s: 0,
    };
    assert_eq!(
        bmc.dcmi(|dcmi| (dcmi.limit, dcmi.limit_active)),
        (Some(limit), true)
    );
    assert!(ask("power get_limit").await.contains("Power Limit Active"));

    bmc.dcmi(|dcmi| {
        let inlets = dcmi.temperatures.values_mut().next().unwrap();
        inlets[0].celsius = -12;
    });
    let temperatures = ask("get_temp_reading").await;
    assert!(
        temperatures.contains("-12 C") && temperatures.contains("+48 C"),
        "{temperatures}"
    );
    assert!(ask("sensors").await.contains("Record ID 0x0003: CPU2 Temp"));

    assert_eq!(ask("asset_tag").await, "Asset tag: RACK-07-U12");
    ask("set_asset_tag HELLO-WORLD-0123456789").await;
    assert_eq!(
        bmc.dcmi(|dcmi| dcmi.asset_tag.clone()),
        b"HELLO-WORLD-0123456789"
    );
    ask("set_mc_id_string bmc-seven").await;
    assert_eq!(bmc.dcmi(|dcmi| dcmi.mc_id.clone()), b"bmc-seven\0");
    assert!(ask("discover").await.contains("Power management available"));
    assert!(ask("get_conf_param").await.contains("120 seconds"));
}

#[tokio::test]
async fn freeipmi_speaks_dcmi() {
    let Some(tool) = Tool::find("ipmi-dcmi") else {
        return;
    };
    let bmc = bmc().demo_inventory().spawn().await.unwrap();
    let ask = async |option: &str| freeipmi(&tool, &bmc, &[option]).await;
    let power = ask("--get-system-power-statistics").await;
    assert!(
        power.contains("Current Power                        : 260 Watts"),
        "{power}"
    );
    assert!(power.contains("3600000 milliseconds"), "{power}");
    let info = ask("--get-dcmi-capability-info").await;
    for line in [
        "DCMI Specification Conformance                     : 1.5",
        "Number of SEL entries                              : 1000",
        "Available Rolling Average Time Period              : 1 Minutes",
    ] {
        assert!(info.contains(line), "{line} is not in\n{info}");
    }
    assert_eq!(ask("--get-asset-tag").await, "RACK-07-U12");
    assert_eq!(
        ask("--get-management-controller-identifier-string").await,
        "bmc-demo"
    );
    let sensors = ask("--get-dcmi-sensor-info").await;
    assert!(
        sensors.contains("CPU Temperature SDR Record IDs\n2\n3"),
        "{sensors}"
    );
}
