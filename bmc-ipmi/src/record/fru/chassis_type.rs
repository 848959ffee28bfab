//! Chassis types, those of SMBIOS: FRU §10.

use std::fmt;

/// The form of an enclosure.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ChassisType(pub u8);

const NAMES: [&str; 30] = [
    "unspecified",
    "other",
    "unknown",
    "desktop",
    "low-profile desktop",
    "pizza box",
    "mini tower",
    "tower",
    "portable",
    "laptop",
    "notebook",
    "hand-held",
    "docking station",
    "all in one",
    "sub-notebook",
    "space saving",
    "lunch box",
    "main server chassis",
    "expansion chassis",
    "sub-chassis",
    "bus expansion chassis",
    "peripheral chassis",
    "RAID chassis",
    "rack mount chassis",
    "sealed-case PC",
    "multi-system chassis",
    "CompactPCI",
    "AdvancedTCA",
    "blade",
    "blade enclosure",
];

impl ChassisType {
    /// A server's own enclosure.
    pub const MAIN_SERVER: Self = Self(17);
    /// An enclosure for a rack.
    pub const RACK_MOUNT: Self = Self(23);
}

impl fmt::Display for ChassisType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get(usize::from(self.0)) {
            Some(name) => f.pad(name),
            None => write!(f, "chassis type {:02X}h", self.0),
        }
    }
}
