//! The FRU inventories of the simulated BMC as other programs read and write them.

use bmc_ipmi::record::Text;
use bmc_ipmi::record::fru::{FruInventory, ProductArea};
use bmc_ipmi::record::sdr::{FruLocator, SdrBody};
use bmc_ipmi::record::{Entity, EntityId};
use bmc_ipmi::sim::{FruDevice, SimBuilder};
use bmc_ipmi::wire::CompletionCode;

use crate::record_samples::inventory;
use crate::tool::{SUITES, Tool, bmc, freeipmi};

fn device() -> FruDevice {
    let mut bytes = inventory().encode().unwrap();
    bytes.resize(1024, 0xff);
    FruDevice::new(bytes)
}

/// A BMC with two FRU devices, the second of which its records name.
fn with_devices(first: FruDevice) -> SimBuilder {
    let fan = FruInventory {
        product: Some(ProductArea {
            name: Text::plain("Fan tray"),
            serial_number: Text::plain("F-77"),
            ..ProductArea::default()
        }),
        ..FruInventory::default()
    };
    let locator = FruLocator::of_bmc(3, Entity::new(EntityId::FAN, 1), Text::plain("Fans"));
    bmc()
        .fru(0, first)
        .fru(3, FruDevice::new(fan.encode().unwrap()))
        .records([SdrBody::FruLocator(locator)])
}

/// A line `name : value`.
fn has(output: &str, name: &str, value: &str) -> bool {
    output.lines().any(|line| {
        let field = line.split_once(':');
        field.is_some_and(|(n, v)| n.trim() == name && v.trim() == value)
    })
}

#[tokio::test]
async fn ipmitool_prints_what_the_devices_hold() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let small = FruDevice {
        limit: 20,
        ..device()
    };
    for device in [device(), small] {
        let bmc = with_devices(device).spawn().await.unwrap();
        let all = tool.ipmitool(&bmc, SUITES[0], "fru print").await;
        let held = inventory();
        let (chassis, board) = (held.chassis.unwrap(), held.board.unwrap());
        let product = held.product.unwrap();
        for (name, value) in [
            ("Chassis Type", "Rack Mount Chassis"),
            ("Chassis Part Number", &chassis.part_number.to_string()),
            ("Chassis Serial", &chassis.serial_number.to_string()),
            ("Chassis Extra", "Rack 7"),
            ("Board Mfg", &board.manufacturer.to_string()),
            ("Board Product", &board.product.to_string()),
            ("Board Serial", &board.serial_number.to_string()),
            ("Board Part Number", &board.part_number.to_string()),
            ("Board Extra", "second"),
            ("Product Manufacturer", &product.manufacturer.to_string()),
            ("Product Name", &product.name.to_string()),
            ("Product Part Number", &product.part_number.to_string()),
            ("Product Version", &product.version.to_string()),
            ("Product Serial", &product.serial_number.to_string()),
            ("Product Asset Tag", &product.asset_tag.to_string()),
            ("FRU Device Description", "Fans (ID 3)"),
            ("Product Name", "Fan tray"),
            ("Product Serial", "F-77"),
        ] {
            assert!(has(&all, name, value), "{name} {value:?} in {all}");
        }
        assert_eq!(
            board.manufactured().unwrap().to_string(),
            "2024-01-01 00:00:00"
        );
        assert!(all.contains("Mon Jan  1 00:00:00 2024"), "{all}");
    }
}

#[tokio::test]
async fn ipmitool_writes_what_we_read() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = with_devices(device()).spawn().await.unwrap();
    tool.ipmitool(&bmc, SUITES[0], "fru edit 0 field p 1 Sorvor#9000")
        .await;
    let bytes = bmc.frus(|frus| frus[&0].data.clone());
    let read = FruInventory::decode(&bytes).unwrap();
    assert_eq!(
        read.product.as_ref().unwrap().name.to_string(),
        "Sorvor#9000"
    );
    assert_eq!(read.damage, []);
    let expected = inventory();
    assert_eq!(
        (&read.chassis, &read.board),
        (&expected.chassis, &expected.board)
    );
}

#[tokio::test]
async fn freeipmi_prints_all_records() {
    let Some(tool) = Tool::find("ipmi-fru") else {
        return;
    };
    let shrinking = FruDevice {
        limit: 12,
        refusal: None,
        ..device()
    };
    for device in [device(), shrinking] {
        let bmc = with_devices(device).spawn().await.unwrap();
        let cache = crate::sensors::cache("fru");
        let all = freeipmi(&tool, &bmc, &[&cache, "--quiet-cache", "-v"]).await;
        for (name, value) in [
            ("FRU Chassis Type", "Rack Mount Chassis"),
            ("FRU Chassis Serial Number", "CH-0815"),
            ("FRU Board Product Name", "MAINBOARD 12"),
            ("FRU Board Part Number", "01h 02h FFh"),
            ("FRU Product Name", "Server 9000"),
            ("FRU Power Supply Overall Capacity", "800 Watts"),
            ("FRU Power Supply Peak VA", "950 VA"),
            ("FRU Power Supply Max Inrush Current", "30 Amps"),
            ("FRU Power Supply Inrush Interval", "5 ms"),
            ("FRU Power Supply Low End Input Voltage 1", "90000 mV"),
            ("FRU Power Supply High End Input Voltage 2", "264000 mV"),
            ("FRU Power Supply A/C Dropout Tolerance", "20 ms"),
            ("FRU Power Supply Hot Swap Support", "Yes"),
            ("FRU Power Supply Predictive Fail Support", "No"),
            ("FRU Power Supply Peak Capacity", "900 Watts"),
            ("FRU Power Supply Hold Up Time", "12 s"),
            ("FRU Power Supply Voltage 2", "3.3V"),
            ("FRU Power Supply Total Combined Wattage", "100 Watts"),
            ("FRU DC Output Output on Standy", "Yes"),
            ("FRU DC Output Nominal Voltage", "12000 mV"),
            ("FRU DC Output Maximum Negative Voltage Deviation", "600 mV"),
            ("FRU DC Output Maximum Current Draw", "60000 mA"),
            ("FRU DC Load Output Number", "2"),
            ("FRU DC Load Spec'd Maximum Voltage", "5250 mV"),
            ("FRU DC Load Maximum Current Load", "2000 mA"),
            (
                "FRU Management Access System Management URL",
                "https://bmc.example",
            ),
            ("FRU OEM Manufacturer ID", "Dell Inc. (2A2h)"),
            ("FRU OEM Data", "01h 02h 03h"),
            ("FRU Product Name", "Fan tray"),
        ] {
            assert!(has(&all, name, value), "{name} {value:?} in {all}");
        }
        // It cannot read BCD plus, which the part number is in.
        assert_eq!(all.matches("Error").count(), 1, "{all}");
    }
}

#[tokio::test]
async fn goipmi_prints_the_devices() {
    let Some(tool) = Tool::find("goipmi") else {
        return;
    };
    let bmc = with_devices(device()).spawn().await.unwrap();
    let all = tool
        .run(&bmc, &["-I", "lanplus", "fru", "print"])
        .await
        .unwrap();
    for text in [
        "CH-0815",
        "Example Works",
        "MAINBOARD 12",
        "B-4711",
        "Server 9000",
        "Fan tray",
        "F-77",
    ] {
        assert!(all.contains(text), "{text:?} in {all}");
    }
}

#[tokio::test]
async fn what_freeipmi_calls_damaged_is_damaged_to_us() {
    let Some(tool) = Tool::find("ipmi-fru") else {
        return;
    };
    let mut damaged = device();
    damaged.refusal = Some(CompletionCode::LENGTH_EXCEEDED);
    damaged.data[8 + 4] ^= 1;
    let read = FruInventory::decode(&damaged.data).unwrap();
    assert_eq!(
        read.damage[0].to_string(),
        "chassis info area has a wrong checksum"
    );
    let bmc = with_devices(damaged).spawn().await.unwrap();
    let all = freeipmi(&tool, &bmc, &["--ignore-sdr-cache"]).await;
    assert!(all.to_lowercase().contains("checksum"), "{all}");
    assert!(has(&all, "FRU Board Serial Number", "B-4711"), "{all}");
}
