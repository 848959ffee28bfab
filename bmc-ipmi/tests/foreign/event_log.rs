//! The event log of the simulated BMC as other programs read, add to and clear it.

use bmc_ipmi::command::{PefCapabilities, PefSetting};
use bmc_ipmi::record::Sensor;
use bmc_ipmi::record::Text;
use bmc_ipmi::record::sdr::{Sdr, SdrBody};
use bmc_ipmi::record::sel::{Generator, SelBody, SelRecord};
use bmc_ipmi::sim::{SimBuilder, SimHandle};
use bmc_ipmi::wire::Timestamp;

use crate::alerts::{FILTER, POLICY};
use crate::inventory::numeric;
use crate::record_samples::log;
use crate::tool::{SUITES, Tool, bmc, freeipmi};

/// A BMC with these events, and the record of the temperature sensor that some of them are of.
fn with(events: &[SelBody]) -> SimBuilder {
    let events = events.iter().copied();
    events.fold(bmc().records([temperature()]), SimBuilder::event)
}

fn temperature() -> SdrBody {
    SdrBody::Full(Box::new(numeric(0x30, Text::plain("CPU 1"))))
}

fn stored(bmc: &SimHandle) -> Vec<SelRecord> {
    bmc.event_log(|log| log.records().to_vec())
}

/// Cells of the rows of a table.
fn rows(table: &str, separator: char) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let cells = line.split(separator).map(|cell| cell.trim().to_owned());
        cells.collect()
    };
    table.lines().map(cells).collect()
}

/// What ipmitool's and freeipmi's words for each of [`log`]'s events are.
const WORDS: [[&str; 2]; 9] = [
    ["Upper Critical going high", "Upper Critical - going high"],
    ["Upper Critical going high", "Upper Critical - going high"],
    ["Power Supply AC lost", "Power Supply input lost (AC/DC)"],
    ["Correctable ECC", "Correctable memory error"],
    ["Log area reset/cleared", "Log Area Reset/Cleared"],
    ["Drive Fault", "Drive Fault"],
    ["Hard reset", "Hard Reset"],
    ["System boot initiated", "System Firmware Progress"],
    ["Redundancy Lost", "Redundancy Lost"],
];

#[tokio::test]
async fn ipmitool_lists_what_the_log_holds() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for suite in SUITES {
        let bmc = with(&log()).spawn().await.unwrap();
        let held = stored(&bmc);
        let info = tool.ipmitool(&bmc, suite, "sel info").await;
        for line in [
            "Entries          : 11",
            "Free Space       : 8016 bytes",
            "Last Add Time    : 03/01/24 00:00:09",
            "Overflow         : false",
            "Supported Cmds   : 'Delete' 'Reserve' 'Get Alloc Info'",
            "# Free Units     : 501",
        ] {
            assert!(info.contains(line), "{line:?} in {info}");
        }
        let list = rows(&tool.ipmitool(&bmc, suite, "sel elist").await, '|');
        assert_eq!(list.len(), held.len());
        for (row, record) in list.iter().zip(&held) {
            assert_eq!(row[0], format!("{:x}", record.id));
            let Some(time) = record.timestamp() else {
                assert_eq!(row[1..], ["OEM record e0", "68656c6c6f2c20776f726c642e"]);
                continue;
            };
            let shown = time.to_string();
            assert_eq!(row[1], "03/01/24");
            assert_eq!(row[2].replace(" UTC", ""), shown.replace("2024-03-01 ", ""));
            let Some(system) = record.event() else {
                assert_eq!(row[3..], ["OEM record c1", "0002a2", "010203040506"]);
                continue;
            };
            let direction = if system.event.deassertion {
                "Deasserted"
            } else {
                "Asserted"
            };
            let index = usize::from(record.id) - 1;
            let [words, _] = WORDS[index];
            assert_eq!((row[4].as_str(), row[5].as_str()), (words, direction));
            if index < 2 {
                assert_eq!(row[3], "Temperature CPU 1");
            }
        }
    }
}

#[tokio::test]
async fn our_words_are_those_of_ipmitool_where_it_has_the_same() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    // Threshold events of every offset, and generic ones whose words the specification gives.
    let mut events: Vec<_> = (0..12)
        .map(|offset| [0x01, 0x30, 0x01, 0x50 | offset, 92, 90])
        .collect();
    events.extend([
        [0x0d, 4, 0x6f, 1, 255, 255],
        [0x23, 5, 0x6f, 1, 255, 255],
        [0x08, 7, 0x0b, 1, 255, 255],
    ]);
    let events: Vec<_> = events
        .into_iter()
        .map(|bytes| crate::record_samples::event(0, bytes))
        .collect();
    let bmc = with(&events).spawn().await.unwrap();
    let list = rows(&tool.ipmitool(&bmc, SUITES[0], "sel elist").await, '|');
    let sensors = Sensor::all(&[Sdr::new(1, temperature())]);
    for (row, record) in list.iter().zip(stored(&bmc)) {
        let state = record.event().unwrap().event.state();
        let theirs = row[4].to_lowercase().replace("non-crit.", "non-critical");
        let theirs = theirs.replace("non-recov.", "non-recoverable");
        assert!(
            theirs.starts_with(&state) || state.starts_with(&theirs),
            "{state:?}, {row:?}"
        );
        if record.event().unwrap().event.event_type.is_threshold() {
            let ours = record.describe(&&sensors[..]);
            let shown = row.last().unwrap();
            // ipmitool: "Reading 42 > Threshold 40 degrees C".
            assert!(shown.contains("42") && shown.contains("40"), "{row:?}");
            assert!(ours.ends_with("reading 42 °C; threshold 40 °C"), "{ours}");
        }
    }
}

#[tokio::test]
async fn ipmitool_adds_deletes_clears_and_sets_the_clock() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let suite = SUITES[0];
    let bmc = with(&log()).spawn().await.unwrap();
    tool.ipmitool(&bmc, suite, "event 1").await;
    let added = *stored(&bmc).last().unwrap();
    let event = added.event().unwrap();
    assert_eq!(event.generator, Generator::software(0x40));
    assert_eq!((event.event.sensor_number, event.event.offset()), (0x30, 9));

    let before = stored(&bmc).len();
    tool.ipmitool(&bmc, suite, "sel delete 0x02").await;
    assert_eq!(stored(&bmc).len(), before - 1);
    assert!(stored(&bmc).iter().all(|record| record.id != 2));

    tool.ipmitool(&bmc, suite, "sel clear").await;
    assert_eq!(stored(&bmc), []);

    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("ipmitool-sel-add");
    std::fs::write(&file, "0x04 0x01 0x30 0x01 0x59 0x5c 0x5a # one event\n").unwrap();
    tool.ipmitool(&bmc, suite, &format!("sel add {}", file.display()))
        .await;
    let [record] = stored(&bmc)[..] else {
        panic!("one entry");
    };
    assert_eq!(record.event().unwrap().event.data, [0x59, 0x5c, 0x5a]);

    // ipmitool shows the clock in UTC; what it sets depends on the zone of its host.
    let now = bmc.event_log(|log| log.time(tokio::time::Instant::now()));
    let shown = tool.ipmitool(&bmc, suite, "sel time get").await;
    assert!(shown.starts_with("01/01/24 00:00:"), "{shown}");
    let mut args = vec!["-I", "lanplus", "-C", "17", "-N", "1", "-R", "2"];
    args.extend(["sel", "time", "set", "02/28/25 12:00:00"]);
    tool.run(&bmc, &args).await.unwrap();
    let set = bmc.event_log(|log| log.time(tokio::time::Instant::now()));
    assert!(set > Timestamp(now.0 + 36_000_000), "{set}");
    assert!(set.to_string().starts_with("2025-02-28 12:00:"), "{set}");
}

#[tokio::test]
async fn ipmitool_sees_that_a_full_log_overflowed() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = with(&log()).event_capacity(11).spawn().await.unwrap();
    tool.ipmitool(&bmc, SUITES[0], "event 1").await;
    let info = tool.ipmitool(&bmc, SUITES[0], "sel info").await;
    assert!(info.contains("Overflow         : true"), "{info}");
    assert!(info.contains("Percent Used     : 100%"), "{info}");
}

#[tokio::test]
async fn freeipmi_lists_and_clears() {
    let Some(tool) = Tool::find("ipmi-sel") else {
        return;
    };
    let bmc = with(&log()).spawn().await.unwrap();
    let held = stored(&bmc);
    let info = freeipmi(&tool, &bmc, &["--info"]).await;
    for (name, value) in [
        ("Number of log entries", "11"),
        ("Free space remaining", "8016 bytes"),
        ("Recent addition timestamp", "03/01/2024 - 00:00:09"),
        ("Delete SEL Command", "supported"),
        ("Partial Add SEL Entry Command", "unsupported"),
        ("Events dropped due to lack of space", "No"),
        ("Number of free allocation units", "501"),
    ] {
        let line = info.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.ends_with(&format!(": {value}")), "{line}");
    }
    let cache = crate::sensors::cache("sel");
    let args = [
        &cache,
        "--quiet-cache",
        "--comma-separated-output",
        "--no-header-output",
    ];
    let list = rows(&freeipmi(&tool, &bmc, &args).await, ',');
    assert_eq!(list.len(), held.len());
    for (row, record) in list.iter().zip(&held) {
        assert_eq!(row[0], record.id.to_string());
        if let Some(time) = record.timestamp() {
            assert_eq!(row[1], "Mar-01-2024");
            assert!(time.to_string().ends_with(&row[2]), "{row:?}");
        }
        let Some([_, words]) = WORDS.get(usize::from(record.id) - 1) else {
            continue;
        };
        assert!(row[5].starts_with(words), "{row:?}");
        let ours = record.describe(&());
        for (theirs, ours_has) in [
            (
                "Timer use at expiration = SMS/OS",
                "timer of SMS/OS, no interrupt",
            ),
            (
                "Starting operating system boot process",
                "starting the operating system's boot",
            ),
            ("OEM Event Data3 code = 05h", "OEM data 3 05h"),
        ] {
            assert_eq!(
                row[5].contains(theirs),
                ours.contains(ours_has),
                "{row:?}, {ours}"
            );
        }
        if usize::from(record.id) <= 2 {
            assert_eq!(row[3], "CPU 1");
            assert!(row[5].contains("Threshold = 40.00 C"), "{row:?}");
        }
    }
    freeipmi(&tool, &bmc, &["--clear", "--ignore-sdr-cache"]).await;
    assert_eq!(stored(&bmc), []);
}

#[tokio::test]
async fn goipmi_lists_the_log_and_grades_it() {
    let Some(tool) = Tool::find("goipmi") else {
        return;
    };
    let bmc = with(&log()).spawn().await.unwrap();
    let info = tool
        .run(&bmc, &["-I", "lanplus", "sel", "info"])
        .await
        .unwrap();
    assert!(info.contains("Entries                      : 11"), "{info}");
    assert!(
        info.contains("Last Add Time                : 2024-03-01T00:00:09Z"),
        "{info}"
    );
    let list = tool
        .run(&bmc, &["-I", "lanplus", "sel", "list"])
        .await
        .unwrap();
    let list: Vec<_> = rows(&list, '|')
        .into_iter()
        .filter(|row| row.get(1).is_some_and(|id| id.starts_with("0x")))
        .collect();
    assert_eq!(list.len(), WORDS.len());
    for (row, record) in list.iter().zip(stored(&bmc)) {
        let event = &record.event().unwrap().event;
        assert_eq!(row[1], format!("0x{:04x}", record.id));
        assert!(
            row[4].starts_with(&record.timestamp().unwrap().to_string()),
            "{row:?}"
        );
        assert_eq!(row[6], format!("0x{:02x}", event.sensor_number));
        assert_eq!(row[7], format!("0x{:02x}", event.sensor_type.0));
        let direction = if event.deassertion {
            "Deassertion"
        } else {
            "Assertion"
        };
        assert_eq!(row[11], direction);
        let [a, b, c] = event.data;
        assert_eq!(row[13], format!("{a:02x}{b:02x}{c:02x}"));
    }
}

#[tokio::test]
async fn event_filters_are_read() {
    let bmc = with(&log()).spawn().await.unwrap();
    bmc.pef(|pef| {
        pef.capabilities = PefCapabilities {
            version: 0x51,
            actions: 0x0f,
            filters: 1,
        };
        pef.processed = (7, 9);
        pef.set(PefSetting::Control(0x01));
        pef.set(PefSetting::Actions(0x05));
        pef.set(PefSetting::Filters(1));
        pef.set(PefSetting::Filter {
            set: 1,
            filter: FILTER,
        });
        pef.set(PefSetting::Policies(1));
        pef.set(PefSetting::Policy {
            set: 1,
            policy: POLICY,
        });
    });
    if let Some(tool) = Tool::find("ipmitool") {
        let info = tool.ipmitool(&bmc, SUITES[0], "pef info").await;
        assert!(info.starts_with("0x51 | 1 | 1 | "), "{info}");
        assert!(
            info.ends_with("Alert,Power-off,Reset,Power-cycle"),
            "{info}"
        );
        let status = tool.ipmitool(&bmc, SUITES[0], "pef status").await;
        assert!(status.contains("0x000b | 0x0007 | 0x0009"), "{status}");
        let filters = tool.ipmitool(&bmc, SUITES[0], "pef filter list").await;
        assert!(filters.contains("Temperature"), "{filters}");
    }
    if let Some(tool) = Tool::find("goipmi") {
        let status = tool
            .run(&bmc, &["-I", "lanplus", "pef", "status"])
            .await
            .unwrap();
        for line in [
            "Last SEL record ID    : 0x000b (11)",
            "Last S/W processed ID : 0x0007 (7)",
            "Last BMC processed ID : 0x0009 (9)",
            "PEF                 : enabled",
            "Reset                : active",
            "Power-cycle          : inactive",
        ] {
            assert!(status.contains(line), "{line:?} in {status}");
        }
    }
}
