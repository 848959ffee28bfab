//! The inventories that sensor data records name.

use std::collections::BTreeSet;

use tokio::time::Instant;

use crate::error::Error;
use crate::record::fru::FruInventory;
use crate::record::sdr::SdrBody;
use crate::record::{Entity, Sdr};
use crate::target::Target;

use super::FruStorage;

/// An inventory and where it is.
#[derive(Clone, Debug)]
pub struct LocatedFru {
    /// The controller that holds it.
    pub target: Target,
    /// The FRU device ID at that controller.
    pub device: u8,
    /// Its name in the sensor data records.
    pub name: Option<String>,
    /// What it describes.
    pub entity: Option<Entity>,
    /// The inventory, or why it cannot be read.
    pub inventory: Result<FruInventory, Error>,
}

/// Slave address of the BMC.
const BMC: u8 = 0x20;
/// Bit of a controller's support byte: it has FRU inventory.
const HAS_FRU: u8 = 0x08;

impl FruStorage {
    /// All inventories that `records` name, and those of FRU device 0 of the BMC and of the controllers that have one.
    /// One that cannot be read does not stop the others.
    ///
    /// The client must be one of the BMC itself: the others are reached through it.
    pub async fn read_all(&self, records: &[Sdr], deadline: Instant) -> Vec<LocatedFru> {
        let mut all = Vec::new();
        for place in places(records) {
            let storage = Self::new(&self.client.at(place.target));
            let inventory = storage.read(place.device, deadline).await;
            all.push(LocatedFru {
                target: place.target,
                device: place.device,
                name: place.name,
                entity: place.entity,
                inventory,
            });
        }
        all
    }
}

/// Where an inventory is.
struct Place {
    target: Target,
    device: u8,
    name: Option<String>,
    entity: Option<Entity>,
}

/// Where inventories are, each once, those of the BMC first.
fn places(records: &[Sdr]) -> Vec<Place> {
    let mut places = Vec::new();
    let named = records.iter().filter_map(|record| match &record.body {
        SdrBody::FruLocator(locator) => {
            let device = locator.logical_id()?;
            let target = target(locator.channel, locator.access_address, locator.lun())?;
            Some(Place {
                target,
                device,
                name: Some(locator.name.to_string()),
                entity: Some(locator.entity),
            })
        }
        _ => None,
    });
    let controllers = records.iter().filter_map(|record| match &record.body {
        SdrBody::McLocator(locator) if locator.support & HAS_FRU != 0 => {
            let target = target(locator.channel, locator.address, 0)?;
            Some(Place {
                target,
                device: 0,
                name: Some(locator.name.to_string()),
                entity: Some(locator.entity),
            })
        }
        _ => None,
    });
    let builtin = Place {
        target: Target::BMC,
        device: FruStorage::BMC,
        name: None,
        entity: None,
    };
    let mut seen = BTreeSet::new();
    for place in named.chain(controllers).chain([builtin]) {
        if seen.insert((place.target, place.device)) {
            places.push(place);
        }
    }
    places.sort_by_key(|place| (place.target, place.device));
    places
}

/// `None` where a record names an address that cannot exist.
fn target(channel: u8, address: u8, lun: u8) -> Option<Target> {
    let controller = match address & 0xfe {
        BMC => Target::BMC,
        address => Target::satellite(channel, address).ok()?,
    };
    controller.at_lun(lun).ok()
}
