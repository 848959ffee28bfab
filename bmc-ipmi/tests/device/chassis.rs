//! Settings of the chassis, and all boot parameters.

use bmc_ipmi::command::*;
use bmc_ipmi::sim::Sim;

use crate::setup::{connect, deadline};

#[tokio::test]
async fn settings_are_kept_and_seen_in_the_status() {
    let bmc = Sim::builder().power(true).spawn().await.unwrap();
    let client = connect(&bmc).await;
    bmc.machine(|machine| machine.set_power_on_hours(1234));
    let hours = client
        .execute(&GetPohCounter, deadline())
        .await
        .unwrap()
        .time();
    assert_eq!(hours.as_secs(), 1234 * 3600);

    let query = SetPowerRestorePolicy(PowerRestorePolicy::QUERY);
    let policies = client.execute(&query, deadline()).await.unwrap();
    assert!(policies.contains(PowerRestorePolicy::ALWAYS_ON));
    let set = SetPowerRestorePolicy(PowerRestorePolicy::ALWAYS_ON);
    client.execute(&set, deadline()).await.unwrap();
    let buttons = SetFrontPanelEnables {
        disable_power: true,
        ..SetFrontPanelEnables::default()
    };
    client.execute(&buttons, deadline()).await.unwrap();
    let status = client.execute(&GetChassisStatus, deadline()).await.unwrap();
    assert_eq!(status.power_restore_policy(), PowerRestorePolicy::ALWAYS_ON);
    assert_eq!(status.disabled_buttons(), Some(buttons));
    let capabilities = client
        .execute(&GetChassisCapabilities, deadline())
        .await
        .unwrap();
    assert!(capabilities.diagnostic_interrupt);
    client
        .execute(&SetPowerCycleInterval(2), deadline())
        .await
        .unwrap();
}

#[tokio::test]
async fn every_boot_parameter_is_kept() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let mailbox = BootMailbox {
        block: 4,
        data: (0..16).collect(),
    };
    for (option, set) in [
        (BootOption::SET_BEGUN, 0),
        (BootOption::PartitionSelector(3), 0),
        (
            BootOption::PartitionScan {
                requested: true,
                discovered: false,
            },
            0,
        ),
        (BootOption::KEEP_AFTER_TIMEOUT, 0),
        (
            BootOption::Flags(BootFlags {
                valid: true,
                device: BootFlagDevice::PXE,
                ..BootFlags::default()
            }),
            0,
        ),
        (
            BootOption::InitiatorInfo(BootInitiatorInfo {
                channel: 1,
                session_id: 7,
                timestamp: 8,
            }),
            0,
        ),
        (BootOption::InitiatorMailbox(mailbox), 4),
        (BootOption::SET_COMPLETE, 0),
    ] {
        client
            .execute(&SetSystemBootOptions::new(option.clone()), deadline())
            .await
            .unwrap();
        let parameter = option.parameter();
        let get = GetSystemBootOptions {
            set,
            ..GetSystemBootOptions::new(parameter)
        };
        let read = client.execute(&get, deadline()).await.unwrap();
        assert_eq!(read.option, option);
    }
    // The write mask leaves out what is not meant.
    for (mask, data) in [
        (BootAgents::ALL, BootAgents::ALL),
        (BootAgents::BIOS, BootAgents::NONE),
    ] {
        let option = BootOption::InfoAcknowledge { mask, data };
        client
            .execute(&SetSystemBootOptions::new(option), deadline())
            .await
            .unwrap();
    }
    let get = GetSystemBootOptions::new(BootParameter::INFO_ACKNOWLEDGE);
    let read = client.execute(&get, deadline()).await.unwrap().option;
    let BootOption::InfoAcknowledge { data, .. } = read else {
        panic!("{read:?}");
    };
    assert!(!data.contains(BootAgents::BIOS));
    assert!(
        data.contains(BootAgents::OS_LOADER | BootAgents::OS | BootAgents::SMS | BootAgents::OEM)
    );
}
