//! The numbers of the LAN configuration parameters, §23.2 table 23-4.

/// Number of a LAN configuration parameter.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct LanParameter(pub u8);

macro_rules! parameters {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        impl LanParameter {
            $(#[doc = concat!($text, ".")] pub const $name: Self = Self($number);)*

            /// All that the specification names, in order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// What it is; empty for OEM parameters.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    _ => "",
                }
            }
        }
    };
}

parameters! {
    SET_IN_PROGRESS = 0, "Set in progress";
    AUTHENTICATION_TYPES = 1, "Authentication types that the BMC supports";
    AUTHENTICATION_ENABLES = 2, "Authentication types that are enabled";
    IPV4_ADDRESS = 3, "IPv4 address";
    IPV4_SOURCE = 4, "IPv4 address source";
    MAC_ADDRESS = 5, "MAC address";
    SUBNET_MASK = 6, "Subnet mask";
    IPV4_HEADER = 7, "IPv4 header fields";
    PRIMARY_PORT = 8, "Primary RMCP port";
    SECONDARY_PORT = 9, "Secondary RMCP port";
    ARP_CONTROL = 10, "BMC-generated ARP control";
    GRATUITOUS_ARP_INTERVAL = 11, "Gratuitous ARP interval";
    GATEWAY = 12, "Default gateway";
    GATEWAY_MAC = 13, "Default gateway's MAC address";
    BACKUP_GATEWAY = 14, "Backup gateway";
    BACKUP_GATEWAY_MAC = 15, "Backup gateway's MAC address";
    COMMUNITY = 16, "Community string";
    DESTINATION_COUNT = 17, "Number of alert destinations";
    DESTINATION = 18, "Alert destination";
    DESTINATION_ADDRESS = 19, "Alert destination's address";
    VLAN_ID = 20, "VLAN ID";
    VLAN_PRIORITY = 21, "VLAN priority";
    CIPHER_SUITE_COUNT = 22, "Number of cipher suites";
    CIPHER_SUITES = 23, "Cipher suites";
    CIPHER_SUITE_PRIVILEGES = 24, "Highest privilege with each cipher suite";
    DESTINATION_VLAN = 25, "Alert destination's VLAN tag";
    BAD_PASSWORD_THRESHOLD = 26, "Bad password threshold";
    IPV6_SUPPORT = 50, "IPv6 and IPv4 support";
    ADDRESSING = 51, "IPv6 and IPv4 addressing enables";
    IPV6_TRAFFIC_CLASS = 52, "IPv6 static traffic class";
    IPV6_HOP_LIMIT = 53, "IPv6 static hop limit";
    IPV6_FLOW_LABEL = 54, "IPv6 flow label";
    IPV6_LIMITS = 55, "IPv6 status";
    IPV6_STATIC_ADDRESS = 56, "IPv6 static address";
    IPV6_STATIC_DUID_LENGTH = 57, "DHCPv6 static DUID storage length";
    IPV6_STATIC_DUID = 58, "DHCPv6 static DUID";
    IPV6_DYNAMIC_ADDRESS = 59, "IPv6 dynamic address";
    IPV6_DYNAMIC_DUID_LENGTH = 60, "DHCPv6 dynamic DUID storage length";
    IPV6_DYNAMIC_DUID = 61, "DHCPv6 dynamic DUID";
    DHCPV6_TIMING_SUPPORT = 62, "DHCPv6 timing configuration support";
    DHCPV6_TIMING = 63, "DHCPv6 timing configuration";
    IPV6_ROUTER_CONTROL = 64, "IPv6 router address configuration control";
    IPV6_ROUTER_1 = 65, "IPv6 static router 1";
    IPV6_ROUTER_1_MAC = 66, "IPv6 static router 1's MAC address";
    IPV6_ROUTER_1_PREFIX_LENGTH = 67, "IPv6 static router 1's prefix length";
    IPV6_ROUTER_1_PREFIX = 68, "IPv6 static router 1's prefix";
    IPV6_ROUTER_2 = 69, "IPv6 static router 2";
    IPV6_ROUTER_2_MAC = 70, "IPv6 static router 2's MAC address";
    IPV6_ROUTER_2_PREFIX_LENGTH = 71, "IPv6 static router 2's prefix length";
    IPV6_ROUTER_2_PREFIX = 72, "IPv6 static router 2's prefix";
    IPV6_DYNAMIC_ROUTER_COUNT = 73, "Number of dynamic IPv6 routers";
    IPV6_DYNAMIC_ROUTER = 74, "Dynamic IPv6 router";
    IPV6_DYNAMIC_ROUTER_MAC = 75, "Dynamic IPv6 router's MAC address";
    IPV6_DYNAMIC_ROUTER_PREFIX_LENGTH = 76, "Dynamic IPv6 router's prefix length";
    IPV6_DYNAMIC_ROUTER_PREFIX = 77, "Dynamic IPv6 router's prefix";
}

impl LanParameter {
    /// Whether there are several settings of it, told apart by a set selector at the front of the data.
    pub const fn has_sets(self) -> bool {
        matches!(self.0, 18 | 19 | 25 | 56 | 58 | 59 | 61 | 63 | 74..=77)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_in_order() {
        assert!(LanParameter::ALL.is_sorted());
        assert_eq!(LanParameter::GATEWAY.name(), "Default gateway");
        assert_eq!(LanParameter(192).name(), "");
    }
}
