//! FRU inventories.

use bmc_core::ErrorKind;
use bmc_ipmi::command::{FruAccess, WriteFruData};
use bmc_ipmi::device::{DeviceError, FruStorage};
use bmc_ipmi::record::fru::{
    BoardArea, ChassisArea, ChassisType, FruArea, FruDamage, FruError, FruInventory, FruProblem,
    MultiRecord, PowerSupply, ProductArea,
};
use bmc_ipmi::record::sdr::{FruLocator, McLocator, SdrBody};
use bmc_ipmi::record::{Entity, EntityId, Sdr, Text, TextEncoding};
use bmc_ipmi::sim::{FruDevice, Sim, SimHandle};
use bmc_ipmi::wire::CompletionCode;
use bmc_ipmi::{Error, Target};

use crate::setup::{connect, deadline};

/// Something in every area and every encoding.
fn inventory() -> FruInventory {
    let text = |encoding, text| Text::encode(encoding, text).unwrap();
    FruInventory {
        internal: Some(b"\x01seven b".to_vec()),
        chassis: Some(ChassisArea {
            chassis_type: ChassisType::RACK_MOUNT,
            part_number: text(TextEncoding::BcdPlus, "12-34.5"),
            serial_number: Text::plain("CH-0815"),
            custom: vec![Text::plain("Rack 7")],
        }),
        board: Some(BoardArea {
            language: 25,
            minutes: 14_726_880,
            manufacturer: Text::plain("Müller & Söhne"),
            product: text(TextEncoding::SixBit, "MAINBOARD"),
            serial_number: Text::plain("B-4711"),
            part_number: text(TextEncoding::Binary, "0102ff"),
            ..BoardArea::default()
        }),
        product: Some(ProductArea {
            language: 12,
            manufacturer: text(TextEncoding::Utf16, "株式会社"),
            name: text(TextEncoding::Utf16, "サーバー"),
            serial_number: Text::plain("P-1"),
            ..ProductArea::default()
        }),
        multirecords: vec![
            MultiRecord::PowerSupply(PowerSupply {
                capacity: 800,
                hold_up: 12,
                peak_capacity: 900,
                ..PowerSupply::default()
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

async fn with_device(device: FruDevice) -> (SimHandle, FruStorage) {
    let bmc = Sim::builder().fru(0, device).spawn().await.unwrap();
    let storage = FruStorage::new(&connect(&bmc).await);
    (bmc, storage)
}

/// Bytes that each read asked for, in the device's units.
fn reads(bmc: &SimHandle) -> Vec<u8> {
    let log = bmc.log();
    let reads = log.iter().filter(|executed| executed.command == 0x11);
    reads.map(|executed| executed.data[3]).collect()
}

#[tokio::test]
async fn every_area_and_encoding_is_read() {
    let mut bytes = inventory().encode().unwrap();
    let used = bytes.len();
    bytes.resize(8192, 0xff);
    let (bmc, storage) = with_device(FruDevice::new(bytes.clone())).await;
    let read = storage.read(0, deadline()).await.unwrap();
    assert_eq!(read, inventory());
    assert_eq!(
        read.board.unwrap().manufacturer.to_string(),
        "Müller & Söhne"
    );
    assert_eq!(read.product.unwrap().name.to_string(), "サーバー");
    assert!(
        reads(&bmc).len() <= used.div_ceil(32),
        "nothing behind the areas is read"
    );
    assert_eq!(storage.bytes(0, deadline()).await.unwrap(), bytes);
    let error = storage.read(9, deadline()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn words_count_words() {
    for pad in [0, 1] {
        let mut device = FruDevice::new(inventory().encode().unwrap());
        device.data.resize(device.data.len() + pad, 0);
        device.access = FruAccess::Words;
        let (bmc, storage) = with_device(device).await;
        assert_eq!(storage.read(0, deadline()).await.unwrap(), inventory());
        assert_eq!(reads(&bmc)[0], 16);
        storage.write(0, 2, &[1, 2], deadline()).await.unwrap();
        assert_eq!(bmc.frus(|frus| frus[&0].data[2..4].to_vec()), [1, 2]);
        let error = storage.write(0, 3, &[1, 2], deadline()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
}

#[tokio::test]
async fn reads_shrink_until_the_bmc_can_answer() {
    for refusal in [
        Some(CompletionCode::TRUNCATED),
        Some(CompletionCode::CANNOT_RETURN_LENGTH),
        Some(CompletionCode::INVALID_LENGTH),
        Some(CompletionCode::LENGTH_EXCEEDED),
        Some(CompletionCode::UNSPECIFIED),
        None,
    ] {
        let mut device = FruDevice::new(inventory().encode().unwrap());
        device.limit = 10;
        device.refusal = refusal;
        let (bmc, storage) = with_device(device).await;
        assert_eq!(
            storage.read(0, deadline()).await.unwrap(),
            inventory(),
            "{refusal:?}"
        );
        let reads = reads(&bmc);
        match refusal {
            Some(_) => {
                assert_eq!(reads[..4], [32, 16, 8, 8]);
                assert!(
                    reads[3..].iter().all(|count| *count <= 8),
                    "the limit is remembered"
                );
            }
            None => assert!(reads.len() >= inventory().encode().unwrap().len() / 10),
        }
    }
}

#[tokio::test]
async fn a_device_that_refuses_every_length_is_given_up() {
    let mut device = FruDevice::new(inventory().encode().unwrap());
    device.limit = 0;
    let (bmc, storage) = with_device(device).await;
    let error = storage.read(0, deadline()).await.unwrap_err();
    assert_eq!(
        error.completion(),
        Some(CompletionCode::CANNOT_RETURN_LENGTH)
    );
    assert_eq!(reads(&bmc), [32, 16, 8, 4, 2, 1]);
}

#[tokio::test]
async fn a_busy_device_is_asked_again() {
    let (bmc, storage) = with_device(FruDevice::new(inventory().encode().unwrap())).await;
    let busy = |bmc: &SimHandle| bmc.frus(|frus| frus.get_mut(&0).unwrap().busy = 2);
    busy(&bmc);
    assert_eq!(storage.read(0, deadline()).await.unwrap(), inventory());
    busy(&bmc);
    storage.write(0, 8, &[1], deadline()).await.unwrap();
}

#[tokio::test]
async fn a_device_that_is_shorter_than_it_says_ends_where_it_ends() {
    let mut bytes = inventory().encode().unwrap();
    bytes.truncate(64);
    let (bmc, storage) = with_device(FruDevice::new(bytes)).await;
    let lie = vec![0xff, 0xff, 0];
    let info = (bmc_ipmi::wire::NetFn::STORAGE, 0x10);
    bmc.faults(|faults| faults.answers.insert(info, lie));
    let read = storage.read(0, deadline()).await.unwrap();
    assert_eq!(read.chassis, inventory().chassis);
    assert!(!read.damage.is_empty());
    assert_eq!(storage.bytes(0, deadline()).await.unwrap().len(), 64);

    let nothing = vec![0];
    let reading = (bmc_ipmi::wire::NetFn::STORAGE, 0x11);
    bmc.faults(|faults| faults.answers.insert(reading, nothing));
    let error = storage.read(0, deadline()).await.unwrap_err();
    assert!(
        matches!(error, Error::Device(DeviceError::Fru(FruError::Short(0)))),
        "{error}"
    );
    assert_eq!(error.kind(), ErrorKind::Protocol);
}

#[tokio::test]
async fn a_damaged_area_does_not_cost_the_others() {
    let mut bytes = inventory().encode().unwrap();
    // The chassis area begins behind the internal use area.
    bytes[16 + 5] ^= 0x01;
    let (_bmc, storage) = with_device(FruDevice::new(bytes)).await;
    let read = storage.read(0, deadline()).await.unwrap();
    let damage = FruDamage {
        area: FruArea::Chassis,
        problem: FruProblem::Checksum,
    };
    assert_eq!(read.damage, [damage]);
    assert_eq!(damage.to_string(), "chassis info area has a wrong checksum");
    assert_eq!(
        (read.board, read.product),
        (inventory().board, inventory().product)
    );
    assert!(read.chassis.is_some());
}

/// What is there of a damaged area is read all the same.
#[test]
fn areas_without_an_end_keep_their_fields() {
    let board = BoardArea {
        manufacturer: Text::plain("bmc-ipmi"),
        product: Text::plain("Mainboard"),
        serial_number: Text::plain("what is cut is behind all that counts"),
        ..BoardArea::default()
    };
    let whole = FruInventory {
        board: Some(board.clone()),
        ..FruInventory::default()
    };
    let whole = whole.encode().unwrap();
    let damage_of = |bytes: &[u8]| {
        let read = FruInventory::decode(bytes).unwrap();
        let board_read = read.board.unwrap();
        assert_eq!(board_read.manufacturer, board.manufacturer);
        assert_eq!(board_read.product, board.product);
        read.damage
    };
    let of_board = |problem| FruDamage {
        area: FruArea::Board,
        problem,
    };
    assert_eq!(damage_of(&whole), []);
    let cut = &whole[..whole.len() - 8];
    assert!(damage_of(cut).contains(&of_board(FruProblem::Cut)));
    // An empty field in the place of the end, and the checksum that goes with it.
    let mut endless = whole.clone();
    let end = endless.iter().rposition(|byte| *byte == 0xc1).unwrap();
    endless[end] -= 1;
    let last = endless.len() - 1;
    endless[last] = endless[last].wrapping_add(1);
    assert_eq!(damage_of(&endless), [of_board(FruProblem::NoEnd)]);
}

#[tokio::test]
async fn memory_that_was_never_written_is_no_inventory() {
    let (_bmc, storage) = with_device(FruDevice::new([0xff; 256])).await;
    let error = storage.read(0, deadline()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "FRU common header has format 0xff, must be 0x01"
    );
}

#[tokio::test]
async fn what_is_written_is_read_back() {
    let mut device = FruDevice::new([0xff; 1024]);
    device.limit = 20;
    let (bmc, storage) = with_device(device).await;
    storage
        .write_inventory(0, &inventory(), deadline())
        .await
        .unwrap();
    assert_eq!(storage.read(0, deadline()).await.unwrap(), inventory());

    bmc.frus(|frus| frus.get_mut(&0).unwrap().forgets = true);
    let error = storage
        .write(0, 500, &[0xff, 1, 2], deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "FRU device 0 does not keep what was written at offset 501"
    );

    bmc.frus(|frus| frus.get_mut(&0).unwrap().protected = 0..8);
    let error = storage.write(0, 4, &[1], deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(WriteFruData::PROTECTED));

    let writes = |bmc: &SimHandle| bmc.log().iter().filter(|e| e.command == 0x12).count();
    let before = writes(&bmc);
    let error = storage
        .write(0, 1020, &[0; 5], deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "FRU device 0 has 1024 bytes; 1025 were to be written"
    );
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert_eq!(writes(&bmc), before, "nothing was written");
}

#[tokio::test]
async fn all_inventories_that_records_name_are_read() {
    let fan = FruInventory {
        product: Some(ProductArea {
            name: Text::plain("Fan tray"),
            ..ProductArea::default()
        }),
        ..FruInventory::default()
    };
    let fan = FruDevice::new(fan.encode().unwrap());
    let shelf = Sim::builder().fru(0, fan.clone());
    let bmc = Sim::builder()
        .fru(3, fan)
        .satellite(0, 0x82, shelf)
        .spawn()
        .await
        .unwrap();
    let locator = |device, name| {
        let entity = Entity::new(EntityId::FAN, device);
        SdrBody::FruLocator(FruLocator::of_bmc(device, entity, Text::plain(name)))
    };
    let controller = SdrBody::McLocator(McLocator {
        address: 0x82,
        channel: 0,
        notification: 0,
        support: 0x08,
        entity: Entity::new(EntityId::SYSTEM_CHASSIS, 1),
        oem: 0,
        name: Text::plain("Shelf"),
    });
    let records: Vec<_> = [
        locator(3, "Fans"),
        locator(4, "Gone"),
        locator(3, "Again"),
        controller,
    ]
    .into_iter()
    .zip(1..)
    .map(|(body, id)| Sdr::new(id, body))
    .collect();
    let storage = FruStorage::new(&connect(&bmc).await);
    let all = storage.read_all(&records, deadline()).await;
    let places: Vec<_> = all
        .iter()
        .map(|fru| {
            (
                fru.target,
                fru.device,
                fru.name.as_deref(),
                fru.inventory.is_ok(),
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            (Target::BMC, 0, None, true),
            (Target::BMC, 3, Some("Fans"), true),
            (Target::BMC, 4, Some("Gone"), false),
            (Target::satellite(0, 0x82).unwrap(), 0, Some("Shelf"), true),
        ]
    );
    let fan = all[3].inventory.as_ref().unwrap().product.as_ref().unwrap();
    assert_eq!(fan.name.to_string(), "Fan tray");
    // What passes through an IPMB is 32 bytes long with all that is around it.
    let bridged = bmc.satellite(0, 0x82, |shelf| {
        let reads = shelf.log().filter(|executed| executed.command == 0x11);
        reads.map(|executed| executed.data[3]).collect::<Vec<_>>()
    });
    let bridged = bridged.unwrap();
    assert!(bridged.iter().all(|count| *count <= 16), "{bridged:?}");
    assert!(!bridged.is_empty());
}
