//! ipmitool and FreeIPMI configure the simulated BMC's LAN channel.

use bmc_ipmi::command::{Ipv4Source, LanParameter, LanSetting, VlanId};
use bmc_ipmi::crypto::CipherSuite;

use crate::tool::{Tool, bmc, freeipmi};

#[tokio::test]
async fn ipmitool_prints_and_sets() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let shown = tool
        .ipmitool(&bmc, CipherSuite::SUITE_17, "lan print 1")
        .await;
    for line in [
        "IP Address Source       : Static Address",
        "IP Address              : 192.0.2.10",
        "Subnet Mask             : 255.255.255.0",
        "MAC Address             : 02:00:00:00:00:0a",
        "SNMP Community String   : public",
        "Default Gateway IP      : 192.0.2.1",
        "802.1q VLAN ID          : Disabled",
        "RMCP+ Cipher Suites     : 3,17",
        "Cipher Suite Priv Max   : aaaaaaaaaaaaaaa",
        "Invalid password disable: no",
    ] {
        assert!(shown.contains(line), "{line:?} in {shown}");
    }
    for command in [
        "lan set 1 ipsrc static",
        "lan set 1 ipaddr 192.0.2.44",
        "lan set 1 netmask 255.255.0.0",
        "lan set 1 defgw ipaddr 192.0.2.3",
        "lan set 1 vlan id 12",
        "lan set 1 snmp private",
    ] {
        tool.ipmitool(&bmc, CipherSuite::SUITE_17, command).await;
    }
    bmc.lan(|lan| {
        for setting in [
            LanSetting::Ipv4Source(Ipv4Source::STATIC),
            LanSetting::Ipv4Address([192, 0, 2, 44].into()),
            LanSetting::SubnetMask([255, 255, 0, 0].into()),
            LanSetting::Gateway([192, 0, 2, 3].into()),
            LanSetting::VlanId(VlanId {
                enabled: true,
                id: 12,
            }),
            LanSetting::Community("private".into()),
        ] {
            assert_eq!(lan.get(setting.parameter(), 0), Some(setting));
        }
        assert!(!lan.is_in_progress());
    });
    let stats = tool
        .ipmitool(&bmc, CipherSuite::SUITE_17, "lan stats get 1")
        .await;
    let line = stats.lines().find(|line| line.starts_with("IP Rx Packet"));
    let count: u32 = line.unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    assert!(count > 50, "{stats}");
    tool.ipmitool(&bmc, CipherSuite::SUITE_17, "lan stats clear 1")
        .await;
    let stats = bmc.log().into_iter().rev().find(|entry| entry.command == 4);
    assert_eq!(stats.unwrap().data, [1, 1]);
}

#[tokio::test]
async fn ipmitool_prints_ipv6() {
    let Some(tool) = Tool::find("ipmitool") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let set = "lan6 set 1 static_addr 0 enable 2001:db8::17 64";
    tool.ipmitool(&bmc, CipherSuite::SUITE_17, set).await;
    let shown = tool
        .ipmitool(&bmc, CipherSuite::SUITE_17, "lan6 print 1")
        .await;
    assert!(shown.contains("2001:db8::17/64"), "{shown}");
    let held = bmc.lan(|lan| lan.get(LanParameter::IPV6_STATIC_ADDRESS, 0));
    let Some(LanSetting::Ipv6StaticAddress(held)) = held else {
        panic!("{held:?}");
    };
    assert!(held.enabled && held.prefix_length == 64);
}

#[tokio::test]
async fn ipmi_config_checks_out_the_lan_section() {
    let Some(tool) = Tool::find("ipmi-config") else {
        return;
    };
    let bmc = bmc().spawn().await.unwrap();
    let args = [
        "--category=core",
        "--checkout",
        "--section=Lan_Conf",
        "--section=SOL_Conf",
    ];
    let shown = freeipmi(&tool, &bmc, &args).await;
    let values: Vec<_> = shown
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .collect();
    for (key, value) in [
        ("IP_Address_Source", "Static"),
        ("IP_Address", "192.0.2.10"),
        ("MAC_Address", "02:00:00:00:00:0A"),
        ("Subnet_Mask", "255.255.255.0"),
        ("Default_Gateway_IP_Address", "192.0.2.1"),
        ("Enable_SOL", "Yes"),
        ("Character_Send_Threshold", "96"),
        ("SOL_Retry_Count", "7"),
        ("Volatile_Bit_Rate", "115200"),
    ] {
        assert!(
            values.contains(&vec![key, value]),
            "{key} {value} in {shown}"
        );
    }
    let change = [
        "--category=core",
        "--commit",
        "--key-pair=Lan_Conf:Subnet_Mask=255.255.254.0",
    ];
    freeipmi(&tool, &bmc, &change).await;
    let mask = LanSetting::SubnetMask([255, 255, 254, 0].into());
    assert_eq!(
        bmc.lan(|lan| lan.get(LanParameter::SUBNET_MASK, 0)),
        Some(mask)
    );
}
