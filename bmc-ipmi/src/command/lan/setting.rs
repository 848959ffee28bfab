//! LAN configuration parameters with their values, §23.2 table 23-4.

mod wire;

use std::net::{Ipv4Addr, Ipv6Addr};

use bmc_core::Secret;

use crate::command::{
    AlertDestination, AlertDestinationAddress, AlertDestinationVlan, BadPasswordThreshold,
    Ipv4Source, Ipv6Address, Ipv6Limits, LanParameter, MacAddress, VlanId,
};
use crate::wire::Privilege;

/// A LAN configuration parameter and its value.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum LanSetting {
    /// 0: 0 set complete, 1 set in progress, 2 commit write.
    SetInProgress(u8),
    /// 1, read only: \[5\] OEM, \[4\] straight password, \[2\] MD5, \[1\] MD2, \[0\] none.
    AuthenticationTypes(u8),
    /// 2: the same bits for callback, user, operator, administrator and OEM.
    AuthenticationEnables([u8; 5]),
    /// 3.
    Ipv4Address(Ipv4Addr),
    /// 4.
    Ipv4Source(Ipv4Source),
    /// 5.
    MacAddress(MacAddress),
    /// 6.
    SubnetMask(Ipv4Addr),
    /// 7: time to live, \[7:5\] flags, \[7:5\] precedence and \[4:1\] type of service.
    Ipv4Header([u8; 3]),
    /// 8.
    PrimaryPort(u16),
    /// 9.
    SecondaryPort(u16),
    /// 10: \[1\] ARP responses, \[0\] gratuitous ARPs.
    ArpControl(u8),
    /// 11: in units of 500 ms.
    GratuitousArpInterval(u8),
    /// 12.
    Gateway(Ipv4Addr),
    /// 13.
    GatewayMac(MacAddress),
    /// 14.
    BackupGateway(Ipv4Addr),
    /// 15.
    BackupGatewayMac(MacAddress),
    /// 16: at most 18 bytes, without the zeroes that fill them up.
    Community(Secret),
    /// 17, read only: four bits.
    DestinationCount(u8),
    /// 18.
    Destination(AlertDestination),
    /// 19.
    DestinationAddress(AlertDestinationAddress),
    /// 20.
    VlanId(VlanId),
    /// 21: three bits.
    VlanPriority(u8),
    /// 22, read only: five bits.
    CipherSuiteCount(u8),
    /// 23, read only: at most 16 IDs.
    CipherSuites(Vec<u8>),
    /// 24: the highest privilege with each **entry of parameter 23, by position**; 0: the suite cannot be used.
    CipherSuitePrivileges([Privilege; 16]),
    /// 25.
    DestinationVlan(AlertDestinationVlan),
    /// 26.
    BadPasswordThreshold(BadPasswordThreshold),
    /// 50, read only: \[2\] IPv6 alerts, \[1\] both at a time, \[0\] IPv6 only.
    Ipv6Support(u8),
    /// 51: 0 IPv4 only, 1 IPv6 only, 2 both.
    Addressing(u8),
    /// 53.
    Ipv6HopLimit(u8),
    /// 55, read only.
    Ipv6Limits(Ipv6Limits),
    /// 56.
    Ipv6StaticAddress(Ipv6Address),
    /// 59, read only.
    Ipv6DynamicAddress(Ipv6Address),
    /// 64: \[1\] dynamic router, \[0\] static router.
    Ipv6RouterControl(u8),
    /// 65.
    Ipv6Router1(Ipv6Addr),
    /// 66.
    Ipv6Router1Mac(MacAddress),
    /// 67: bits.
    Ipv6Router1PrefixLength(u8),
    /// 68.
    Ipv6Router1Prefix(Ipv6Addr),
    /// 69.
    Ipv6Router2(Ipv6Addr),
    /// 70.
    Ipv6Router2Mac(MacAddress),
    /// 71: bits.
    Ipv6Router2PrefixLength(u8),
    /// 72.
    Ipv6Router2Prefix(Ipv6Addr),
    /// 73, read only.
    Ipv6DynamicRouterCount(u8),
    /// 74, read only: set selector and address.
    Ipv6DynamicRouter(u8, Ipv6Addr),
    /// 75, read only: set selector and MAC address.
    Ipv6DynamicRouterMac(u8, MacAddress),
    /// 76, read only: set selector and bits.
    Ipv6DynamicRouterPrefixLength(u8, u8),
    /// 77, read only: set selector and prefix.
    Ipv6DynamicRouterPrefix(u8, Ipv6Addr),
    /// Any other parameter.
    Other {
        /// Its number.
        parameter: LanParameter,
        /// Its data.
        data: Vec<u8>,
    },
}

impl LanSetting {
    /// Value of [`LanSetting::SetInProgress`]: set complete.
    pub const SET_COMPLETE: Self = Self::SetInProgress(0);
    /// Value of [`LanSetting::SetInProgress`]: set in progress.
    pub const SET_BEGUN: Self = Self::SetInProgress(1);
    /// Longest community string in bytes.
    pub const MAX_COMMUNITY: usize = 18;

    /// The parameter's number.
    pub fn parameter(&self) -> LanParameter {
        match self {
            Self::SetInProgress(..) => LanParameter::SET_IN_PROGRESS,
            Self::AuthenticationTypes(..) => LanParameter::AUTHENTICATION_TYPES,
            Self::AuthenticationEnables(..) => LanParameter::AUTHENTICATION_ENABLES,
            Self::Ipv4Address(..) => LanParameter::IPV4_ADDRESS,
            Self::Ipv4Source(..) => LanParameter::IPV4_SOURCE,
            Self::MacAddress(..) => LanParameter::MAC_ADDRESS,
            Self::SubnetMask(..) => LanParameter::SUBNET_MASK,
            Self::Ipv4Header(..) => LanParameter::IPV4_HEADER,
            Self::PrimaryPort(..) => LanParameter::PRIMARY_PORT,
            Self::SecondaryPort(..) => LanParameter::SECONDARY_PORT,
            Self::ArpControl(..) => LanParameter::ARP_CONTROL,
            Self::GratuitousArpInterval(..) => LanParameter::GRATUITOUS_ARP_INTERVAL,
            Self::Gateway(..) => LanParameter::GATEWAY,
            Self::GatewayMac(..) => LanParameter::GATEWAY_MAC,
            Self::BackupGateway(..) => LanParameter::BACKUP_GATEWAY,
            Self::BackupGatewayMac(..) => LanParameter::BACKUP_GATEWAY_MAC,
            Self::Community(..) => LanParameter::COMMUNITY,
            Self::DestinationCount(..) => LanParameter::DESTINATION_COUNT,
            Self::Destination(..) => LanParameter::DESTINATION,
            Self::DestinationAddress(..) => LanParameter::DESTINATION_ADDRESS,
            Self::VlanId(..) => LanParameter::VLAN_ID,
            Self::VlanPriority(..) => LanParameter::VLAN_PRIORITY,
            Self::CipherSuiteCount(..) => LanParameter::CIPHER_SUITE_COUNT,
            Self::CipherSuites(..) => LanParameter::CIPHER_SUITES,
            Self::CipherSuitePrivileges(..) => LanParameter::CIPHER_SUITE_PRIVILEGES,
            Self::DestinationVlan(..) => LanParameter::DESTINATION_VLAN,
            Self::BadPasswordThreshold(..) => LanParameter::BAD_PASSWORD_THRESHOLD,
            Self::Ipv6Support(..) => LanParameter::IPV6_SUPPORT,
            Self::Addressing(..) => LanParameter::ADDRESSING,
            Self::Ipv6HopLimit(..) => LanParameter::IPV6_HOP_LIMIT,
            Self::Ipv6Limits(..) => LanParameter::IPV6_LIMITS,
            Self::Ipv6StaticAddress(..) => LanParameter::IPV6_STATIC_ADDRESS,
            Self::Ipv6DynamicAddress(..) => LanParameter::IPV6_DYNAMIC_ADDRESS,
            Self::Ipv6RouterControl(..) => LanParameter::IPV6_ROUTER_CONTROL,
            Self::Ipv6Router1(..) => LanParameter::IPV6_ROUTER_1,
            Self::Ipv6Router1Mac(..) => LanParameter::IPV6_ROUTER_1_MAC,
            Self::Ipv6Router1PrefixLength(..) => LanParameter::IPV6_ROUTER_1_PREFIX_LENGTH,
            Self::Ipv6Router1Prefix(..) => LanParameter::IPV6_ROUTER_1_PREFIX,
            Self::Ipv6Router2(..) => LanParameter::IPV6_ROUTER_2,
            Self::Ipv6Router2Mac(..) => LanParameter::IPV6_ROUTER_2_MAC,
            Self::Ipv6Router2PrefixLength(..) => LanParameter::IPV6_ROUTER_2_PREFIX_LENGTH,
            Self::Ipv6Router2Prefix(..) => LanParameter::IPV6_ROUTER_2_PREFIX,
            Self::Ipv6DynamicRouterCount(..) => LanParameter::IPV6_DYNAMIC_ROUTER_COUNT,
            Self::Ipv6DynamicRouter(..) => LanParameter::IPV6_DYNAMIC_ROUTER,
            Self::Ipv6DynamicRouterMac(..) => LanParameter::IPV6_DYNAMIC_ROUTER_MAC,
            Self::Ipv6DynamicRouterPrefixLength(..) => {
                LanParameter::IPV6_DYNAMIC_ROUTER_PREFIX_LENGTH
            }
            Self::Ipv6DynamicRouterPrefix(..) => LanParameter::IPV6_DYNAMIC_ROUTER_PREFIX,
            Self::Other { parameter, .. } => *parameter,
        }
    }
}
