//! Golden records: made by OpenIPMI's sdrcomp from text, and sent by its ipmi_sim.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::SensorReading;
use bmc_ipmi::record::reading::AnalogFormat;
use bmc_ipmi::record::sdr::{Access, SdrBody, SensorKey};
use bmc_ipmi::record::sensor::Availability;
use bmc_ipmi::record::{Sdr, Sensor, TextEncoding};
use bmc_ipmi::wire::{Entity, EntityId, EventType, SensorType};

/// `sdr type 1`, `sensor_number 1`, `id_string "MBTemp"`, `base_unit degrees_C`, `m 1`.
const TEMPERATURE: &str = "03005101312000010701450001010000000000000001000001000001010000000000ff000000000000000000000000c64d4254656d70";
/// `sdr type 1`, `sensor_number 17`, `id_string "P12V"` (six bits, counted in characters), `m 6`, `b 50`, `r_exp -2`,
/// `b_exp -1`.
const VOLTAGE: &str = "080051012e20001107014500020100000000000000040000060032 0101ef00000000ff000000000000000000000000847024d9";
/// `sdr type 1`, `sensor_number 18`, `analog_data_format 2s_complement`, `id_string "TCtl margin"`.
const MARGIN: &str = "09005101362000120301450001010000000000008001000001000001010000000000 7f8000000000000000000000 00cb5443746c206d617267696e";
/// `sdr type 2`, `sensor_number 2`, `sensor_type Entity_Presence`, `id_string "mm1pres"`.
const PRESENCE: &str =
    "0500510222200002080100 00256f030003000300c000000000000000000000c76d6d3170726573";
/// `sdr type 3`, `sensor_number 0`, `sensor_type Watchdog_2`, `id_string "watchdog"`.
const WATCHDOG: &str = "020051031420000007 01236f00000000c87761746368646f67";
/// `sdr type 0x11`, `device_access_address 0x30`, `fru_device_address 3`, `logical_fru 1`, `id_string "mm2frudev"`.
const FRU: &str = "0600511114300380000010000802 00c96d6d32667275646576";
/// `sdr type 18`, `device_slave_address 0x20`, `id_string "IPMI sim1"`.
const CONTROLLER: &str = "01005112142000008f0000000701 00c949504d492073696d31";

fn record(hex: &str) -> Sdr {
    let digits: Vec<u8> = hex.bytes().filter(|byte| *byte != b' ').collect();
    let pairs = digits
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).unwrap());
    let bytes: Vec<u8> = pairs
        .map(|pair| u8::from_str_radix(pair, 16).unwrap())
        .collect();
    let record = Sdr::from_bytes(&bytes).unwrap();
    assert_eq!(usize::from(bytes[4]) + Sdr::HEADER, bytes.len());
    // sdrcomp counts the characters of six bits, this crate the bytes.
    if record.body.name().as_deref() != Some("P12V") {
        assert_eq!(record.to_bytes(), bytes);
    }
    record
}

fn sensor(hex: &str) -> Sensor {
    let [sensor] = Sensor::of(&record(hex)).try_into().unwrap();
    sensor
}

#[test]
fn a_temperature() {
    let sensor = sensor(TEMPERATURE);
    assert_eq!((sensor.name.as_str(), sensor.record_id), ("MBTemp", 3));
    assert_eq!(sensor.key, SensorKey::bmc(1));
    assert_eq!(sensor.entity, Entity::new(EntityId::SYSTEM_BOARD, 1));
    assert_eq!(sensor.sensor_type, SensorType::TEMPERATURE);
    assert_eq!(sensor.event_type, EventType::THRESHOLD);
    assert_eq!(sensor.units.to_string(), "°C");
    assert_eq!(sensor.threshold_access, Access::None);
    let analog = sensor.analog.unwrap();
    assert_eq!(analog.range.maximum, 255);
    assert_eq!(analog.conversion.value(0x60), Some(96.0));
    assert_eq!(analog.conversion.accuracy(), 0.01);
}

#[test]
fn a_voltage_with_an_offset() {
    let record = record(VOLTAGE);
    let SdrBody::Full(full) = &record.body else {
        panic!("{record:?}")
    };
    assert_eq!(full.name.encoding(), TextEncoding::SixBit);
    let factors = full.factors;
    assert_eq!((factors.m, factors.b), (6, 50));
    assert_eq!((factors.r_exponent, factors.b_exponent), (-2, -1));
    assert_eq!((factors.accuracy, factors.direction), (1, 1));
    let sensor = sensor(VOLTAGE);
    assert_eq!(
        (sensor.name.as_str(), sensor.units.to_string()),
        ("P12V", "V".to_owned())
    );
    // (6·200 + 50·10^-1)·10^-2
    assert_eq!(sensor.analog.unwrap().conversion.value(200), Some(12.05));
}

#[test]
fn a_signed_temperature() {
    let sensor = sensor(MARGIN);
    assert_eq!(sensor.units.format, AnalogFormat::TwosComplement);
    let reading = SensorReading::from_bytes(&[0xf6, 0xc0, 0xc0]).unwrap();
    let status = sensor.status(&reading, None);
    assert_eq!(
        (status.value, status.availability),
        (Some(-10.0), Availability::Available)
    );
}

#[test]
fn a_presence() {
    let sensor = sensor(PRESENCE);
    assert_eq!(sensor.name, "mm1pres");
    assert_eq!(sensor.entity, Entity::new(EntityId::MEMORY_MODULE, 1));
    assert_eq!((sensor.assertion_mask, sensor.analog), (3, None));
    let reading = SensorReading::from_bytes(&[0, 0xc0, 0x02, 0x80]).unwrap();
    let status = sensor.status(&reading, None);
    assert_eq!(status.state_names(&sensor), ["absent"]);
    assert_eq!(status.value, None);
}

#[test]
fn devices_and_events() {
    let watchdog = sensor(WATCHDOG);
    assert!(watchdog.is_event_only);
    assert_eq!(watchdog.sensor_type, SensorType::WATCHDOG_2);
    let SdrBody::FruLocator(fru) = record(FRU).body else {
        panic!("no FRU locator")
    };
    assert_eq!(
        (fru.access_address, fru.logical_id(), fru.lun()),
        (0x30, Some(3), 0)
    );
    assert_eq!(
        (fru.device_type, fru.name.to_string()),
        (0x10, "mm2frudev".to_owned())
    );
    assert_eq!(fru.entity, Entity::new(EntityId::MEMORY_MODULE, 2));
    let SdrBody::McLocator(controller) = record(CONTROLLER).body else {
        panic!("no controller locator")
    };
    assert_eq!((controller.address, controller.support), (0x20, 0x8f));
    assert_eq!(controller.name.to_string(), "IPMI sim1");
}
