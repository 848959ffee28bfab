//! FRU inventories: what is encoded decodes to itself, and no bytes harm.

use bmc_ipmi::record::fru::*;
use bmc_ipmi::record::{EntityId, Text, TextEncoding};

use super::*;

proptest! {
    #[test]
    fn an_inventory_survives(inventory in inventories()) {
        let Ok(bytes) = inventory.encode() else {
            // Only what does not fit is refused.
            return Ok(());
        };
        prop_assert_eq!(bytes.len() % 8, 0);
        prop_assert_eq!(FruInventory::decode(&bytes), Ok(inventory));
        let mut known = 0;
        while needed(&bytes[..known], bytes.len()) > known {
            known = needed(&bytes[..known], bytes.len());
        }
        prop_assert!(bytes.len() - known < 8, "only what fills up the last eight bytes is not needed");
    }

    #[test]
    fn one_wrong_byte_is_reported_and_costs_one_area(
        mut inventory in inventories(),
        board in boards(),
        at in any::<prop::sample::Index>(),
    ) {
        // Records have checksums of their own; without any area nothing could be wrong.
        inventory.multirecords.clear();
        inventory.board = Some(board);
        let Ok(mut bytes) = inventory.encode() else {
            return Ok(());
        };
        let end = inventory.internal.as_ref().map_or(8, |internal| 8 + internal.len());
        let at = end + at.index(bytes.len() - end);
        bytes[at] ^= 0x10;
        let damaged = FruInventory::decode(&bytes).unwrap();
        prop_assert!(!damaged.damage.is_empty());
        let intact = [
            damaged.chassis == inventory.chassis,
            damaged.board == inventory.board,
            damaged.product == inventory.product,
        ];
        prop_assert!(intact.iter().filter(|same| !**same).count() <= 1);
    }

    #[test]
    fn any_bytes(mut bytes in vec(any::<u8>(), 0..400)) {
        if bytes.len() >= 8 {
            bytes[0] = 1;
            bytes[7] = bytes[..7].iter().fold(0, |sum: u8, byte| sum.wrapping_sub(*byte));
        }
        bmc_ipmi::fuzzing::ipmi_fru(&bytes);
    }
}

fn inventories() -> impl Strategy<Value = FruInventory> {
    (
        prop::option::of(vec(any::<u64>(), 1..4)),
        prop::option::of(chassis()),
        prop::option::of(boards()),
        prop::option::of(products()),
        vec(multirecords(), 0..4),
    )
        .prop_map(
            |(internal, chassis, board, product, multirecords)| FruInventory {
                internal: internal
                    .map(|words| words.into_iter().flat_map(u64::to_le_bytes).collect()),
                chassis,
                board,
                product,
                multirecords,
                damage: Vec::new(),
            },
        )
}

fn chassis() -> impl Strategy<Value = ChassisArea> {
    (any::<u8>(), fields(false, 2), vec(texts(false), 0..3)).prop_map(|(kind, f, custom)| {
        ChassisArea {
            chassis_type: ChassisType(kind),
            part_number: f[0].clone(),
            serial_number: f[1].clone(),
            custom,
        }
    })
}

fn boards() -> impl Strategy<Value = BoardArea> {
    languages()
        .prop_flat_map(|language| {
            let wide = !matches!(language, 0 | 25);
            (
                Just(language),
                0u32..0x0100_0000,
                fields(wide, 3),
                fields(false, 2),
                vec(texts(wide), 0..3),
            )
        })
        .prop_map(|(language, minutes, f, english, custom)| BoardArea {
            language,
            minutes,
            manufacturer: f[0].clone(),
            product: f[1].clone(),
            serial_number: english[0].clone(),
            part_number: f[2].clone(),
            file_id: english[1].clone(),
            custom,
        })
}

fn products() -> impl Strategy<Value = ProductArea> {
    languages()
        .prop_flat_map(|language| {
            let wide = !matches!(language, 0 | 25);
            (
                Just(language),
                fields(wide, 6),
                texts(false),
                vec(texts(wide), 0..3),
            )
        })
        .prop_map(|(language, f, serial_number, custom)| ProductArea {
            language,
            manufacturer: f[0].clone(),
            name: f[1].clone(),
            part_number: f[2].clone(),
            version: f[3].clone(),
            serial_number,
            asset_tag: f[4].clone(),
            file_id: f[5].clone(),
            custom,
        })
}

fn languages() -> impl Strategy<Value = u8> {
    prop_oneof![Just(0), Just(25), any::<u8>()]
}

fn fields(wide: bool, count: usize) -> impl Strategy<Value = Vec<Text>> {
    vec(texts(wide), count)
}

/// Text of every encoding that a field can have; a single byte of type 3 would be the end marker.
fn texts(wide: bool) -> impl Strategy<Value = Text> {
    let last = if wide {
        TextEncoding::Utf16
    } else {
        TextEncoding::Latin1
    };
    prop_oneof![
        (Just(TextEncoding::Binary), vec(any::<u8>(), 0..64)),
        (Just(TextEncoding::BcdPlus), vec(any::<u8>(), 0..64)),
        (Just(TextEncoding::SixBit), vec(any::<u8>(), 0..64)),
        (Just(last), vec(any::<u8>(), 2..64)),
    ]
    .prop_map(|(encoding, bytes)| Text::from_bytes(encoding, bytes))
}

fn multirecords() -> impl Strategy<Value = MultiRecord> {
    prop_oneof![
        any::<[u8; 24]>()
            .prop_map(|bytes| MultiRecord::PowerSupply(PowerSupply::from_bytes(&bytes).unwrap())),
        (steps(), any::<bool>(), rails()).prop_map(|(step, standby, (number, v, w))| {
            MultiRecord::DcOutput(DcOutput {
                step,
                number,
                standby,
                nominal: v[0],
                negative_deviation: v[1],
                positive_deviation: v[2],
                ripple: w[0],
                minimum_current: w[1],
                maximum_current: w[2],
            })
        }),
        (steps(), rails()).prop_map(|(step, (number, v, w))| {
            MultiRecord::DcLoad(DcLoad {
                step,
                number,
                nominal: v[0],
                minimum: v[1],
                maximum: v[2],
                ripple: w[0],
                minimum_current: w[1],
                maximum_current: w[2],
            })
        }),
        (any::<u8>(), vec(any::<u8>(), 0..40)).prop_map(|(kind, data)| {
            MultiRecord::ManagementAccess(ManagementAccess {
                kind: ManagementAccessKind(kind),
                data,
            })
        }),
        (
            any::<bool>(),
            0u32..0x0100_0000,
            any::<[u8; 2]>(),
            0u8..0x80,
            vec(any::<u8>(), 0..20)
        )
            .prop_map(|(base, manufacturer, b, start, mask)| {
                let compatibility = Compatibility {
                    manufacturer,
                    entity: EntityId(b[0]),
                    base: b[1],
                    start,
                    mask,
                };
                if base {
                    MultiRecord::BaseCompatibility(compatibility)
                } else {
                    MultiRecord::ExtendedCompatibility(compatibility)
                }
            }),
        (0xc0u8.., 0u32..0x0100_0000, vec(any::<u8>(), 0..250)).prop_map(
            |(record_type, manufacturer, data)| MultiRecord::Oem {
                record_type,
                manufacturer,
                data
            }
        ),
        (0x0bu8..0xc0, vec(any::<u8>(), 0..250))
            .prop_map(|(record_type, data)| MultiRecord::Other { record_type, data }),
    ]
}

fn rails() -> impl Strategy<Value = (u8, [i16; 3], [u16; 3])> {
    (0u8..16, any::<[i16; 3]>(), any::<[u16; 3]>())
}

fn steps() -> impl Strategy<Value = CurrentStep> {
    prop_oneof![
        Just(CurrentStep::One),
        Just(CurrentStep::Ten),
        Just(CurrentStep::Hundred)
    ]
}
