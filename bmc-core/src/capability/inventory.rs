//! What the machine is made of.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::vocabulary::{UnknownWord, word};

/// Lists the machine's components.
#[async_trait]
pub trait Inventory: Send + Sync {
    /// Reads what the BMC knows of the machine's components, the BMC itself among them.
    async fn components(&self) -> Result<Vec<Component>, Error>;
}

/// A part of the machine. What is not known is `None`.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// What the BMC calls it, and where it sits if the name says so.
    pub name: String,
    /// What it is.
    pub kind: ComponentKind,
    /// Who made it.
    pub manufacturer: Option<String>,
    /// Product name or model.
    pub model: Option<String>,
    /// Part number.
    pub part_number: Option<String>,
    /// Serial number.
    pub serial_number: Option<String>,
    /// The owner's number for it.
    pub asset_tag: Option<String>,
    /// Version of its firmware, or its own.
    pub version: Option<String>,
    /// Whatever else the BMC tells, by name.
    pub fields: BTreeMap<String, String>,
}

/// What a component is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ComponentKind {
    /// The machine as it was sold.
    System,
    /// Its enclosure.
    Chassis,
    /// A circuit board.
    Board,
    /// The BMC or another management controller.
    Bmc,
    /// A processor.
    Processor,
    /// A memory module.
    Memory,
    /// A disk or another drive.
    Drive,
    /// A network interface.
    Network,
    /// A power supply or battery.
    PowerSupply,
    /// A fan.
    Fan,
    /// Anything else.
    #[default]
    Other,
}

word!(ComponentKind, "component kind" {
    System => "system", Chassis => "chassis", Board => "board", Bmc => "bmc", Processor => "processor",
    Memory => "memory", Drive => "drive", Network => "network", PowerSupply => "power-supply", Fan => "fan",
    Other => "other",
});
