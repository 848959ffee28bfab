//! The LAN channel's configuration.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bmc_core::{Effect, ErrorKind};
use bmc_ipmi::command::*;
use bmc_ipmi::device::{Ipv4Plan, LanConfiguration};
use bmc_ipmi::sim::{Sim, SimBuilder, SimHandle};
use bmc_ipmi::wire::{CompletionCode, NetFn, Privilege};
use tokio::time::Instant;

use crate::setup::{connect, deadline};

async fn lan(bmc: &SimHandle) -> LanConfiguration {
    LanConfiguration::new(&connect(bmc).await, THIS_CHANNEL).unwrap()
}

/// Parameters written so far, in order, without those that ask what is so.
fn written(bmc: &SimHandle) -> Vec<u8> {
    let log = bmc.log();
    let sets = log
        .iter()
        .filter(|entry| (entry.netfn, entry.command) == (NetFn::TRANSPORT, 1));
    sets.map(|entry| entry.data[1]).collect()
}

fn plan() -> Ipv4Plan {
    Ipv4Plan::fixed([192, 0, 2, 77], 25, Some(Ipv4Addr::new(192, 0, 2, 2))).unwrap()
}

#[tokio::test]
async fn everything_is_read() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let unsupported = [
        LanParameter::COMMUNITY,
        LanParameter::BAD_PASSWORD_THRESHOLD,
    ];
    bmc.lan(|lan| lan.unsupported = unsupported.to_vec());
    let all = lan(&bmc).await.read(deadline()).await.unwrap();
    let has = |setting: &LanSetting| all.contains(setting);
    assert!(has(&LanSetting::Ipv4Address([192, 0, 2, 10].into())));
    assert!(has(&LanSetting::MacAddress(MacAddress([
        2, 0, 0, 0, 0, 10
    ]))));
    assert!(has(&LanSetting::CipherSuites(vec![3, 17])));
    let count = |parameter| all.iter().filter(|s| s.parameter() == parameter).count();
    assert_eq!(
        count(LanParameter::DESTINATION),
        2,
        "one, and the one for once"
    );
    assert_eq!(count(LanParameter::IPV6_STATIC_ADDRESS), 2);
    assert_eq!(count(LanParameter::IPV6_DYNAMIC_ADDRESS), 1);
    assert!(unsupported.iter().all(|parameter| count(*parameter) == 0));
    assert!(all.is_sorted_by_key(LanSetting::parameter));
    assert!(
        has(&LanSetting::Other {
            parameter: LanParameter(52),
            data: vec![0]
        }),
        "raw"
    );
}

#[tokio::test]
async fn the_address_is_written_with_its_source_last() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.lan(|lan| lan.put(&LanSetting::Ipv4Source(Ipv4Source::DHCP)));
    let lan = lan(&bmc).await;
    lan.set_ipv4(&plan(), deadline()).await.unwrap();
    assert_eq!(written(&bmc), [0, 12, 6, 3, 4, 0]);
    bmc.lan(|lan| {
        let is = |setting: LanSetting| lan.get(setting.parameter(), 0) == Some(setting);
        assert!(is(LanSetting::Ipv4Address([192, 0, 2, 77].into())));
        assert!(is(LanSetting::SubnetMask([255, 255, 255, 128].into())));
        assert!(is(LanSetting::Gateway([192, 0, 2, 2].into())));
        assert!(is(LanSetting::Ipv4Source(Ipv4Source::STATIC)));
        assert!(!lan.is_in_progress());
    });
    lan.set_ipv4(&plan(), deadline()).await.unwrap();
    assert_eq!(written(&bmc).len(), 6, "what is so is not written");
    lan.set_ipv4(&Ipv4Plan::DHCP, deadline()).await.unwrap();
    assert_eq!(written(&bmc)[6..], [0, 4, 0]);
}

#[tokio::test]
async fn silence_after_a_move_is_an_unknown_effect() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.lan(|lan| lan.moves_away = true);
    let soon = Instant::now() + Duration::from_millis(700);
    let error = lan(&bmc).await.set_ipv4(&plan(), soon).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Timeout, Effect::Unknown)
    );
    let address = bmc.lan(|lan| lan.get(LanParameter::IPV4_ADDRESS, 0));
    assert_eq!(
        address,
        Some(LanSetting::Ipv4Address([192, 0, 2, 77].into()))
    );
}

/// A BMC that says yes and does nothing.
#[tokio::test]
async fn what_is_not_kept_is_an_error() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.faults(|faults| faults.ignore = true);
    let error = lan(&bmc)
        .await
        .set_gateway([192, 0, 2, 9].into(), deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "BMC does not keep the new value of \"Default gateway\""
    );
    assert_eq!(
        (error.kind(), error.effect()),
        (ErrorKind::Rejected, Effect::Unknown)
    );
}

#[tokio::test]
async fn somebody_else_at_work_is_busy() {
    let bmc = Sim::builder().spawn().await.unwrap();
    bmc.lan(bmc_ipmi::sim::SimLanConfiguration::begin);
    let error = lan(&bmc)
        .await
        .set_vlan(Some(7), deadline())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
    assert_eq!(
        bmc.lan(|lan| lan.get(LanParameter::VLAN_ID, 0)),
        Some(LanSetting::VlanId(VlanId::NONE))
    );
}

#[tokio::test]
async fn a_refusal_ends_the_transaction() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let lan = lan(&bmc).await;
    let mac = LanSetting::MacAddress(MacAddress([2; 6]));
    let error = lan.set(mac, deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(SetLanConfiguration::READ_ONLY));
    assert!(!bmc.lan(|lan| lan.is_in_progress()));
}

#[tokio::test]
async fn vlan_gateway_and_ipv6() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let lan = lan(&bmc).await;
    lan.set_vlan(Some(100), deadline()).await.unwrap();
    let vlan = LanSetting::VlanId(VlanId {
        enabled: true,
        id: 100,
    });
    assert_eq!(
        lan.get(LanParameter::VLAN_ID, 0, deadline()).await.unwrap(),
        Some(vlan)
    );
    lan.set_vlan(None, deadline()).await.unwrap();
    let address: Ipv6Addr = "2001:db8::17".parse().unwrap();
    lan.set_ipv6(1, Some((address, 64)), deadline())
        .await
        .unwrap();
    let now = lan
        .get(LanParameter::IPV6_STATIC_ADDRESS, 1, deadline())
        .await
        .unwrap();
    let Some(LanSetting::Ipv6StaticAddress(now)) = now else {
        panic!("{now:?}")
    };
    assert_eq!(
        (now.address, now.prefix_length, now.enabled),
        (address, 64, true)
    );
    assert_eq!(now.status, Ipv6AddressStatus::ACTIVE);
    lan.set_ipv6(1, None, deadline()).await.unwrap();
    let router = LanSetting::Ipv6Router1("2001:db8::1".parse().unwrap());
    lan.set(router.clone(), deadline()).await.unwrap();
    assert_eq!(
        lan.get(LanParameter::IPV6_ROUTER_1, 0, deadline())
            .await
            .unwrap(),
        Some(router)
    );
    let error = lan
        .set_ipv6(9, Some((address, 64)), deadline())
        .await
        .unwrap_err();
    assert_eq!(error.completion(), Some(CompletionCode::OUT_OF_RANGE));
}

#[tokio::test]
async fn impossible_arguments_are_refused_before_anything_is_sent() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    assert!(LanConfiguration::new(&client, 16).is_err());
    let lan = LanConfiguration::new(&client, 1).unwrap();
    let before = bmc.log().len();
    for id in [0, 4095, 5000] {
        let error = lan.set_vlan(Some(id), deadline()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert_eq!(
            error.to_string(),
            format!("VLAN {id} is not possible: use 1 to 4094")
        );
    }
    let prefix = Some((Ipv6Addr::LOCALHOST, 129));
    assert!(lan.set_ipv6(0, prefix, deadline()).await.is_err());
    assert_eq!(bmc.log().len(), before);
}

#[tokio::test]
async fn privileges_of_suites_go_by_position() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let lan = lan(&bmc).await;
    let mut privileges = [Privilege::HIGHEST; 16];
    privileges[..2].copy_from_slice(&[Privilege::OPERATOR, Privilege::ADMINISTRATOR]);
    lan.set(LanSetting::CipherSuitePrivileges(privileges), deadline())
        .await
        .unwrap();
    let suites = lan.cipher_suites(deadline()).await.unwrap();
    assert_eq!(
        suites,
        [(3, Privilege::OPERATOR), (17, Privilege::ADMINISTRATOR)]
    );
}

#[tokio::test]
async fn counters_and_arps() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let lan = lan(&bmc).await;
    let first = lan.statistics(true, deadline()).await.unwrap();
    assert!(
        first.ip_received > 4 && first.ip_received == first.rmcp_received,
        "{first:?}"
    );
    assert!(first.ip_sent >= 3, "{first:?}");
    let second = lan.statistics(false, deadline()).await.unwrap();
    assert_eq!(second.rmcp_received, 1);
    let suspended = ArpSuspension {
        responses: true,
        gratuitous: false,
    };
    assert_eq!(
        lan.suspend_arps(suspended, deadline()).await.unwrap(),
        suspended
    );
    assert_eq!(bmc.lan(|lan| lan.suspended_arps()), suspended);
}

/// The community string is in no log.
#[tokio::test]
async fn the_community_is_a_secret() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let lan = lan(&bmc).await;
    let community = LanSetting::Community("hidden words".into());
    lan.set(community.clone(), deadline()).await.unwrap();
    let now = lan
        .get(LanParameter::COMMUNITY, 0, deadline())
        .await
        .unwrap();
    assert_eq!(now.as_ref(), Some(&community));
    assert!(!format!("{now:?}").contains("hidden"));
    let log = format!("{:?}", bmc.log());
    assert!(
        !log.contains(
            &format!("{:?}", b"hidden")
                .trim_matches(['[', ']'])
                .to_owned()
        )
    );
}

/// A BMC that takes no address while it asks a DHCP server for one, knows no "set in progress", and keeps the number of
/// a VLAN that is switched off.
fn stubborn() -> SimBuilder {
    let kept = Arc::new(Mutex::new(BTreeMap::from([
        (
            LanParameter::IPV4_SOURCE,
            LanSetting::Ipv4Source(Ipv4Source::DHCP),
        ),
        (
            LanParameter::IPV4_ADDRESS,
            LanSetting::Ipv4Address([192, 0, 2, 10].into()),
        ),
        (
            LanParameter::VLAN_ID,
            LanSetting::VlanId(VlanId {
                enabled: true,
                id: 9,
            }),
        ),
    ])));
    let stored = Arc::clone(&kept);
    let bmc = Sim::builder().command(move |set: SetLanConfiguration| {
        let mut stored = stored.lock().unwrap();
        let parameter = set.setting.parameter();
        if parameter == LanParameter::SET_IN_PROGRESS {
            return Err(SetLanConfiguration::UNSUPPORTED);
        }
        let dhcp = LanSetting::Ipv4Source(Ipv4Source::DHCP);
        if parameter == LanParameter::IPV4_ADDRESS && stored[&LanParameter::IPV4_SOURCE] == dhcp {
            return Err(CompletionCode::WRONG_STATE);
        }
        let setting = match set.setting {
            LanSetting::VlanId(vlan) if !vlan.enabled => LanSetting::VlanId(VlanId {
                enabled: false,
                id: 9,
            }),
            other => other,
        };
        stored.insert(parameter, setting);
        Ok(())
    });
    bmc.command(move |get: GetLanConfiguration| {
        let kept = kept.lock().unwrap();
        let setting = kept.get(&get.parameter);
        let setting = setting.ok_or(GetLanConfiguration::UNSUPPORTED)?;
        let mut data = Vec::new();
        setting.encode(&mut data);
        Ok(ConfigurationData {
            revision: ConfigurationData::REVISION,
            data,
        })
    })
}

#[tokio::test]
async fn a_bmc_that_wants_the_source_first_gets_it_first() {
    let bmc = stubborn().spawn().await.unwrap();
    let lan = lan(&bmc).await;
    let address = LanSetting::Ipv4Address([192, 0, 2, 77].into());
    lan.set(address.clone(), deadline()).await.unwrap();
    let now = lan.get(LanParameter::IPV4_ADDRESS, 0, deadline()).await;
    assert_eq!(now.unwrap(), Some(address));
    lan.set_vlan(None, deadline()).await.unwrap();
}

/// Nobody else has begun: the answer to our own beginning was lost.
#[tokio::test]
async fn a_transaction_that_may_have_begun_is_begun_again() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let lan = lan(&bmc).await;
    let key = (SetLanConfiguration::NETFN, SetLanConfiguration::CMD);
    bmc.faults(|faults| faults.drop_replies_to.insert(key, 1));
    lan.set_vlan(Some(7), deadline()).await.unwrap();
    let vlan = VlanId {
        enabled: true,
        id: 7,
    };
    assert_eq!(
        bmc.lan(|lan| lan.get(LanParameter::VLAN_ID, 0)),
        Some(LanSetting::VlanId(vlan))
    );
    assert!(!bmc.lan(|lan| lan.is_in_progress()));
}
