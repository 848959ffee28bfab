//! Sensor data record commands, and the records.

use bmc_ipmi::record::reading::{AnalogFormat, Linearization};
use bmc_ipmi::record::sdr::*;
use bmc_ipmi::record::unit::{Rate, Unit, UnitRelation, Units};
use bmc_ipmi::record::{Text, TextEncoding};

use super::sensor::factors;
use super::*;

wire_type! {
    get_sdr_repository_info: GetSdrRepositoryInfo = Just(GetSdrRepositoryInfo);
    sdr_repository_info: SdrRepositoryInfo = any::<(u8, u16, u16, u32, u32, u8)>().prop_map(
        |(version, records, free, added, erased, operations)| SdrRepositoryInfo {
            version, records, free, last_addition: Timestamp(added), last_erase: Timestamp(erased), operations,
        });
    get_allocation_info: GetSdrRepositoryAllocationInfo = Just(GetSdrRepositoryAllocationInfo);
    allocation: SdrRepositoryAllocation = any::<([u16; 4], u8)>().prop_map(|(w, largest_record)| {
        SdrRepositoryAllocation { units: w[0], unit_size: w[1], free_units: w[2], largest_free: w[3], largest_record }
    });
    get_time: GetSdrRepositoryTime = Just(GetSdrRepositoryTime);
    time: SdrRepositoryTime = any::<u32>().prop_map(|time| SdrRepositoryTime { time: Timestamp(time) });
    reserve: ReserveSdrRepository = Just(ReserveSdrRepository);
    reserve_device: ReserveDeviceSdrRepository = Just(ReserveDeviceSdrRepository);
    reservation: SdrReservation = any::<u16>().prop_map(|id| SdrReservation { id });
    get_sdr: GetSdr = ranges().prop_map(GetSdr);
    get_device_sdr: GetDeviceSdr = ranges().prop_map(GetDeviceSdr);
    sdr_part: SdrPart = (any::<u16>(), vec(any::<u8>(), 0..64)).prop_map(|(next, data)| SdrPart { next, data });
    get_device_sdr_info: GetDeviceSdrInfo = any::<bool>().prop_map(|records| GetDeviceSdrInfo { records });
    device_sdr_info: DeviceSdrInfo = any::<(u8, u8, Option<u32>)>().prop_map(|(count, flags, population_change)| {
        DeviceSdrInfo { count, flags, population_change }
    });
    entity: Entity = entities();
    units: Units = units_values();
    sharing: Sharing = sharings();
    sensor_key: SensorKey = keys_of_sensors();
    definition: SensorDefinition = definitions();
    full_sensor: FullSensor = full_sensors();
    sdr: Sdr = (any::<u16>(), any::<u8>(), bodies()).prop_map(|(id, version, body)| Sdr { id, version, body });
}

fn ranges() -> impl Strategy<Value = SdrRange> {
    any::<(u16, u16, u8, u8)>().prop_map(|(reservation, record, offset, count)| SdrRange {
        reservation,
        record,
        offset,
        count,
    })
}

fn entities() -> impl Strategy<Value = Entity> {
    any::<(u8, u8)>().prop_map(|(id, instance)| Entity {
        id: EntityId(id),
        instance,
    })
}

fn units_values() -> impl Strategy<Value = Units> {
    any::<([u8; 5], bool)>().prop_map(|(b, percentage)| Units {
        format: AnalogFormat::from_bits(b[0]),
        rate: Rate::new(b[1]),
        relation: UnitRelation::new(b[2]),
        percentage,
        base: Unit(b[3]),
        modifier: Unit(b[4]),
    })
}

fn sharings() -> impl Strategy<Value = Sharing> {
    (0u8..4, 0u8..4, 0u8..16, any::<bool>(), 0u8..128).prop_map(
        |(direction, suffix, count, instances, offset)| Sharing {
            direction,
            suffix,
            count,
            instances,
            offset,
        },
    )
}

fn keys_of_sensors() -> impl Strategy<Value = SensorKey> {
    (any::<u8>(), 0u8..16, 0u8..4, any::<u8>()).prop_map(|(owner, channel, lun, number)| {
        SensorKey {
            owner,
            channel,
            lun,
            number,
        }
    })
}

fn definitions() -> impl Strategy<Value = SensorDefinition> {
    let bytes = any::<([u8; 4], [u16; 3])>();
    (keys_of_sensors(), entities(), bytes, units_values()).prop_map(
        |(key, entity, (b, w), units)| SensorDefinition {
            key,
            entity,
            initialization: b[0],
            capabilities: SensorCapabilities(b[1]),
            sensor_type: SensorType(b[2]),
            event_type: EventType::new(b[3]),
            assertion_mask: w[0],
            deassertion_mask: w[1],
            reading_mask: w[2],
            units,
        },
    )
}

fn names() -> impl Strategy<Value = Text> {
    let encodings = prop_oneof![
        Just(TextEncoding::Utf16),
        Just(TextEncoding::BcdPlus),
        Just(TextEncoding::SixBit),
        Just(TextEncoding::Latin1),
    ];
    (encodings, vec(any::<u8>(), 0..=15)).prop_map(|(encoding, bytes)| {
        // Half a character of UTF-16 does not survive.
        let length = bytes.len() & !usize::from(encoding == TextEncoding::Utf16);
        Text::from_bytes(encoding, &bytes[..length])
    })
}

fn full_sensors() -> impl Strategy<Value = FullSensor> {
    let bytes = any::<([u8; 9], [u8; 6])>();
    (definitions(), factors(), bytes, names()).prop_map(
        |(sensor, factors, (b, thresholds), name)| FullSensor {
            sensor,
            linearization: Linearization::new(b[0]),
            factors,
            range: AnalogRange {
                flags: b[1],
                nominal: b[2],
                normal_maximum: b[3],
                normal_minimum: b[4],
                maximum: b[5],
                minimum: b[6],
            },
            thresholds: RawThresholds(thresholds),
            positive_hysteresis: b[7],
            negative_hysteresis: b[8],
            oem: b[0],
            name,
        },
    )
}

fn compact_sensors() -> impl Strategy<Value = CompactSensor> {
    (definitions(), sharings(), any::<[u8; 3]>(), names()).prop_map(|(sensor, sharing, b, name)| {
        CompactSensor {
            sensor,
            sharing,
            positive_hysteresis: b[0],
            negative_hysteresis: b[1],
            oem: b[2],
            name,
        }
    })
}

fn event_only_sensors() -> impl Strategy<Value = EventOnlySensor> {
    (
        keys_of_sensors(),
        entities(),
        sharings(),
        any::<[u8; 3]>(),
        names(),
    )
        .prop_map(|(key, entity, sharing, b, name)| EventOnlySensor {
            key,
            entity,
            sensor_type: SensorType(b[0]),
            event_type: EventType::new(b[1]),
            sharing,
            oem: b[2],
            name,
        })
}

fn associated() -> impl Strategy<Value = AssociatedEntity> {
    (any::<u8>(), 0u8..16, entities()).prop_map(|(address, channel, entity)| AssociatedEntity {
        address,
        channel,
        entity,
    })
}

fn four<T: Debug>(values: impl Strategy<Value = T>) -> impl Strategy<Value = [T; 4]> {
    vec(values, 4).prop_map(|values| values.try_into().unwrap())
}

fn bodies() -> impl Strategy<Value = SdrBody> {
    let locators = (any::<[u8; 8]>(), entities(), names());
    prop_oneof![
        full_sensors().prop_map(|sensor| SdrBody::Full(Box::new(sensor))),
        compact_sensors().prop_map(|sensor| SdrBody::Compact(Box::new(sensor))),
        event_only_sensors().prop_map(|sensor| SdrBody::EventOnly(Box::new(sensor))),
        (entities(), any::<u8>(), four(entities())).prop_map(|(container, flags, contained)| {
            SdrBody::EntityAssociation(EntityAssociation {
                container,
                association: Association(flags & 0xe0),
                contained,
            })
        }),
        (associated(), any::<u8>(), four(associated())).prop_map(
            |(container, flags, contained)| {
                SdrBody::DeviceEntityAssociation(DeviceEntityAssociation {
                    container,
                    association: Association(flags & 0xe0),
                    contained,
                })
            }
        ),
        locators.prop_map(|(b, entity, name)| match b[7] % 3 {
            0 => SdrBody::GenericLocator(GenericLocator {
                access_address: b[0],
                slave_address: b[1],
                bus: b[2],
                span: b[3] & 7,
                device_type: b[4],
                modifier: b[5],
                entity,
                oem: b[6],
                name,
            }),
            1 => SdrBody::FruLocator(FruLocator {
                access_address: b[0],
                device: b[1],
                access: b[2],
                channel: b[3] & 15,
                device_type: b[4],
                modifier: b[5],
                entity,
                oem: b[6],
                name,
            }),
            _ => SdrBody::McLocator(McLocator {
                address: b[0],
                channel: b[1] & 15,
                notification: b[2],
                support: b[3],
                entity,
                oem: b[6],
                name,
            }),
        }),
        any::<([u8; 7], u16, u32, [u8; 16])>().prop_map(|(b, product, manufacturer, guid)| {
            SdrBody::McConfirmation(McConfirmation {
                address: b[0],
                device_id: b[1],
                channel: b[2] & 15,
                revision: b[3] & 15,
                firmware_major: b[4],
                firmware_minor: b[5],
                ipmi_version: b[6],
                manufacturer: manufacturer & 0x00ff_ffff,
                product,
                guid,
            })
        }),
        any::<([u8; 8], [u8; 2])>().prop_map(|(channels, b)| SdrBody::MessageChannels(
            MessageChannels {
                channels: channels.map(MessageChannel),
                messaging_interrupt: b[0],
                event_interrupt: b[1],
            }
        )),
        (0u32..0x0100_0000, vec(any::<u8>(), 0..32))
            .prop_map(|(manufacturer, data)| SdrBody::Oem { manufacturer, data }),
        (0x20u8..0xb0, vec(any::<u8>(), 0..=255)).prop_map(|(kind, data)| SdrBody::Raw {
            kind: SdrType(kind),
            data,
        }),
        // Too short for its type.
        vec(any::<u8>(), 0..17).prop_map(|data| SdrBody::Raw {
            kind: SdrType::FULL,
            data,
        }),
    ]
}
