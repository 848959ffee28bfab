//! The machine's components, from FRU inventories, sensor data records and the device ID.

use std::collections::BTreeMap;

use async_trait::async_trait;
use bmc_core::{Component, ComponentKind, Error as CoreError, ErrorKind, Inventory};

use super::identity::manufacturer;
use super::session::{IpmiSession, without_effect};
use crate::command::DeviceId;
use crate::device::{FruStorage, LocatedFru, SdrRepository};
use crate::record::fru::{BoardArea, ChassisArea, FruInventory, MultiRecord, ProductArea};
use crate::record::sdr::{McLocator, SdrBody};
use crate::record::{Entity, EntityId, Text};
use crate::target::Target;

#[async_trait]
impl Inventory for IpmiSession {
    async fn components(&self) -> Result<Vec<Component>, CoreError> {
        let deadline = self.sweep_deadline();
        let device = self.read_device().await?;
        let repository = SdrRepository::new(self.client()).cached_by(&self.setup().sdr_cache);
        let records = repository
            .records(deadline)
            .await
            .map_err(without_effect)?
            .records;
        let mut components = vec![bmc(&device)];
        components.extend(records.iter().filter_map(|record| match &record.body {
            SdrBody::McLocator(locator) => satellite(locator),
            _ => None,
        }));
        let storage = FruStorage::new(self.client());
        for located in storage.read_all(&records, deadline).await {
            components.extend(described(located)?);
        }
        Ok(components)
    }
}

fn bmc(device: &DeviceId) -> Component {
    let (major, minor) = device.ipmi();
    Component {
        name: "BMC".into(),
        kind: ComponentKind::Bmc,
        manufacturer: Some(manufacturer(device.manufacturer)),
        model: Some(format!("{:#06x}", device.product)),
        version: Some(device.firmware()),
        fields: fields([("protocol", format!("IPMI {major}.{minor}"))]),
        ..Component::default()
    }
}

/// A controller that is not the BMC itself.
fn satellite(locator: &McLocator) -> Option<Component> {
    const BMC: u8 = 0x20;
    let address = locator.address;
    (address != BMC).then(|| Component {
        name: text(&locator.name).unwrap_or_else(|| format!("controller {address:02x}")),
        kind: ComponentKind::Bmc,
        fields: fields([
            ("address", format!("{address:02x}")),
            ("channel", locator.channel.to_string()),
        ]),
        ..Component::default()
    })
}

/// The components that a FRU device describes.
///
/// # Errors
/// The session is lost. A device that cannot be read otherwise is a component of which the name is known, if that.
fn described(located: LocatedFru) -> Result<Vec<Component>, CoreError> {
    let LocatedFru {
        target,
        device,
        name,
        entity,
        inventory,
    } = located;
    let is_builtin = (target, device) == (Target::BMC, FruStorage::BMC);
    let base = Component {
        name: name
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| format!("FRU {device}")),
        kind: entity.map_or(ComponentKind::Other, kind),
        ..Component::default()
    };
    match inventory {
        Ok(inventory) if is_builtin => Ok(machine(&base, &inventory)),
        Ok(inventory) => Ok(vec![part(base, &inventory)]),
        Err(error) => match error.kind() {
            ErrorKind::Timeout | ErrorKind::Closed | ErrorKind::Unreachable => {
                Err(without_effect(error))
            }
            // The BMC's own device is named by nobody.
            _ if is_builtin => Ok(Vec::new()),
            _ => Ok(vec![Component {
                fields: fields([("unreadable", error.to_string())]),
                ..base
            }]),
        },
    }
}

/// What the BMC's own FRU device says of the machine: a component an area.
fn machine(base: &Component, inventory: &FruInventory) -> Vec<Component> {
    let mut components = Vec::new();
    if let Some(area) = &inventory.product {
        let kind = ComponentKind::System;
        components.push(product(
            Component {
                kind,
                ..base.clone()
            },
            area,
        ));
    }
    if let Some(area) = &inventory.chassis {
        let mut chassis = Component {
            name: format!("{} chassis", base.name),
            kind: ComponentKind::Chassis,
            model: Some(area.chassis_type.to_string()),
            ..Component::default()
        };
        chassis.part_number = text(&area.part_number);
        chassis.serial_number = text(&area.serial_number);
        custom(&mut chassis, &area.custom);
        components.push(chassis);
    }
    if let Some(area) = &inventory.board {
        let name = format!("{} board", base.name);
        let kind = ComponentKind::Board;
        components.push(board(
            Component {
                name,
                kind,
                ..Component::default()
            },
            area,
        ));
    }
    components
}

/// What another FRU device says: all areas are of the same part, and the product area is the one that people see.
fn part(base: Component, inventory: &FruInventory) -> Component {
    let mut component = match (&inventory.product, &inventory.board) {
        (Some(area), _) => product(base, area),
        (None, Some(area)) => board(base, area),
        (None, None) => base,
    };
    if let (Some(_), Some(area)) = (&inventory.product, &inventory.board) {
        let board = board(Component::default(), area);
        component.manufacturer = component.manufacturer.or(board.manufacturer);
        component.model = component.model.or(board.model);
        component.part_number = component.part_number.or(board.part_number);
        component.serial_number = component.serial_number.or(board.serial_number);
    }
    if let Some(ChassisArea { serial_number, .. }) = &inventory.chassis {
        put(&mut component, "chassisSerialNumber", text(serial_number));
    }
    for record in &inventory.multirecords {
        if let MultiRecord::PowerSupply(supply) = record {
            let watts = supply.capacity.to_string();
            put(&mut component, "capacityWatts", Some(watts));
        }
    }
    component
}

fn product(base: Component, area: &ProductArea) -> Component {
    let mut component = Component {
        manufacturer: text(&area.manufacturer),
        model: text(&area.name),
        part_number: text(&area.part_number),
        serial_number: text(&area.serial_number),
        asset_tag: text(&area.asset_tag),
        version: text(&area.version),
        ..base
    };
    custom(&mut component, &area.custom);
    component
}

fn board(base: Component, area: &BoardArea) -> Component {
    let mut component = Component {
        manufacturer: text(&area.manufacturer),
        model: text(&area.product),
        part_number: text(&area.part_number),
        serial_number: text(&area.serial_number),
        ..base
    };
    let manufactured = area.manufactured().map(|time| time.to_string());
    put(&mut component, "manufactured", manufactured);
    custom(&mut component, &area.custom);
    component
}

fn kind(entity: Entity) -> ComponentKind {
    match entity.id {
        EntityId::PROCESSOR | EntityId::PROCESSOR_MODULE | EntityId::DCMI_PROCESSOR => {
            ComponentKind::Processor
        }
        EntityId::MEMORY_MODULE | EntityId::MEMORY_DEVICE => ComponentKind::Memory,
        EntityId::DISK | EntityId::DISK_DRIVE_BAY => ComponentKind::Drive,
        EntityId::POWER_SUPPLY
        | EntityId::POWER_UNIT
        | EntityId::POWER_MODULE
        | EntityId::BATTERY => ComponentKind::PowerSupply,
        EntityId::FAN | EntityId::COOLING_UNIT => ComponentKind::Fan,
        EntityId::SYSTEM_CHASSIS | EntityId::SUB_CHASSIS => ComponentKind::Chassis,
        EntityId::SYSTEM_MANAGEMENT_MODULE | EntityId::REMOTE_MANAGEMENT => ComponentKind::Bmc,
        EntityId::CONNECTIVITY_SWITCH => ComponentKind::Network,
        EntityId::SYSTEM_BOARD
        | EntityId::ADD_IN_CARD
        | EntityId::FRONT_PANEL
        | EntityId::BACK_PANEL
        | EntityId::POWER_SYSTEM_BOARD
        | EntityId::DRIVE_BACKPLANE
        | EntityId::EXPANSION_BOARD
        | EntityId::OTHER_SYSTEM_BOARD
        | EntityId::PROCESSOR_BOARD
        | EntityId::POWER_DISTRIBUTION
        | EntityId::CHASSIS_BACK_PANEL
        | EntityId::OTHER_CHASSIS_BOARD
        | EntityId::DCMI_BASEBOARD => ComponentKind::Board,
        _ => ComponentKind::Other,
    }
}

/// `None` for a field that is empty, or padded with blanks alone.
fn text(text: &Text) -> Option<String> {
    let text = text.to_string();
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

fn custom(component: &mut Component, fields: &[Text]) {
    for (index, field) in fields.iter().enumerate() {
        put(component, &format!("custom{}", index + 1), text(field));
    }
}

fn put(component: &mut Component, name: &str, value: Option<String>) {
    if let Some(value) = value {
        component.fields.insert(name.to_owned(), value);
    }
}

fn fields<const N: usize>(fields: [(&str, String); N]) -> BTreeMap<String, String> {
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}
