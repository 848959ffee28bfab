//! Sensor types, §42.2 table 42-3.

use std::fmt;

/// What a sensor measures or watches.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SensorType(pub u8);

macro_rules! types {
    ($($name:ident = $value:literal, $text:literal;)*) => {
        impl SensorType {
            $(#[doc = concat!("`", stringify!($value), "`: ", $text, ".")] pub const $name: Self = Self($value);)*

            /// The name of a type of the specification.
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

types! {
    TEMPERATURE = 0x01, "temperature";
    VOLTAGE = 0x02, "voltage";
    CURRENT = 0x03, "current";
    FAN = 0x04, "fan";
    PHYSICAL_SECURITY = 0x05, "physical security";
    PLATFORM_SECURITY = 0x06, "platform security violation";
    PROCESSOR = 0x07, "processor";
    POWER_SUPPLY = 0x08, "power supply";
    POWER_UNIT = 0x09, "power unit";
    COOLING_DEVICE = 0x0a, "cooling device";
    OTHER_UNITS = 0x0b, "other units-based sensor";
    MEMORY = 0x0c, "memory";
    DRIVE_SLOT = 0x0d, "drive slot";
    POST_MEMORY_RESIZE = 0x0e, "POST memory resize";
    SYSTEM_FIRMWARE_PROGRESS = 0x0f, "system firmware progress";
    EVENT_LOGGING_DISABLED = 0x10, "event logging disabled";
    WATCHDOG_1 = 0x11, "watchdog 1";
    SYSTEM_EVENT = 0x12, "system event";
    CRITICAL_INTERRUPT = 0x13, "critical interrupt";
    BUTTON = 0x14, "button or switch";
    MODULE = 0x15, "module or board";
    MICROCONTROLLER = 0x16, "microcontroller";
    ADD_IN_CARD = 0x17, "add-in card";
    CHASSIS = 0x18, "chassis";
    CHIP_SET = 0x19, "chip set";
    OTHER_FRU = 0x1a, "other FRU";
    CABLE = 0x1b, "cable or interconnect";
    TERMINATOR = 0x1c, "terminator";
    SYSTEM_BOOT = 0x1d, "system boot initiated";
    BOOT_ERROR = 0x1e, "boot error";
    OS_BOOT = 0x1f, "base OS boot";
    OS_STOP = 0x20, "OS stop or shutdown";
    SLOT = 0x21, "slot or connector";
    ACPI_POWER_STATE = 0x22, "system ACPI power state";
    WATCHDOG_2 = 0x23, "watchdog 2";
    PLATFORM_ALERT = 0x24, "platform alert";
    ENTITY_PRESENCE = 0x25, "entity presence";
    MONITOR_ASIC = 0x26, "monitor ASIC";
    LAN = 0x27, "LAN";
    MANAGEMENT_HEALTH = 0x28, "management subsystem health";
    BATTERY = 0x29, "battery";
    SESSION_AUDIT = 0x2a, "session audit";
    VERSION_CHANGE = 0x2b, "version change";
    FRU_STATE = 0x2c, "FRU state";
}

impl fmt::Display for SensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self.0) {
            (Some(name), _) => f.write_str(name),
            (None, 0xc0..) => write!(f, "OEM sensor type {:02X}h", self.0),
            (None, _) => write!(f, "sensor type {:02X}h", self.0),
        }
    }
}
