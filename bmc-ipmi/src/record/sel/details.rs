//! What event data 2 and 3 add to an event, §42.2 table 42-3.

mod version;

use crate::record::{EventType, SensorType};

use super::{EventData, SensorLookup, SystemEvent};

pub(super) fn of(system: &SystemEvent, lookup: &impl SensorLookup) -> Vec<String> {
    let event = &system.event;
    let value = |raw| {
        lookup
            .reading(system.generator, event.sensor_number, raw)
            .unwrap_or_else(|| format!("{raw:02X}h (raw)"))
    };
    let specific = event.event_type == EventType::SENSOR_SPECIFIC;
    let mut details = Vec::new();
    match event.data_2() {
        EventData::Reading(raw) => details.push(format!("reading {}", value(raw))),
        EventData::PreviousState(data) => {
            let before = data & 0x0f;
            if let Some(state) = event.event_type.state(event.sensor_type, before) {
                details.push(format!("before: {state}"));
            }
        }
        EventData::SensorSpecific(UNSPECIFIED) | EventData::Unspecified => {}
        EventData::SensorSpecific(data) => {
            let known = specific.then(|| second(event.sensor_type, event.offset(), data));
            details.push(
                known
                    .flatten()
                    .unwrap_or_else(|| format!("data 2 {data:02X}h")),
            );
        }
        EventData::Oem(data) => details.push(format!("OEM data 2 {data:02X}h")),
        EventData::Threshold(_) => {}
    }
    match event.data_3() {
        EventData::Threshold(raw) => details.push(format!("threshold {}", value(raw))),
        EventData::SensorSpecific(UNSPECIFIED) | EventData::Unspecified => {}
        EventData::SensorSpecific(data) => {
            let known = specific.then(|| third(event.sensor_type, event.offset(), data));
            details.push(
                known
                    .flatten()
                    .unwrap_or_else(|| format!("data 3 {data:02X}h")),
            );
        }
        EventData::Oem(data) => details.push(format!("OEM data 3 {data:02X}h")),
        EventData::Reading(_) | EventData::PreviousState(_) => {}
    }
    details
}

const UNSPECIFIED: u8 = 0xff;

/// Event data 2 of a sensor-specific event.
fn second(sensor_type: SensorType, offset: u8, data: u8) -> Option<String> {
    let word = match (sensor_type, offset) {
        (SensorType::SYSTEM_FIRMWARE_PROGRESS, 0) => entry(FIRMWARE_ERRORS, data)?,
        (SensorType::SYSTEM_FIRMWARE_PROGRESS, 1 | 2) => entry(FIRMWARE_PROGRESS, data)?,
        (SensorType::EVENT_LOGGING_DISABLED, 0) => return Some(format!("memory module {data}")),
        (SensorType::EVENT_LOGGING_DISABLED, 1) => {
            return Some(format!("event type {}", EventType::new(data)));
        }
        (SensorType::SYSTEM_EVENT, 3) => {
            let (action, log) = (
                entry(AUXILIARY_ACTIONS, data >> 4)?,
                entry(AUXILIARY_LOGS, data & 0x0f)?,
            );
            return Some(format!("{action}, {log}"));
        }
        (SensorType::SYSTEM_EVENT, 4) => return Some(pef_actions(data)),
        (SensorType::SYSTEM_EVENT, 5) => {
            let half = if data & 0x80 == 0 { "first" } else { "second" };
            let clock = entry(&["SEL clock", "SDR clock"], data & 0x0f)?;
            return Some(format!("{half} of two events, {clock}"));
        }
        (SensorType::CHIP_SET, 0) => {
            let state = EventType::SENSOR_SPECIFIC.state(SensorType::ACPI_POWER_STATE, data & 0x0f);
            return Some(format!("requested {}", state?));
        }
        (SensorType::SYSTEM_BOOT, 7) => entry(RESTART_CAUSES, data & 0x0f)?,
        (SensorType::SLOT, _) => entry(SLOTS, data & 0x7f)?,
        (SensorType::WATCHDOG_2, _) => {
            let user = entry(TIMER_USES, data & 0x0f);
            let interrupt = match data >> 4 {
                0 => "no interrupt",
                1 => "SMI",
                2 => "NMI",
                3 => "messaging interrupt",
                _ => return user.map(|user| format!("timer of {user}")),
            };
            return Some(format!(
                "timer of {}, {interrupt}",
                user.unwrap_or("unknown use")
            ));
        }
        (SensorType::SESSION_AUDIT, _) => return Some(format!("user {}", data & 0x3f)),
        (SensorType::VERSION_CHANGE, _) => version::changed(data)?,
        _ => return None,
    };
    Some(word.to_owned())
}

/// Event data 3 of a sensor-specific event.
fn third(sensor_type: SensorType, offset: u8, data: u8) -> Option<String> {
    Some(match (sensor_type, offset) {
        (SensorType::POWER_SUPPLY, 6) => entry(SUPPLY_ERRORS, data & 0x0f)?.to_owned(),
        (SensorType::MEMORY, _) => format!("memory module {data}"),
        (SensorType::EVENT_LOGGING_DISABLED, 1) => {
            if data & 0x20 != 0 {
                "all its events".to_owned()
            } else {
                let edge = if data & 0x10 != 0 {
                    "assertion"
                } else {
                    "deassertion"
                };
                format!("{edge} of state {}", data & 0x0f)
            }
        }
        (SensorType::EVENT_LOGGING_DISABLED, 5) => format!("{data} % full"),
        (SensorType::CHIP_SET, 0) => {
            let state = EventType::SENSOR_SPECIFIC.state(SensorType::ACPI_POWER_STATE, data & 0x0f);
            format!("present {}", state?)
        }
        (SensorType::SYSTEM_BOOT, 7) => format!("channel {}", data & 0x0f),
        (SensorType::SLOT, _) => format!("number {data}"),
        (SensorType::SESSION_AUDIT, _) => {
            let channel = format!("channel {}", data & 0x0f);
            match entry(SESSION_ENDS, (data >> 4 & 0x03).wrapping_sub(1)) {
                Some(cause) => format!("{channel}, {cause}"),
                None => channel,
            }
        }
        _ => return None,
    })
}

fn entry(table: &[&'static str], index: u8) -> Option<&'static str> {
    let word = table.get(usize::from(index)).copied()?;
    Some(word).filter(|word| !word.is_empty())
}

fn pef_actions(bits: u8) -> String {
    const ACTIONS: [&str; 6] = [
        "alert",
        "power off",
        "reset",
        "power cycle",
        "OEM action",
        "diagnostic interrupt",
    ];
    let set = ACTIONS
        .iter()
        .enumerate()
        .filter(|(bit, _)| bits >> bit & 1 != 0);
    let set: Vec<_> = set.map(|(_, action)| *action).collect();
    if set.is_empty() {
        "no action".to_owned()
    } else {
        set.join(", ")
    }
}

const FIRMWARE_ERRORS: &[&str] = &[
    "unspecified",
    "no system memory",
    "no usable system memory",
    "unrecoverable disk failure",
    "unrecoverable board failure",
    "unrecoverable diskette failure",
    "unrecoverable disk controller failure",
    "unrecoverable keyboard failure",
    "removable boot medium not found",
    "unrecoverable video controller failure",
    "no video device",
    "firmware corruption",
    "CPU voltage mismatch",
    "CPU speed mismatch",
];

const FIRMWARE_PROGRESS: &[&str] = &[
    "unspecified",
    "memory initialization",
    "disk initialization",
    "secondary processor initialization",
    "user authentication",
    "user-initiated setup",
    "USB configuration",
    "PCI configuration",
    "option ROM initialization",
    "video initialization",
    "cache initialization",
    "SMBus initialization",
    "keyboard initialization",
    "management controller initialization",
    "docking station attachment",
    "enabling the docking station",
    "docking station ejection",
    "disabling the docking station",
    "calling the operating system's wake-up vector",
    "starting the operating system's boot",
    "baseboard initialization",
    "",
    "floppy initialization",
    "keyboard test",
    "pointing device test",
    "primary processor initialization",
];

const AUXILIARY_ACTIONS: &[&str] = &[
    "entry added",
    "entry added that has no other record",
    "entry added with one or more SEL entries",
    "log cleared",
    "log disabled",
    "log enabled",
];

const AUXILIARY_LOGS: &[&str] = &["machine check log", "OEM log 1", "OEM log 2"];

const RESTART_CAUSES: &[&str] = &[
    "unknown cause",
    "chassis control",
    "reset button",
    "power button",
    "watchdog",
    "OEM cause",
    "always powered up with mains",
    "power state restored with mains",
    "reset by PEF",
    "power cycle by PEF",
    "soft reset",
    "woken by the real-time clock",
];

const SLOTS: &[&str] = &[
    "PCI slot",
    "drive array slot",
    "external connector",
    "docking slot",
    "internal expansion slot",
    "slot of the entity",
    "AdvancedTCA slot",
    "DIMM slot",
    "fan slot",
];

const TIMER_USES: &[&str] = &[
    "reserved use",
    "BIOS FRB2",
    "BIOS POST",
    "OS load",
    "SMS/OS",
    "OEM",
];

const SUPPLY_ERRORS: &[&str] = &[
    "vendor mismatch",
    "revision mismatch",
    "processor missing",
    "rating mismatch",
    "voltage rating mismatch",
];

const SESSION_ENDS: &[&str] = &[
    "closed by command",
    "timed out",
    "closed by a change of the configuration",
];
