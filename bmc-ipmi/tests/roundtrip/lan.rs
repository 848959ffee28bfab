//! LAN configuration.

use std::net::{Ipv4Addr, Ipv6Addr};

use bmc_core::Secret;

use super::*;

wire_type! {
    get_lan_configuration: GetLanConfiguration = (0u8..16, any::<bool>(), any::<[u8; 3]>())
        .prop_map(|(channel, revision_only, b)| GetLanConfiguration {
            channel, revision_only, parameter: LanParameter(b[0]), set: b[1], block: b[2],
        });
    set_lan_configuration: SetLanConfiguration = (0u8..16, settings())
        .prop_map(|(channel, setting)| SetLanConfiguration { channel, setting });
    suspend_arps: SuspendArps = (0u8..16, any::<(bool, bool)>()).prop_map(|(channel, (responses, gratuitous))| {
        SuspendArps { channel, suspended: ArpSuspension { responses, gratuitous } }
    });
    get_ip_statistics: GetIpStatistics = (0u8..16, any::<bool>())
        .prop_map(|(channel, clear)| GetIpStatistics { channel, clear });
    ip_statistics: IpStatistics = any::<[u16; 9]>().prop_map(|n| IpStatistics {
        ip_received: n[0], ip_header_errors: n[1], ip_address_errors: n[2], ip_fragments: n[3], ip_sent: n[4],
        udp_received: n[5], rmcp_received: n[6], proxy_received: n[7], proxy_dropped: n[8],
    });
}

proptest! {
    /// Whatever the parameter, its data are read from the answer as they were written.
    #[test]
    fn a_setting_is_read_as_it_was_written(setting in settings(), behind in vec(any::<u8>(), 0..4)) {
        let mut data = Vec::new();
        setting.encode(&mut data);
        let has_end = !matches!(
            setting,
            LanSetting::Other { .. } | LanSetting::Community(_) | LanSetting::CipherSuites(_)
        );
        if has_end {
            data.extend(behind);
        }
        let answer = ConfigurationData { revision: 0x11, data };
        prop_assert_eq!(answer.read(setting.parameter()), Ok(setting));
    }
}

/// Bytes as FreeIPMI and ipmitool exchange them with a BMC at 192.0.2.1.
#[test]
fn known_bytes() {
    use LanSetting as S;
    let privileges = |first: &[u8]| {
        let mut all = [Privilege::HIGHEST; 16];
        for (to, from) in all.iter_mut().zip(first) {
            *to = Privilege::new(*from);
        }
        all
    };
    for (bytes, setting) in [
        (
            &[1, 3, 192, 0, 2, 1][..],
            S::Ipv4Address(Ipv4Addr::new(192, 0, 2, 1)),
        ),
        (&[1, 4, 1], S::Ipv4Source(Ipv4Source::STATIC)),
        (
            &[1, 20, 0x2a, 0x81],
            S::VlanId(VlanId {
                enabled: true,
                id: 0x12a,
            }),
        ),
        (&[1, 8, 0x6f, 0x02], S::PrimaryPort(623)),
        (
            &[1, 24, 0, 0x43, 0x02, 0, 0, 0, 0, 0, 0],
            S::CipherSuitePrivileges(privileges(&[3, 4, 2])),
        ),
        (
            &[1, 26, 1, 3, 6, 0, 30, 0],
            S::BadPasswordThreshold(BadPasswordThreshold {
                logs_event: true,
                count: 3,
                reset_interval: 6,
                lockout_interval: 30,
            }),
        ),
    ] {
        let set = SetLanConfiguration {
            channel: 1,
            setting,
        };
        assert_eq!(set.to_bytes(), bytes);
        assert_eq!(SetLanConfiguration::from_bytes(bytes), Ok(set));
    }
    let community = S::Community("public".into());
    let set = SetLanConfiguration {
        channel: 1,
        setting: community,
    };
    assert_eq!(set.to_bytes(), [&[1, 16][..], b"public", &[0; 12]].concat());
}

fn settings() -> impl Strategy<Value = LanSetting> {
    use LanSetting as S;
    let mac = || any::<[u8; 6]>().prop_map(MacAddress);
    let v4 = || any::<[u8; 4]>().prop_map(Ipv4Addr::from);
    let v6 = || any::<[u8; 16]>().prop_map(Ipv6Addr::from);
    let byte = any::<u8>;
    prop_oneof![
        prop_oneof![
            (0u8..4).prop_map(S::SetInProgress),
            byte().prop_map(S::AuthenticationTypes),
            any::<[u8; 5]>().prop_map(S::AuthenticationEnables),
            v4().prop_map(S::Ipv4Address),
            byte().prop_map(|source| S::Ipv4Source(Ipv4Source::new(source))),
            mac().prop_map(S::MacAddress),
            v4().prop_map(S::SubnetMask),
            any::<[u8; 3]>().prop_map(S::Ipv4Header),
            any::<u16>().prop_map(S::PrimaryPort),
            any::<u16>().prop_map(S::SecondaryPort),
        ],
        prop_oneof![
            byte().prop_map(S::ArpControl),
            byte().prop_map(S::GratuitousArpInterval),
            v4().prop_map(S::Gateway),
            mac().prop_map(S::GatewayMac),
            v4().prop_map(S::BackupGateway),
            mac().prop_map(S::BackupGatewayMac),
            "[a-z]{0,18}".prop_map(|text| S::Community(Secret::from(text))),
            (0u8..16).prop_map(S::DestinationCount),
            (byte(), any::<bool>(), 0u8..8, byte(), 0u8..8).prop_map(
                |(set, acknowledged, kind, timeout, retries)| {
                    S::Destination(AlertDestination {
                        set,
                        acknowledged,
                        kind,
                        timeout,
                        retries,
                    })
                }
            ),
            (byte(), any::<bool>(), v4(), mac()).prop_map(
                |(set, by_backup_gateway, address, mac)| {
                    S::DestinationAddress(AlertDestinationAddress {
                        set,
                        by_backup_gateway,
                        address,
                        mac,
                    })
                }
            ),
        ],
        prop_oneof![
            (any::<bool>(), 0u16..4096).prop_map(|(enabled, id)| S::VlanId(VlanId { enabled, id })),
            (0u8..8).prop_map(S::VlanPriority),
            (0u8..32).prop_map(S::CipherSuiteCount),
            vec(byte(), 0..=16).prop_map(S::CipherSuites),
            any::<[u8; 16]>()
                .prop_map(|levels| S::CipherSuitePrivileges(levels.map(Privilege::new))),
            (byte(), any::<bool>(), any::<u16>()).prop_map(|(set, tagged, tag)| {
                S::DestinationVlan(AlertDestinationVlan { set, tagged, tag })
            }),
            (any::<bool>(), byte(), any::<(u16, u16)>()).prop_map(
                |(logs_event, count, (reset, lockout))| {
                    S::BadPasswordThreshold(BadPasswordThreshold {
                        logs_event,
                        count,
                        reset_interval: reset,
                        lockout_interval: lockout,
                    })
                }
            ),
            byte().prop_map(S::Ipv6Support),
            byte().prop_map(S::Addressing),
            byte().prop_map(S::Ipv6HopLimit),
        ],
        prop_oneof![
            any::<[u8; 3]>().prop_map(|b| S::Ipv6Limits(Ipv6Limits {
                static_addresses: b[0],
                dynamic_addresses: b[1],
                support: b[2],
            })),
            addresses(v6()).prop_map(S::Ipv6StaticAddress),
            addresses(v6()).prop_map(S::Ipv6DynamicAddress),
            byte().prop_map(S::Ipv6RouterControl),
            v6().prop_map(S::Ipv6Router1),
            mac().prop_map(S::Ipv6Router1Mac),
            byte().prop_map(S::Ipv6Router1PrefixLength),
            v6().prop_map(S::Ipv6Router1Prefix),
            v6().prop_map(S::Ipv6Router2),
        ],
        prop_oneof![
            mac().prop_map(S::Ipv6Router2Mac),
            byte().prop_map(S::Ipv6Router2PrefixLength),
            v6().prop_map(S::Ipv6Router2Prefix),
            byte().prop_map(S::Ipv6DynamicRouterCount),
            (byte(), v6()).prop_map(|(set, router)| S::Ipv6DynamicRouter(set, router)),
            (byte(), mac()).prop_map(|(set, mac)| S::Ipv6DynamicRouterMac(set, mac)),
            (byte(), byte())
                .prop_map(|(set, length)| S::Ipv6DynamicRouterPrefixLength(set, length)),
            (byte(), v6()).prop_map(|(set, prefix)| S::Ipv6DynamicRouterPrefix(set, prefix)),
            (192u8..=255, vec(byte(), 0..20)).prop_map(|(parameter, data)| S::Other {
                parameter: LanParameter(parameter),
                data,
            }),
        ],
    ]
}

fn addresses(address: impl Strategy<Value = Ipv6Addr>) -> impl Strategy<Value = Ipv6Address> {
    (any::<[u8; 4]>(), any::<bool>(), address).prop_map(|(b, enabled, address)| Ipv6Address {
        set: b[0],
        enabled,
        source: Ipv6Source::new(b[1]),
        address,
        prefix_length: b[2],
        status: Ipv6AddressStatus(b[3]),
    })
}
