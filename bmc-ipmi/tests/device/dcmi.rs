//! Power, temperatures and names by DCMI.

use bmc_core::ErrorKind;
use bmc_ipmi::command::*;
use bmc_ipmi::device::Dcmi;
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::{CompletionCode, Entity, EntityId};

use crate::setup::{connect, deadline};

async fn demo() -> (SimHandle, Dcmi) {
    let bmc = Sim::builder().demo_inventory().spawn().await.unwrap();
    let dcmi = Dcmi::new(&connect(&bmc).await);
    (bmc, dcmi)
}

#[tokio::test]
async fn capabilities_are_read_as_far_as_there_are_any() {
    let (bmc, dcmi) = demo().await;
    let info = dcmi.info(deadline()).await.unwrap();
    assert_eq!((info.version.major, info.version.minor), (1, 5));
    assert!(info.support.has_power_management());
    assert_eq!(info.log.unwrap().entries(), 1000);
    assert_eq!(info.controller.unwrap().address, 0x20);
    assert_eq!(info.access.unwrap().primary_lan, 1);
    assert_eq!(info.periods, [DcmiPeriod(0x05), DcmiPeriod(0x41)]);

    bmc.dcmi(|dcmi| dcmi.supported = false);
    let error = dcmi.info(deadline()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[tokio::test]
async fn power_is_read_and_limited() {
    let (bmc, dcmi) = demo().await;
    let power = dcmi.power(None, deadline()).await.unwrap();
    assert_eq!(
        (power.current, power.average, power.period),
        (260, 248, 3_600_000)
    );
    assert!(power.is_active());
    let minute = dcmi
        .power(Some(DcmiPeriod(0x41)), deadline())
        .await
        .unwrap();
    assert_eq!(minute.period, 0x41);

    let none = PowerLimitStatus {
        limit: None,
        active: false,
    };
    bmc.dcmi(|dcmi| dcmi.tells_inactive_limit = false);
    assert_eq!(dcmi.power_limit(deadline()).await.unwrap(), none);
    let limit = PowerLimit {
        action: PowerLimitAction::LOG,
        watts: 500,
        correction_ms: 1000,
        sampling_s: 2,
    };
    dcmi.set_power_limit(limit, deadline()).await.unwrap();
    assert_eq!(
        dcmi.power_limit(deadline()).await.unwrap(),
        none,
        "not told while inactive"
    );
    bmc.dcmi(|dcmi| dcmi.tells_inactive_limit = true);
    let told = PowerLimitStatus {
        limit: Some(limit),
        active: false,
    };
    assert_eq!(dcmi.power_limit(deadline()).await.unwrap(), told);
    dcmi.activate_power_limit(true, deadline()).await.unwrap();
    let active = PowerLimitStatus {
        active: true,
        ..told
    };
    assert_eq!(dcmi.power_limit(deadline()).await.unwrap(), active);
    dcmi.activate_power_limit(false, deadline()).await.unwrap();
    assert_eq!(dcmi.power_limit(deadline()).await.unwrap(), told);

    let high = PowerLimit {
        watts: 5000,
        ..limit
    };
    let error = dcmi.set_power_limit(high, deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(SetPowerLimit::LIMIT_OUT_OF_RANGE));
    let sent = bmc.log().len();
    let nothing = PowerLimit { watts: 0, ..limit };
    let error = dcmi.set_power_limit(nothing, deadline()).await.unwrap_err();
    assert_eq!(error.to_string(), "power limit must be 1 W or more");
    assert_eq!(bmc.log().len(), sent);
}

#[tokio::test]
async fn the_asset_tag_is_written_in_touching_parts() {
    let (bmc, dcmi) = demo().await;
    assert_eq!(dcmi.asset_tag(deadline()).await.unwrap(), "RACK-07-U12");
    let longest = "x".repeat(63);
    for tag in [
        "",
        "A",
        "0123456789abcdef",
        "0123456789abcdefg",
        "Köln, Gestell 7",
        &longest,
    ] {
        dcmi.set_asset_tag(tag, deadline()).await.unwrap();
        assert_eq!(dcmi.asset_tag(deadline()).await.unwrap(), tag);
        let stored = bmc.dcmi(|dcmi| dcmi.asset_tag.clone());
        let marked = stored.starts_with(&[0xef, 0xbb, 0xbf]);
        assert_eq!(marked, !tag.is_ascii(), "{tag}");
        assert_eq!(stored.len(), tag.len() + if marked { 3 } else { 0 });
    }
    let sent = bmc.log().len();
    for (tag, reason) in [
        ("x".repeat(64), "takes 64 bytes, at most 63 are allowed"),
        ("ö".repeat(31), "takes 65 bytes, at most 63 are allowed"),
        ("a\nb".into(), "must have no control characters"),
    ] {
        let error = dcmi.set_asset_tag(&tag, deadline()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert_eq!(error.to_string(), format!("asset tag {reason}"));
    }
    assert_eq!(bmc.log().len(), sent);
}

#[tokio::test]
async fn a_tag_in_another_encoding_is_read() {
    let (bmc, dcmi) = demo().await;
    for (code, stored, text) in [
        (GetAssetTag::UTF_16, &b"K\0\xf6\0l\0n\0"[..], "Köln"),
        (GetAssetTag::SIX_BIT, &[0x29, 0xdc, 0xa6], "IPMI"),
        (GetAssetTag::BCD_PLUS, &[0x12, 0x3b], "123-"),
        (GetAssetTag::BINARY, &[0xab, 0x01], "ab01"),
    ] {
        bmc.dcmi(|dcmi| {
            dcmi.asset_tag = stored.to_vec();
            dcmi.asset_tag_code = Some(code.0);
        });
        assert_eq!(dcmi.asset_tag(deadline()).await.unwrap(), text);
    }
    bmc.dcmi(|dcmi| dcmi.asset_tag_code = Some(0x84));
    let error = dcmi.asset_tag(deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(CompletionCode(0x84)));
}

#[tokio::test]
async fn the_controller_has_a_name() {
    let (bmc, dcmi) = demo().await;
    assert_eq!(dcmi.mc_id(deadline()).await.unwrap(), "bmc-demo");
    let longest = "n".repeat(63);
    for name in ["a", "0123456789abcde", "0123456789abcdef", &longest, ""] {
        dcmi.set_mc_id(name, deadline()).await.unwrap();
        assert_eq!(dcmi.mc_id(deadline()).await.unwrap(), name);
        assert_eq!(bmc.dcmi(|dcmi| dcmi.mc_id.len()), name.len() + 1);
    }
    for name in ["n".repeat(64), "a b".into(), "ö".into()] {
        let error = dcmi.set_mc_id(&name, deadline()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
}

#[tokio::test]
async fn temperatures_and_sensors_come_in_pages() {
    let (bmc, dcmi) = demo().await;
    let many: Vec<_> = (1..=20)
        .map(|instance| DcmiTemperature {
            celsius: instance as i8 - 10,
            instance,
        })
        .collect();
    bmc.dcmi(|dcmi| {
        dcmi.temperatures
            .insert(EntityId::DCMI_BASEBOARD, many.clone());
        dcmi.sensors
            .insert(EntityId::DCMI_BASEBOARD, (100..120).collect());
    });
    let read = dcmi
        .temperatures(EntityId::DCMI_BASEBOARD, deadline())
        .await
        .unwrap();
    assert_eq!(read, many, "below zero too");
    let records = dcmi
        .sensors(EntityId::DCMI_BASEBOARD, deadline())
        .await
        .unwrap();
    assert_eq!(records, (100..120).collect::<Vec<_>>());
    assert_eq!(
        dcmi.temperatures(EntityId::DISK, deadline()).await.unwrap(),
        []
    );

    bmc.dcmi(|dcmi| dcmi.repeats_pages = true);
    let read = dcmi
        .temperatures(EntityId::DCMI_BASEBOARD, deadline())
        .await;
    assert_eq!(
        read.unwrap(),
        many[..8],
        "a BMC that says the same again has said all"
    );
    let records = dcmi.sensors(EntityId::DCMI_BASEBOARD, deadline()).await;
    assert_eq!(records.unwrap().len(), 8);

    let inlet = Entity::new(EntityId::DCMI_AIR_INLET, 1);
    let limit = ThermalLimit {
        action: ThermalLimit::LOG,
        celsius: 45,
        seconds: 60,
    };
    dcmi.set_thermal_limit(inlet, limit, deadline())
        .await
        .unwrap();
    assert_eq!(dcmi.thermal_limit(inlet, deadline()).await.unwrap(), limit);
    let cpu = Entity::new(EntityId::PROCESSOR, 1);
    let error = dcmi.thermal_limit(cpu, deadline()).await.unwrap_err();
    assert_eq!(error.to_string(), "entity must be an air inlet, 37h or 40h");
}

#[tokio::test]
async fn the_use_of_dhcp_is_configured() {
    let (_bmc, dcmi) = demo().await;
    let read = async |parameter| {
        dcmi.configuration(parameter, deadline())
            .await
            .map(|c| c.data)
    };
    assert_eq!(
        read(DcmiParameter::SERVER_CONTACT_TIMEOUT).await.unwrap(),
        [120, 0]
    );
    let set = dcmi.set_configuration(DcmiParameter::SERVER_CONTACT_TIMEOUT, [60, 0], deadline());
    set.await.unwrap();
    assert_eq!(
        read(DcmiParameter::SERVER_CONTACT_TIMEOUT).await.unwrap(),
        [60, 0]
    );
    assert!(read(DcmiParameter(9)).await.is_err());
}
