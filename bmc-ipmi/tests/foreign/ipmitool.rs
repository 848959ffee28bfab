//! ipmitool against the simulated BMC.

use std::time::Duration;

use bmc_ipmi::command::BootFlagDevice;
use bmc_ipmi::command::BootFlags;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::sim::RefusalForm;
use bmc_ipmi::sim::Sim;
use bmc_ipmi::sim::SimQuirks;
use bmc_ipmi::wire::CompletionCode;
use bmc_ipmi::wire::NetFn;
use bmc_ipmi::wire::Privilege;

use crate::tool::{SUITES, Tool, bmc, changes, credentials};

#[tokio::test]
async fn switches_power() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        assert_eq!(
            tool.ipmitool(&bmc, suite, "chassis power status").await,
            "Chassis Power is off"
        );
        tool.ipmitool(&bmc, suite, "chassis power on").await;
        assert!(bmc.power());
        assert_eq!(
            tool.ipmitool(&bmc, suite, "chassis power status").await,
            "Chassis Power is on"
        );
        tool.ipmitool(&bmc, suite, "chassis power cycle").await;
        assert_eq!(bmc.cycles(), 1);
        tool.ipmitool(&bmc, suite, "chassis power reset").await;
        tool.ipmitool(&bmc, suite, "chassis power diag").await;
        let counts = bmc.machine(|machine| (machine.resets(), machine.nmis()));
        assert_eq!(counts, (1, 1));
        tool.ipmitool(&bmc, suite, "chassis power off").await;
        assert_eq!(changes(&bmc), [true, false, true, false]);
        let error = tool
            .ipmitool_fails(&bmc, suite, "chassis power cycle")
            .await;
        assert!(
            error.contains("Command not supported in present state"),
            "{error}"
        );
        assert_eq!(bmc.active_sessions(), 0, "every session was closed");
    }
}

#[tokio::test]
async fn sets_the_boot_device() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().spawn().await.unwrap();
        tool.ipmitool(
            &bmc,
            suite,
            "chassis bootdev pxe options=efiboot,persistent",
        )
        .await;
        let expected = BootFlags {
            valid: true,
            persistent: true,
            efi: true,
            device: BootFlagDevice::PXE,
            ..BootFlags::default()
        };
        assert_eq!(bmc.boot_flags(), expected);
        let shown = tool.ipmitool(&bmc, suite, "chassis bootparam get 5").await;
        for line in [
            "Boot parameter data: e004000000",
            "Boot Flag Valid",
            "Options apply to all future boots",
            "BIOS EFI boot",
            "Boot Device Selector : Force PXE",
        ] {
            assert!(shown.contains(line), "{line:?} in {shown}");
        }
        tool.ipmitool(&bmc, suite, "chassis power on").await;
        assert_eq!(bmc.boots().first().unwrap().flags, Some(expected));
        assert!(bmc.boot_flags().valid, "persistent flags outlive a boot");

        tool.ipmitool(&bmc, suite, "chassis bootdev cdrom").await;
        tool.ipmitool(&bmc, suite, "chassis power reset").await;
        let flags = bmc.boots().last().unwrap().flags.unwrap();
        assert_eq!(
            (flags.device, flags.persistent, flags.efi),
            (BootFlagDevice::CDROM, false, false)
        );
        assert!(!bmc.boot_flags().valid, "one boot uses them up");
    }
}

#[tokio::test]
async fn reads_what_the_bmc_is_and_offers() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let info = tool.ipmitool(&bmc, CipherSuite::SUITE_17, "mc info").await;
    assert!(info.contains("IPMI Version              : 2.0"), "{info}");
    let ciphers = tool
        .ipmitool(&bmc, CipherSuite::SUITE_3, "channel getciphers ipmi")
        .await;
    for row in [
        "3    N/A     hmac_sha1       hmac_sha1_96    aes_cbc_128",
        "17   N/A     hmac_sha256     sha256_128      aes_cbc_128",
    ] {
        assert!(ciphers.contains(row), "{row:?} in {ciphers}");
    }
}

#[tokio::test]
async fn chooses_the_strongest_suite_by_itself() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for suite in SUITES {
        let bmc = bmc().suites([suite]).spawn().await.unwrap();
        let output = tool
            .run(&bmc, &["-I", "lanplus", "chassis", "power", "status"])
            .await;
        assert_eq!(output.unwrap(), "Chassis Power is off");
    }
}

#[tokio::test]
async fn is_refused_in_each_form_of_refusal() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    for refusals in RefusalForm::ALL {
        let quirks = SimQuirks {
            refusals,
            ..SimQuirks::default()
        };
        let only_17 = bmc()
            .suites([CipherSuite::SUITE_17])
            .quirks(quirks)
            .spawn()
            .await
            .unwrap();
        tool.ipmitool_fails(&only_17, CipherSuite::SUITE_3, "chassis power on")
            .await;
        assert!(!only_17.power());
        only_17.set_password("admin", "other");
        let error = tool
            .ipmitool_fails(&only_17, CipherSuite::SUITE_17, "chassis power on")
            .await;
        assert!(
            error.contains("HMAC is invalid") || error.contains("Unable to establish"),
            "{error}"
        );
        assert!(!only_17.power());
    }
}

#[tokio::test]
async fn may_do_what_its_privilege_allows() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = Sim::builder()
        .user(credentials(), Privilege::USER)
        .spawn()
        .await
        .unwrap();
    let user = [
        "-I", "lanplus", "-C", "17", "-L", "USER", "chassis", "power",
    ];
    assert_eq!(
        tool.run(&bmc, &[&user[..], &["status"]].concat())
            .await
            .unwrap(),
        "Chassis Power is off"
    );
    let error = tool
        .run(&bmc, &[&user[..], &["on"]].concat())
        .await
        .unwrap_err();
    assert!(error.contains("Insufficient privilege level"), "{error}");
    assert!(!bmc.power());
    let refused = bmc
        .log()
        .into_iter()
        .find(|entry| (entry.netfn, entry.command) == (NetFn::CHASSIS, 2));
    assert_eq!(
        refused.unwrap().completion,
        CompletionCode::INSUFFICIENT_PRIVILEGE
    );
}

#[tokio::test]
async fn works_through_duplicates_and_delay() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    bmc.faults(|faults| {
        faults.duplicate = true;
        faults.delay = Duration::from_millis(5);
    });
    tool.ipmitool(&bmc, CipherSuite::SUITE_17, "chassis power on")
        .await;
    assert_eq!(changes(&bmc), [true]);
}

#[tokio::test]
async fn over_ipv6() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let spawned = bmc()
        .address((std::net::Ipv6Addr::LOCALHOST, 0))
        .spawn()
        .await;
    let Ok(bmc) = spawned else {
        eprintln!("SKIPPED: no IPv6 on this machine");
        return;
    };
    assert_eq!(
        tool.ipmitool(&bmc, CipherSuite::SUITE_17, "chassis power status")
            .await,
        "Chassis Power is off"
    );
}
