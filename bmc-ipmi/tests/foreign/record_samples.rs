//! What the simulated BMC holds for the foreign programs to read.

use bmc_ipmi::codec::Wire;
use bmc_ipmi::record::fru::*;
use bmc_ipmi::record::sel::{Event, Generator, SelBody, SystemEvent};
use bmc_ipmi::record::{Text, TextEncoding};
use bmc_ipmi::wire::Timestamp;

/// 2024-03-01 00:00.
pub(crate) const TIME: u32 = 1_709_251_200;

/// An event `after` seconds after [`TIME`]: sensor type, number, direction and type, data 1 to 3.
pub(crate) fn event(after: u32, bytes: [u8; 6]) -> SelBody {
    SelBody::System(SystemEvent {
        timestamp: Timestamp(TIME + after),
        generator: Generator::BMC,
        revision: SystemEvent::REVISION,
        event: Event::from_bytes(&bytes).unwrap(),
    })
}

/// Events of several kinds.
pub(crate) fn log() -> Vec<SelBody> {
    vec![
        event(0, [0x01, 0x30, 0x01, 0x59, 0x5c, 0x5a]),
        event(1, [0x01, 0x30, 0x81, 0x59, 0x58, 0x5a]),
        event(2, [0x08, 0x61, 0x6f, 0x03, 0xff, 0xff]),
        event(3, [0x0c, 0x02, 0x6f, 0xa0, 0x00, 0x05]),
        event(4, [0x10, 0x03, 0x6f, 0x02, 0xff, 0xff]),
        event(5, [0x0d, 0x04, 0x6f, 0x01, 0xff, 0xff]),
        event(6, [0x23, 0x05, 0x6f, 0xc1, 0x04, 0xff]),
        event(7, [0x0f, 0x06, 0x6f, 0xc2, 0x13, 0xff]),
        event(8, [0x08, 0x07, 0x0b, 0x01, 0xff, 0xff]),
        SelBody::TimestampedOem {
            record_type: 0xc1,
            timestamp: Timestamp(TIME + 9),
            manufacturer: 674,
            data: [1, 2, 3, 4, 5, 6],
        },
        SelBody::Oem {
            record_type: 0xe0,
            data: *b"hello, world.",
        },
    ]
}

/// Something in every area, in encodings that others show too.
pub(crate) fn inventory() -> FruInventory {
    let text = |encoding, text| Text::encode(encoding, text).unwrap();
    FruInventory {
        internal: None,
        chassis: Some(ChassisArea {
            chassis_type: ChassisType::RACK_MOUNT,
            part_number: text(TextEncoding::BcdPlus, "12345678"),
            serial_number: Text::plain("CH-0815"),
            custom: vec![Text::plain("Rack 7")],
        }),
        board: Some(BoardArea {
            language: 25,
            minutes: 14_726_880,
            manufacturer: Text::plain("Example Works"),
            product: text(TextEncoding::SixBit, "MAINBOARD 12"),
            serial_number: Text::plain("B-4711"),
            part_number: text(TextEncoding::Binary, "0102ff"),
            file_id: Text::plain("fru-7"),
            custom: vec![Text::plain("first"), Text::plain("second")],
        }),
        product: Some(ProductArea {
            language: 25,
            manufacturer: Text::plain("Example Works"),
            name: Text::plain("Server 9000"),
            part_number: Text::plain("S9-1"),
            version: Text::plain("2.0"),
            serial_number: Text::plain("P-0001"),
            asset_tag: Text::plain("ASSET-9"),
            file_id: Text::plain("fru-8"),
            custom: vec![],
        }),
        multirecords: vec![
            MultiRecord::PowerSupply(PowerSupply {
                capacity: 800,
                peak_va: 950,
                inrush_current: 30,
                inrush_interval: 5,
                input_1: [9000, 14000],
                input_2: [18000, 26400],
                frequency: [47, 63],
                dropout: 20,
                flags: 0x0e,
                hold_up: 12,
                peak_capacity: 900,
                combined: 0x23,
                combined_capacity: 100,
                tachometer_limit: 0,
            }),
            MultiRecord::DcOutput(DcOutput {
                number: 1,
                standby: true,
                nominal: 1200,
                negative_deviation: 60,
                positive_deviation: 60,
                ripple: 120,
                minimum_current: 100,
                maximum_current: 60_000,
                step: CurrentStep::One,
            }),
            MultiRecord::DcLoad(DcLoad {
                number: 2,
                nominal: 500,
                minimum: 475,
                maximum: 525,
                ripple: 50,
                minimum_current: 0,
                maximum_current: 2000,
                step: CurrentStep::One,
            }),
            MultiRecord::ManagementAccess(ManagementAccess {
                kind: ManagementAccessKind::SYSTEM_URL,
                data: b"https://bmc.example".to_vec(),
            }),
            MultiRecord::Oem {
                record_type: 0xc0,
                manufacturer: 674,
                data: vec![1, 2, 3],
            },
        ],
        damage: Vec::new(),
    }
}
