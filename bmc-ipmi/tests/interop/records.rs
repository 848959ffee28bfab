//! Event log and FRU inventories of BMCs that nobody here wrote.

use bmc_core::ErrorKind;
use bmc_ipmi::device::{FruStorage, SdrRepository, Sel};
use bmc_ipmi::record::fru::{FruArea, FruInventory, FruProblem, MultiRecord};
use bmc_ipmi::record::sel::{Event, Generator, SelBody, SystemEvent};
use bmc_ipmi::record::{Sensor, Text};
use bmc_ipmi::wire::{CompletionCode, EventType, SensorType, Timestamp};
use peers::{Bmc, GoIpmi, IpmiSim};

use crate::{log_in, soon};

/// What ipmitool says; nothing where it is not installed.
async fn ipmitool(peer: &impl Bmc, command: &str) -> Option<String> {
    let address = peer.address();
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let mut program = tokio::process::Command::new(peers::program("ipmitool")?);
    program.args(["-I", "lanplus", "-C", "3", "-H", &host, "-p", &port]);
    program.args(["-U", "ipmiusr", "-P", "test", "-N", "1"]);
    program.args(command.split_whitespace()).kill_on_drop(true);
    let output = program.output().await.unwrap();
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn event(number: u8, event_type: EventType, sensor_type: SensorType, data: [u8; 3]) -> SelBody {
    SelBody::System(SystemEvent {
        timestamp: Timestamp(0),
        generator: Generator::BMC,
        revision: SystemEvent::REVISION,
        event: Event {
            sensor_type,
            sensor_number: number,
            deassertion: number == 2,
            event_type,
            data,
        },
    })
}

#[tokio::test]
async fn the_log_of_ipmi_sim_is_read_written_and_cleared() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let client = log_in(&peer, "ipmiusr", "test").await;
    let sel = Sel::new(&client);
    sel.clear(soon()).await.unwrap();
    let time = Timestamp(1_709_251_200);
    sel.set_time(time, soon()).await.unwrap();
    let now = sel.time(soon()).await.unwrap();
    assert!((time..Timestamp(time.0 + 20)).contains(&now), "{now}");

    let bodies = [
        event(
            1,
            EventType::THRESHOLD,
            SensorType::TEMPERATURE,
            [0x59, 0x60, 0x5a],
        ),
        event(
            2,
            EventType::THRESHOLD,
            SensorType::TEMPERATURE,
            [0x59, 0x58, 0x5a],
        ),
        event(
            4,
            EventType::SENSOR_SPECIFIC,
            SensorType::DRIVE_SLOT,
            [0x01, 0xff, 0xff],
        ),
        event(
            7,
            EventType::new(0x0b),
            SensorType::POWER_SUPPLY,
            [0x01, 0xff, 0xff],
        ),
        SelBody::TimestampedOem {
            record_type: 0xc1,
            timestamp: Timestamp(0),
            manufacturer: 674,
            data: [1, 2, 3, 4, 5, 6],
        },
        SelBody::Oem {
            record_type: 0xe0,
            data: *b"hello, world.",
        },
    ];
    let page = sel.entries_after(None, 100, soon()).await.unwrap();
    let marker = page.marker;
    let mut ids = Vec::new();
    for body in bodies {
        ids.push(sel.add(body, soon()).await.unwrap());
    }
    let page = sel.entries_after(Some(&marker), 100, soon()).await.unwrap();
    let records = sel.read(soon()).await.unwrap();
    assert_eq!(page.records, records[records.len() - bodies.len()..]);
    let added: Vec<_> = page.records.iter().map(|record| record.id).collect();
    assert_eq!(added, ids);
    for (record, body) in page.records.iter().zip(bodies) {
        assert_eq!(
            record.event().map(|system| system.event),
            match body {
                SelBody::System(system) => Some(system.event),
                _ => None,
            }
        );
        if let Some(stamp) = record.timestamp() {
            assert!((time..Timestamp(time.0 + 20)).contains(&stamp), "{stamp}");
        }
    }
    let info = sel.info(soon()).await.unwrap();
    assert_eq!(usize::from(info.entries), records.len());

    let repository = SdrRepository::new(&client).records(soon()).await.unwrap();
    let sensors = Sensor::all(repository.records.iter());
    let first = page.records[0].describe(&&sensors[..]);
    assert!(
        first.starts_with("temperature MBTemp: upper critical going high; reading 96"),
        "{first}"
    );

    // ipmitool's words for the same records.
    if let Some(list) = ipmitool(&peer, "sel elist").await {
        let rows: Vec<Vec<&str>> = list
            .lines()
            .map(|line| line.split('|').map(str::trim).collect())
            .collect();
        for record in &page.records {
            let id = format!("{:x}", record.id);
            let row = rows.iter().find(|row| row[0] == id).unwrap();
            let Some(system) = record.event() else {
                continue;
            };
            assert_eq!(row[4].to_lowercase(), system.event.state(), "{row:?}");
            let direction = if system.event.deassertion {
                "Deasserted"
            } else {
                "Asserted"
            };
            assert_eq!(row[5], direction);
            let stamp = record.timestamp().unwrap().to_string();
            assert!(
                stamp.ends_with(row[2].trim_end_matches(" UTC")),
                "{row:?}, {stamp}"
            );
        }
    }

    sel.delete(ids[0], soon()).await.unwrap();
    assert_eq!(sel.entry(ids[0], soon()).await.unwrap(), None);
    sel.clear(soon()).await.unwrap();
    // It may have noted the clearing itself.
    assert!(sel.info(soon()).await.unwrap().entries <= 1);
    let page = sel
        .entries_after(Some(&page.marker), 100, soon())
        .await
        .unwrap();
    assert!(page.restarted);
}

#[tokio::test]
async fn the_inventory_of_ipmi_sim_is_read_and_written() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let storage = FruStorage::new(&log_in(&peer, "ipmiusr", "test").await);
    let read = storage.read(0, soon()).await.unwrap();
    assert_eq!(read.damage, []);
    let (board, product) = (read.board.clone().unwrap(), read.product.clone().unwrap());
    assert_eq!(board.product.to_string(), "Board");
    assert_eq!(board.part_number.to_string(), "IPMI");
    assert_eq!(product.name.to_string(), "製品");
    assert_eq!(read.multirecords.len(), 7);
    assert!(
        matches!(read.multirecords[0], MultiRecord::PowerSupply(supply) if supply.capacity == 500)
    );
    if let Some(shown) = ipmitool(&peer, "fru print 0").await {
        for value in [
            &read.chassis.as_ref().unwrap().serial_number,
            &board.manufacturer,
            &board.serial_number,
            &product.serial_number,
        ] {
            assert!(shown.contains(&format!(": {value}")), "{value} in {shown}");
        }
        assert!(!shown.contains("製品"), "ipmitool has learned UTF-16");
    }

    let mut changed = FruInventory {
        board: Some(bmc_ipmi::record::fru::BoardArea {
            serial_number: Text::plain("NEW-1"),
            ..board
        }),
        ..read
    };
    storage.write_inventory(0, &changed, soon()).await.unwrap();
    assert_eq!(storage.read(0, soon()).await.unwrap(), changed);
    // One byte of the board area.
    let bytes = changed.encode().unwrap();
    let at = bytes.windows(5).position(|five| five == b"NEW-1").unwrap();
    storage.write(0, at, b"O", soon()).await.unwrap();
    let read = storage.read(0, soon()).await.unwrap();
    assert_eq!(read.damage.len(), 1);
    assert_eq!(
        (read.damage[0].area, read.damage[0].problem),
        (FruArea::Board, FruProblem::Checksum)
    );
    changed.board.as_mut().unwrap().serial_number = Text::plain("OEW-1");
    assert_eq!(read.board, changed.board);

    let error = storage.read(77, soon()).await.unwrap_err();
    assert_eq!(error.completion(), Some(CompletionCode::INVALID_DATA_FIELD));
}

#[tokio::test]
async fn the_inventory_of_goipmi_is_read() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let storage = FruStorage::new(&log_in(&peer, "admin", "secret").await);
    let read = storage.read(0, soon()).await.unwrap();
    assert_eq!(read.damage, []);
    let (board, product) = (read.board.unwrap(), read.product.unwrap());
    let texts = [
        &board.product,
        &board.serial_number,
        &board.part_number,
        &product.name,
        &product.part_number,
        &product.version,
        &product.serial_number,
        &product.asset_tag,
    ];
    assert_eq!(
        texts.map(Text::to_string),
        [
            "peer board",
            "GO-1",
            "part 7",
            "peer",
            "model 9",
            "0.9",
            "GO-2",
            "tag"
        ]
    );
    let area = storage.info(0, soon()).await.unwrap();
    assert_eq!(
        storage.bytes(0, soon()).await.unwrap().len(),
        usize::from(area.size)
    );
    let error = storage.read(5, soon()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}
