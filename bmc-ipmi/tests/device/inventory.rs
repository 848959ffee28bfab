//! Records of every type and every encoding of names.

use bmc_ipmi::command::ReadingFactors;
use bmc_ipmi::record::reading::{AnalogFormat, Linearization};
use bmc_ipmi::record::sdr::*;
use bmc_ipmi::record::unit::{Unit, Units};
use bmc_ipmi::record::{Text, TextEncoding};
use bmc_ipmi::wire::{Entity, EntityId, EventType, RawThresholds, SensorType};

/// A temperature with all six thresholds, linear: raw − 50 °C.
pub(crate) fn numeric(number: u8, name: Text) -> FullSensor {
    FullSensor {
        sensor: SensorDefinition {
            key: SensorKey::bmc(number),
            entity: Entity::new(EntityId::SYSTEM_BOARD, 1),
            initialization: 0x7f,
            capabilities: SensorCapabilities(0x68),
            sensor_type: SensorType::TEMPERATURE,
            event_type: EventType::THRESHOLD,
            assertion_mask: 0x0a95,
            deassertion_mask: 0x0a95,
            reading_mask: 0x3f3f,
            units: Units::of(Unit::CELSIUS),
        },
        linearization: Linearization::LINEAR,
        factors: ReadingFactors {
            m: 1,
            b: -5,
            b_exponent: 1,
            tolerance: 2,
            accuracy: 25,
            ..ReadingFactors::default()
        },
        range: AnalogRange {
            flags: 0x01,
            nominal: 75,
            maximum: 0xff,
            ..AnalogRange::default()
        },
        // 5, 0, -10, 60, 70, 90 °C.
        thresholds: RawThresholds([55, 50, 40, 110, 120, 140]),
        positive_hysteresis: 2,
        negative_hysteresis: 3,
        oem: 0,
        name,
    }
}

pub(crate) fn full(sensor: FullSensor) -> SdrBody {
    SdrBody::Full(Box::new(sensor))
}

/// A sensor whose readings take a curve.
pub(crate) fn curved(
    number: u8,
    name: &str,
    linearization: u8,
    m: i16,
    r_exponent: i8,
) -> FullSensor {
    let mut sensor = numeric(number, latin(name));
    sensor.linearization = Linearization::new(linearization);
    sensor.factors = ReadingFactors {
        m,
        r_exponent,
        ..ReadingFactors::default()
    };
    sensor.sensor.reading_mask = 0;
    sensor.sensor.capabilities = SensorCapabilities(0x40);
    sensor
}

/// Factors without exponents.
pub(crate) fn factors(m: i16, b: i16) -> ReadingFactors {
    ReadingFactors {
        m,
        b,
        ..ReadingFactors::default()
    }
}

/// `count` drive slots in one record.
pub(crate) fn drives(number: u8, sharing: Sharing) -> SdrBody {
    SdrBody::Compact(Box::new(CompactSensor {
        sensor: SensorDefinition {
            key: SensorKey::bmc(number),
            entity: Entity::new(EntityId::DISK, 1),
            initialization: 0x67,
            capabilities: SensorCapabilities(0x40),
            sensor_type: SensorType::DRIVE_SLOT,
            event_type: EventType::SENSOR_SPECIFIC,
            assertion_mask: 0x01ff,
            deassertion_mask: 0x01ff,
            reading_mask: 0x01ff,
            units: Units {
                format: AnalogFormat::None,
                ..Units::default()
            },
        },
        sharing,
        positive_hysteresis: 0,
        negative_hysteresis: 0,
        oem: 0,
        name: latin("Slot "),
    }))
}

/// One record of each type; names in each encoding.
pub(crate) fn every_type() -> Vec<SdrBody> {
    let encoded = |encoding, text| Text::encode(encoding, text).unwrap();
    let board = Entity::new(EntityId::SYSTEM_BOARD, 1);
    let none = Entity::new(EntityId::UNSPECIFIED, 0);
    let elsewhere = |address, entity| AssociatedEntity {
        address,
        channel: 0,
        entity,
    };
    vec![
        full(numeric(1, latin("Température"))),
        full(numeric(2, encoded(TextEncoding::SixBit, "TEMP 2"))),
        full(numeric(3, encoded(TextEncoding::BcdPlus, "12-34.5"))),
        full(numeric(4, encoded(TextEncoding::Utf16, "温度 4"))),
        drives(
            0x10,
            Sharing {
                count: 3,
                suffix: 1,
                offset: 25,
                instances: true,
                direction: 0,
            },
        ),
        SdrBody::EventOnly(Box::new(EventOnlySensor {
            key: SensorKey::bmc(0x20),
            entity: board,
            sensor_type: SensorType::EVENT_LOGGING_DISABLED,
            event_type: EventType::SENSOR_SPECIFIC,
            sharing: Sharing::default(),
            oem: 7,
            name: latin("SEL"),
        })),
        SdrBody::EntityAssociation(EntityAssociation {
            container: board,
            association: Association(0x20),
            contained: [Entity::new(EntityId::PROCESSOR, 1), none, none, none],
        }),
        SdrBody::DeviceEntityAssociation(DeviceEntityAssociation {
            container: elsewhere(0x20, board),
            association: Association(0x80),
            contained: [
                elsewhere(0xc0, Entity::new(EntityId::DISK, 0x61)),
                elsewhere(0xc0, Entity::new(EntityId::DISK, 0x64)),
                elsewhere(0, none),
                elsewhere(0, none),
            ],
        }),
        SdrBody::GenericLocator(GenericLocator {
            access_address: 0x20,
            slave_address: 0x91,
            bus: 0x2b,
            span: 2,
            device_type: 0x02,
            modifier: 0,
            entity: board,
            oem: 0,
            name: latin("LM75"),
        }),
        SdrBody::FruLocator(FruLocator::of_bmc(
            3,
            board,
            encoded(TextEncoding::SixBit, "BOARD FRU"),
        )),
        SdrBody::McLocator(McLocator {
            address: 0xc0,
            channel: 0,
            notification: 0x21,
            support: 0x29,
            entity: Entity::new(EntityId::DRIVE_BACKPLANE, 1),
            oem: 0,
            name: latin("HSC"),
        }),
        SdrBody::McConfirmation(McConfirmation {
            address: 0xc0,
            device_id: 0x22,
            channel: 0,
            revision: 1,
            firmware_major: 2,
            firmware_minor: 0x15,
            ipmi_version: 0x02,
            manufacturer: 343,
            product: 0x0811,
            guid: *b"0123456789abcdef",
        }),
        SdrBody::MessageChannels(MessageChannels {
            channels: [MessageChannel(0x81); 8],
            messaging_interrupt: 0x20,
            event_interrupt: 0xff,
        }),
        SdrBody::Oem {
            manufacturer: 10_876,
            data: vec![1, 2, 3, 4, 5],
        },
        SdrBody::Raw {
            kind: SdrType(0x0a),
            data: vec![9; 20],
        },
    ]
}

pub(crate) fn latin(text: &str) -> Text {
    Text::encode(TextEncoding::Latin1, text).unwrap()
}
