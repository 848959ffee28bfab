//! The boot override, read back.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_core::{BootDevice, BootMode, BootOverride, ErrorKind, Persistence};
use bmc_ipmi::command::{
    BootFlags, BootOption, Command, GetSystemBootOptions, SetSystemBootOptions, SystemBootOptions,
};
use bmc_ipmi::sim::Sim;
use bmc_ipmi::wire::{CompletionCode, NetFn};
use tokio::time::sleep;

use crate::setup::{count, failure, pair};

const PXE: BootOverride = BootOverride {
    device: BootDevice::Pxe,
    persistence: Persistence::Persistent,
    mode: BootMode::Efi,
};

#[tokio::test]
async fn what_was_set_is_read_back() {
    let (sim, bmc) = pair(Sim::builder()).await;
    bmc.set_boot_override(PXE).await.unwrap();
    assert_eq!(
        count(&sim, GetSystemBootOptions::NETFN, GetSystemBootOptions::CMD),
        1
    );
    let flags = sim.boot_flags();
    assert!(flags.valid && flags.persistent && flags.efi);
    let log = sim.log();
    let mut sets = log.iter().filter(|done| {
        (done.netfn, done.command) == (SetSystemBootOptions::NETFN, SetSystemBootOptions::CMD)
    });
    // First of all they are told not to expire.
    assert_eq!(sets.next().unwrap().data, [3, 0x08]);
    assert_eq!(sets.next().unwrap().data[..3], [5, 0xe0, 0x04]);
    let clear = BootOverride::once(BootDevice::None);
    bmc.set_boot_override(clear).await.unwrap();
    assert!(!sim.boot_flags().valid);
}

#[tokio::test]
async fn a_bmc_that_only_says_yes_is_caught() {
    let (sim, bmc) = pair(Sim::builder()).await;
    sim.faults(|faults| faults.ignore = true);
    let failed = failure(bmc.set_boot_override(PXE).await);
    assert_eq!(failed.kind(), ErrorKind::Rejected);
    assert!(
        failed
            .to_string()
            .contains("accepted boot pxe persistent efi, but holds none"),
        "{failed}"
    );
}

#[tokio::test]
async fn a_bmc_that_takes_its_time_is_waited_for() {
    let (sim, bmc) = pair(Sim::builder()).await;
    bmc.set_boot_override(BootOverride::once(BootDevice::Disk))
        .await
        .unwrap();
    sim.faults(|faults| faults.ignore = true);
    // The second setting takes effect by another hand, later.
    let late = async {
        sleep(Duration::from_millis(400)).await;
        sim.faults(|faults| faults.ignore = false);
        let other = crate::setup::handle(crate::setup::builder(&sim));
        other.set_boot_override(PXE).await.unwrap();
    };
    let (done, ()) = tokio::join!(bmc.set_boot_override(PXE), late);
    done.unwrap();
}

#[tokio::test]
async fn a_bmc_that_cannot_be_read_is_believed() {
    let (sim, bmc) = pair(Sim::builder()).await;
    sim.faults(|faults| {
        let refused = CompletionCode::INSUFFICIENT_PRIVILEGE;
        faults.completion_code(
            GetSystemBootOptions::NETFN,
            GetSystemBootOptions::CMD,
            refused,
        );
    });
    bmc.set_boot_override(PXE).await.unwrap();
    assert!(sim.boot_flags().valid);
}

/// 80h of this command says that there is no such parameter.
#[tokio::test]
async fn a_bmc_without_boot_options_does_not_support_them() {
    let (sim, bmc) = pair(Sim::builder()).await;
    sim.faults(|faults| {
        for command in [GetSystemBootOptions::CMD, SetSystemBootOptions::CMD] {
            let refused = SetSystemBootOptions::UNSUPPORTED;
            faults.completion_code(NetFn::CHASSIS, command, refused);
        }
    });
    let failed = failure(bmc.set_boot_override(PXE).await);
    assert_eq!(failed.kind(), ErrorKind::Unsupported, "{failed}");
    let failed = failure(bmc.boot_override().await);
    assert_eq!(failed.kind(), ErrorKind::Unsupported, "{failed}");
}

#[tokio::test]
async fn a_device_that_ipmi_does_not_have_reaches_no_bmc() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let failed = failure(
        bmc.set_boot_override(BootOverride::once(BootDevice::UefiHttp))
            .await,
    );
    assert_eq!(failed.kind(), ErrorKind::Unsupported);
    assert_eq!(count(&sim, GetSystemBootOptions::NETFN, 0x08), 0);
}

/// Not every BMC can be told to keep the flags: that is no reason not to set them.
#[tokio::test]
async fn flags_that_cannot_be_kept_are_set() {
    for code in [
        SetSystemBootOptions::UNSUPPORTED,
        CompletionCode::NOT_PRESENT,
    ] {
        let kept = Arc::new(Mutex::new(BootFlags::default()));
        let stored = Arc::clone(&kept);
        let sim = Sim::builder().command(move |set: SetSystemBootOptions| match set.option {
            BootOption::Flags(flags) => {
                *stored.lock().unwrap() = flags;
                Ok(())
            }
            _ => Err(code),
        });
        let stored = Arc::clone(&kept);
        let sim = sim.command(move |_: GetSystemBootOptions| {
            let flags = *stored.lock().unwrap();
            Ok(SystemBootOptions {
                version: 1,
                locked: false,
                option: BootOption::Flags(flags),
            })
        });
        let (_sim, bmc) = pair(sim).await;
        let is_optional = code == SetSystemBootOptions::UNSUPPORTED;
        assert_eq!(bmc.set_boot_override(PXE).await.is_ok(), is_optional);
        assert_eq!(kept.lock().unwrap().valid, is_optional);
    }
}
