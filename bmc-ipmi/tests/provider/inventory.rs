//! The machine's components.

use std::time::Duration;

use bmc_core::{Bmc, Component, ComponentKind, ErrorKind};
use bmc_ipmi::command::{Command, ReadFruData};
use bmc_ipmi::record::fru::{
    BoardArea, ChassisArea, ChassisType, FruInventory, MultiRecord, PowerSupply, ProductArea,
};
use bmc_ipmi::record::sdr::{FruLocator, SdrBody};
use bmc_ipmi::record::{Entity, EntityId, Text};
use bmc_ipmi::sim::{FruDevice, Sim, SimBuilder};
use bmc_ipmi::wire::CompletionCode;

use crate::setup::{builder, failure, pair};

fn server() -> FruInventory {
    FruInventory {
        chassis: Some(ChassisArea {
            chassis_type: ChassisType::RACK_MOUNT,
            serial_number: Text::plain("CH-0815"),
            custom: vec![Text::plain("Rack 7")],
            ..ChassisArea::default()
        }),
        board: Some(BoardArea {
            minutes: 14_726_880,
            manufacturer: Text::plain("Boards Inc"),
            serial_number: Text::plain("B-4711"),
            ..BoardArea::default()
        }),
        product: Some(ProductArea {
            manufacturer: Text::plain("Servers Inc"),
            name: Text::plain("R1000"),
            serial_number: Text::plain("P-1"),
            asset_tag: Text::plain("A-42"),
            version: Text::plain("   "),
            ..ProductArea::default()
        }),
        ..FruInventory::default()
    }
}

fn supply() -> FruInventory {
    FruInventory {
        board: Some(BoardArea {
            manufacturer: Text::plain("Watts Inc"),
            product: Text::plain("PSU-800"),
            part_number: Text::plain("800-1"),
            ..BoardArea::default()
        }),
        multirecords: vec![MultiRecord::PowerSupply(PowerSupply {
            capacity: 800,
            ..PowerSupply::default()
        })],
        ..FruInventory::default()
    }
}

fn locator(device: u8, name: &str, entity: EntityId) -> SdrBody {
    let entity = Entity::new(entity, 1);
    SdrBody::FruLocator(FruLocator::of_bmc(device, entity, Text::plain(name)))
}

fn machine() -> SimBuilder {
    Sim::builder()
        .fru(0, FruDevice::new(server().encode().unwrap()))
        .fru(1, FruDevice::new(supply().encode().unwrap()))
        .fru(2, FruDevice::new(vec![0xff; 256]))
        .records([
            locator(1, "PS1", EntityId::POWER_SUPPLY),
            locator(2, "DIMM A1", EntityId::MEMORY_MODULE),
        ])
}

fn find<'a>(all: &'a [Component], name: &str) -> &'a Component {
    all.iter()
        .find(|component| component.name == name)
        .unwrap_or_else(|| panic!("no {name}: {all:?}"))
}

#[tokio::test]
async fn every_area_and_device_is_a_component() {
    let (_sim, bmc) = pair(machine()).await;
    let all = bmc.inventory().await.unwrap().value;
    let controller = find(&all, "BMC");
    assert_eq!(
        (controller.kind, controller.fields["protocol"].as_str()),
        (ComponentKind::Bmc, "IPMI 2.0")
    );
    let system = find(&all, "FRU 0");
    assert_eq!(system.kind, ComponentKind::System);
    assert_eq!(
        (system.model.as_deref(), system.asset_tag.as_deref()),
        (Some("R1000"), Some("A-42"))
    );
    assert_eq!(system.version, None, "blanks are no version");
    let chassis = find(&all, "FRU 0 chassis");
    assert_eq!(
        (chassis.kind, chassis.serial_number.as_deref()),
        (ComponentKind::Chassis, Some("CH-0815"))
    );
    assert_eq!(chassis.fields["custom1"], "Rack 7");
    let board = find(&all, "FRU 0 board");
    assert_eq!(
        (board.kind, board.serial_number.as_deref()),
        (ComponentKind::Board, Some("B-4711"))
    );
    assert_eq!(board.fields["manufactured"], "2024-01-01 00:00:00");
    let supply = find(&all, "PS1");
    assert_eq!(
        (supply.kind, supply.model.as_deref()),
        (ComponentKind::PowerSupply, Some("PSU-800"))
    );
    assert_eq!(
        (
            supply.part_number.as_deref(),
            supply.fields["capacityWatts"].as_str()
        ),
        (Some("800-1"), "800")
    );
    let module = find(&all, "DIMM A1");
    assert_eq!(
        (module.kind, module.model.as_deref()),
        (ComponentKind::Memory, None)
    );
    assert!(!module.fields["unreadable"].is_empty());
    assert_eq!(all.len(), 6);
}

#[tokio::test]
async fn a_bmc_without_inventories_is_still_a_component() {
    let (sim, bmc) = pair(Sim::builder()).await;
    sim.frus(std::collections::BTreeMap::clear);
    let all = bmc.inventory().await.unwrap().value;
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].name, "BMC");
}

#[tokio::test]
async fn a_bmc_that_goes_silent_is_an_error_and_no_list_of_unreadable_parts() {
    let sim = machine().spawn().await.unwrap();
    let provider = builder(&sim).build().unwrap();
    let attempt = Duration::from_secs(3);
    let bmc = Bmc::builder()
        .provider(provider)
        .attempt_timeout(attempt)
        .build();
    sim.faults(|faults| {
        faults.completion_code(
            ReadFruData::NETFN,
            ReadFruData::CMD,
            CompletionCode::DISABLED,
        );
    });
    let all = bmc.inventory().await.unwrap().value;
    assert!(find(&all, "PS1").fields.contains_key("unreadable"));
    sim.faults(|faults| faults.silent = true);
    let failed = failure(bmc.inventory().await);
    assert_eq!(failed.kind(), ErrorKind::Timeout);
}
