//! A server's worth of sensors and events, for demonstrations.

mod events;
mod record;

use crate::command::{DcmiTemperature, PowerReading};
use crate::record::sdr::{
    Association, EntityAssociation, EventOnlySensor, GenericLocator, McLocator, SdrBody, SensorKey,
    Sharing,
};
use crate::record::unit::Unit;
use crate::sim::{SimBuilder, SimDcmi};
use crate::wire::{Entity, EntityId, EventType, SensorType, Timestamp};

use record::{Discrete, Numeric, latin};

const INLET: Entity = Entity::new(EntityId::AIR_INLET, 1);
const BOARD: Entity = Entity::new(EntityId::SYSTEM_BOARD, 1);
const CHASSIS: Entity = Entity::new(EntityId::SYSTEM_CHASSIS, 1);
const SUPPLY_1: Entity = Entity::new(EntityId::POWER_SUPPLY, 1);
const SUPPLY_2: Entity = Entity::new(EntityId::POWER_SUPPLY, 2);
const CPU_1: Entity = Entity::new(EntityId::PROCESSOR, 1);
const CPU_2: Entity = Entity::new(EntityId::PROCESSOR, 2);

impl SimBuilder {
    /// Adds what a two-socket server has: some twenty sensors with plausible readings, events, and DCMI.
    pub fn demo_inventory(self) -> Self {
        let with_records = self
            .records(numeric().iter().map(Numeric::record))
            .records(discrete().iter().map(Discrete::record))
            .records(others())
            .dcmi(dcmi());
        let with_events = events::events().into_iter().fold(with_records, Self::event);
        discrete().into_iter().fold(with_events, |builder, sensor| {
            builder.sensor_states(sensor.number, sensor.states)
        })
    }
}

fn numeric() -> Vec<Numeric> {
    let temperature = |number, name, entity, value, upper| Numeric {
        number,
        name,
        entity,
        sensor_type: SensorType::TEMPERATURE,
        unit: Unit::CELSIUS,
        // Two's complement, one degree a count.
        factors: (1, 0, 0, 0),
        is_signed: true,
        value,
        lower: [None; 3],
        upper,
    };
    let fan = |number, name, value| Numeric {
        number,
        name,
        entity: Entity::new(EntityId::FAN, number - 0x10 + 1),
        sensor_type: SensorType::FAN,
        unit: Unit::RPM,
        factors: (75, 0, 0, 0),
        is_signed: false,
        value,
        lower: [Some(1500.0), Some(1050.0), None],
        upper: [None; 3],
    };
    let voltage = |number, name, m, value: f64| Numeric {
        number,
        name,
        entity: BOARD,
        sensor_type: SensorType::VOLTAGE,
        unit: Unit::VOLTS,
        factors: (m, 0, 0, -3),
        is_signed: false,
        value,
        lower: [Some(value * 0.95), Some(value * 0.9), None],
        upper: [Some(value * 1.05), Some(value * 1.1), None],
    };
    let power = |number, name, entity, value| Numeric {
        number,
        name,
        entity,
        sensor_type: SensorType::POWER_SUPPLY,
        unit: Unit::WATTS,
        factors: (4, 0, 0, 0),
        is_signed: false,
        value,
        lower: [None; 3],
        upper: [Some(700.0), Some(750.0), None],
    };
    vec![
        temperature(
            0x01,
            "Inlet Temp",
            INLET,
            23.0,
            [Some(38.0), Some(42.0), None],
        ),
        temperature(
            0x02,
            "CPU1 Temp",
            CPU_1,
            46.0,
            [Some(85.0), Some(95.0), Some(100.0)],
        ),
        temperature(
            0x03,
            "CPU2 Temp",
            CPU_2,
            48.0,
            [Some(85.0), Some(95.0), Some(100.0)],
        ),
        temperature(
            0x04,
            "System Temp",
            BOARD,
            31.0,
            [Some(70.0), Some(75.0), None],
        ),
        fan(0x10, "FAN1", 4500.0),
        fan(0x11, "FAN2", 4575.0),
        fan(0x12, "FAN3", 4425.0),
        fan(0x13, "FAN4", 4500.0),
        voltage(0x20, "12V", 63, 12.033),
        voltage(0x21, "5VCC", 27, 5.022),
        voltage(0x22, "3.3VCC", 17, 3.315),
        voltage(0x23, "VBAT", 17, 3.06),
        power(0x30, "PS1 Input Power", SUPPLY_1, 132.0),
        power(0x31, "PS2 Input Power", SUPPLY_2, 128.0),
    ]
}

fn discrete() -> Vec<Discrete> {
    let sensor = |number, name, entity, sensor_type, mask, states| Discrete {
        number,
        name,
        entity,
        sensor_type,
        event_type: EventType::SENSOR_SPECIFIC,
        mask,
        states,
        sharing: Sharing::default(),
    };
    let redundancy = EventType::new(0x0b);
    let drives = Sharing {
        count: 4,
        instances: true,
        ..Sharing::default()
    };
    let drive = Entity::new(EntityId::DISK_DRIVE_BAY, 1);
    vec![
        sensor(
            0x40,
            "CPU1 Status",
            CPU_1,
            SensorType::PROCESSOR,
            0x04a3,
            0x0080,
        ),
        sensor(
            0x41,
            "CPU2 Status",
            CPU_2,
            SensorType::PROCESSOR,
            0x04a3,
            0x0080,
        ),
        sensor(
            0x42,
            "PS1 Status",
            SUPPLY_1,
            SensorType::POWER_SUPPLY,
            0x000f,
            0x0001,
        ),
        sensor(
            0x43,
            "PS2 Status",
            SUPPLY_2,
            SensorType::POWER_SUPPLY,
            0x000f,
            0x0001,
        ),
        Discrete {
            event_type: redundancy,
            ..sensor(
                0x44,
                "PS Redundancy",
                CHASSIS,
                SensorType::POWER_UNIT,
                0x0003,
                0x0001,
            )
        },
        sensor(
            0x45,
            "Intrusion",
            CHASSIS,
            SensorType::PHYSICAL_SECURITY,
            0x0001,
            0,
        ),
        sensor(0x46, "Watchdog", BOARD, SensorType::WATCHDOG_2, 0x010f, 0),
        Discrete {
            sharing: drives,
            ..sensor(
                0x50,
                "Drive ",
                drive,
                SensorType::DRIVE_SLOT,
                0x0103,
                0x0001,
            )
        },
    ]
}

fn others() -> Vec<SdrBody> {
    let unused = Entity::new(EntityId::UNSPECIFIED, 0);
    vec![
        SdrBody::EventOnly(Box::new(EventOnlySensor {
            key: SensorKey::bmc(0x60),
            entity: BOARD,
            sensor_type: SensorType::EVENT_LOGGING_DISABLED,
            event_type: EventType::SENSOR_SPECIFIC,
            sharing: Sharing::default(),
            oem: 0,
            name: latin("SEL"),
        })),
        SdrBody::McLocator(McLocator {
            address: SensorKey::BMC,
            channel: 0,
            notification: 0,
            support: 0xbf,
            entity: BOARD,
            oem: 0,
            name: latin("BMC"),
        }),
        SdrBody::GenericLocator(GenericLocator {
            access_address: SensorKey::BMC,
            slave_address: 0x90,
            bus: 0x01,
            span: 0,
            device_type: 0x02,
            modifier: 0,
            entity: BOARD,
            oem: 0,
            name: latin("Board Monitor"),
        }),
        SdrBody::EntityAssociation(EntityAssociation {
            container: CHASSIS,
            association: Association(0),
            contained: [SUPPLY_1, SUPPLY_2, unused, unused],
        }),
    ]
}

fn dcmi() -> SimDcmi {
    let temperature = |celsius, instance| DcmiTemperature { celsius, instance };
    SimDcmi {
        supported: true,
        power: PowerReading {
            current: 260,
            minimum: 96,
            maximum: 412,
            average: 248,
            time: Timestamp(0x6000_0000),
            period: 3_600_000,
            state: 0x40,
        },
        asset_tag: b"RACK-07-U12".to_vec(),
        mc_id: b"bmc-demo\0".to_vec(),
        temperatures: [
            (EntityId::DCMI_AIR_INLET, vec![temperature(23, 1)]),
            (
                EntityId::DCMI_PROCESSOR,
                vec![temperature(46, 1), temperature(48, 2)],
            ),
            (EntityId::DCMI_BASEBOARD, vec![temperature(31, 1)]),
        ]
        .into(),
        sensors: [
            (EntityId::DCMI_AIR_INLET, vec![1]),
            (EntityId::DCMI_PROCESSOR, vec![2, 3]),
            (EntityId::DCMI_BASEBOARD, vec![4]),
        ]
        .into(),
        ..SimDcmi::default()
    }
}
