//! Entities: the physical things that sensors and records belong to, §39 and §43.14.

use std::fmt;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// What kind of thing an entity is.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct EntityId(pub u8);

macro_rules! entities {
    ($($name:ident = $value:literal, $text:literal;)*) => {
        impl EntityId {
            $(#[doc = concat!("`", stringify!($value), "`: ", $text, ".")] pub const $name: Self = Self($value);)*

            /// The name of an entity of the specification.
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

entities! {
    UNSPECIFIED = 0x00, "unspecified";
    OTHER = 0x01, "other";
    UNKNOWN = 0x02, "unknown";
    PROCESSOR = 0x03, "processor";
    DISK = 0x04, "disk or disk bay";
    PERIPHERAL_BAY = 0x05, "peripheral bay";
    SYSTEM_MANAGEMENT_MODULE = 0x06, "system management module";
    SYSTEM_BOARD = 0x07, "system board";
    MEMORY_MODULE = 0x08, "memory module";
    PROCESSOR_MODULE = 0x09, "processor module";
    POWER_SUPPLY = 0x0a, "power supply";
    ADD_IN_CARD = 0x0b, "add-in card";
    FRONT_PANEL = 0x0c, "front panel board";
    BACK_PANEL = 0x0d, "back panel board";
    POWER_SYSTEM_BOARD = 0x0e, "power system board";
    DRIVE_BACKPLANE = 0x0f, "drive backplane";
    EXPANSION_BOARD = 0x10, "system internal expansion board";
    OTHER_SYSTEM_BOARD = 0x11, "other system board";
    PROCESSOR_BOARD = 0x12, "processor board";
    POWER_UNIT = 0x13, "power unit";
    POWER_MODULE = 0x14, "power module";
    POWER_DISTRIBUTION = 0x15, "power distribution board";
    CHASSIS_BACK_PANEL = 0x16, "chassis back panel board";
    SYSTEM_CHASSIS = 0x17, "system chassis";
    SUB_CHASSIS = 0x18, "sub-chassis";
    OTHER_CHASSIS_BOARD = 0x19, "other chassis board";
    DISK_DRIVE_BAY = 0x1a, "disk drive bay";
    PERIPHERAL_DRIVE_BAY = 0x1b, "peripheral bay";
    DEVICE_BAY = 0x1c, "device bay";
    FAN = 0x1d, "fan or cooling device";
    COOLING_UNIT = 0x1e, "cooling unit";
    CABLE = 0x1f, "cable or interconnect";
    MEMORY_DEVICE = 0x20, "memory device";
    SYSTEM_MANAGEMENT_SOFTWARE = 0x21, "system management software";
    SYSTEM_FIRMWARE = 0x22, "system firmware";
    OPERATING_SYSTEM = 0x23, "operating system";
    SYSTEM_BUS = 0x24, "system bus";
    GROUP = 0x25, "group";
    REMOTE_MANAGEMENT = 0x26, "remote management device";
    EXTERNAL_ENVIRONMENT = 0x27, "external environment";
    BATTERY = 0x28, "battery";
    PROCESSING_BLADE = 0x29, "processing blade";
    CONNECTIVITY_SWITCH = 0x2a, "connectivity switch";
    PROCESSOR_MEMORY_MODULE = 0x2b, "processor/memory module";
    IO_MODULE = 0x2c, "I/O module";
    PROCESSOR_IO_MODULE = 0x2d, "processor/I/O module";
    CONTROLLER_FIRMWARE = 0x2e, "management controller firmware";
    AIR_INLET = 0x37, "air inlet";
    DCMI_AIR_INLET = 0x40, "air inlet (DCMI)";
    DCMI_PROCESSOR = 0x41, "processor (DCMI)";
    DCMI_BASEBOARD = 0x42, "baseboard (DCMI)";
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self.0) {
            (Some(name), _) => f.write_str(name),
            (None, 0x90..=0xaf) => write!(f, "chassis-specific entity {:02X}h", self.0),
            (None, 0xb0..=0xcf) => write!(f, "board-specific entity {:02X}h", self.0),
            (None, 0xd0..) => write!(f, "OEM entity {:02X}h", self.0),
            (None, _) => write!(f, "entity {:02X}h", self.0),
        }
    }
}

/// One entity: kind and instance.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Entity {
    /// What it is.
    pub id: EntityId,
    /// Which one. \[7\] logical instead of physical, \[6:0\] instance; 60h to 7Fh are relative to the owner.
    pub instance: u8,
}

impl Entity {
    const LOGICAL: u8 = 0x80;

    /// A physical entity.
    pub const fn new(id: EntityId, instance: u8) -> Self {
        Self { id, instance }
    }

    /// The instance, 0 to 127.
    pub const fn number(self) -> u8 {
        self.instance & !Self::LOGICAL
    }

    /// Whether it stands for others.
    pub const fn is_logical(self) -> bool {
        self.instance & Self::LOGICAL != 0
    }

    /// Whether the instance counts within the owning controller only.
    pub const fn is_device_relative(self) -> bool {
        self.number() >= 0x60
    }
}

impl Wire for Entity {
    const NAME: &'static str = "entity";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let id = EntityId(r.u8("entity ID")?);
        let instance = r.u8("entity instance")?;
        Ok(Self { id, instance })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.id.0, self.instance]);
    }
}

impl fmt::Display for Entity {
    /// Kind and instance as numbers, as ipmitool writes them: `10.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.id.0, self.number())
    }
}
