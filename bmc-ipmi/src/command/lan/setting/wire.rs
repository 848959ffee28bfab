//! Reading and writing the data of LAN configuration parameters.

use std::net::{Ipv4Addr, Ipv6Addr};

use bmc_core::Secret;
use bytes::BufMut;

use super::LanSetting;
use crate::codec::{DecodeError, Reader};
use crate::command::{
    AlertDestination, AlertDestinationAddress, AlertDestinationVlan, BadPasswordThreshold,
    Ipv4Source, Ipv6Address, Ipv6Limits, LanParameter, MacAddress, VlanId,
};
use crate::wire::Privilege;

impl LanSetting {
    /// Reads the data of a parameter; all of it where the number is unknown.
    ///
    /// # Errors
    /// The data end too early or cannot be.
    pub fn decode(parameter: LanParameter, r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match parameter {
            LanParameter::SET_IN_PROGRESS => Self::SetInProgress(r.u8("set in progress")? & 0x03),
            LanParameter::AUTHENTICATION_TYPES => {
                Self::AuthenticationTypes(r.u8("authentication types")?)
            }
            LanParameter::AUTHENTICATION_ENABLES => {
                Self::AuthenticationEnables(r.array("authentication enables")?)
            }
            LanParameter::IPV4_ADDRESS => Self::Ipv4Address(ipv4(r, "IPv4 address")?),
            LanParameter::IPV4_SOURCE => Self::Ipv4Source(Ipv4Source::new(r.u8("IPv4 source")?)),
            LanParameter::MAC_ADDRESS => Self::MacAddress(MacAddress::decode(r)?),
            LanParameter::SUBNET_MASK => Self::SubnetMask(ipv4(r, "subnet mask")?),
            LanParameter::IPV4_HEADER => Self::Ipv4Header(r.array("IPv4 header")?),
            LanParameter::PRIMARY_PORT => Self::PrimaryPort(r.u16_le("primary port")?),
            LanParameter::SECONDARY_PORT => Self::SecondaryPort(r.u16_le("secondary port")?),
            LanParameter::ARP_CONTROL => Self::ArpControl(r.u8("arp control")?),
            LanParameter::GRATUITOUS_ARP_INTERVAL => {
                Self::GratuitousArpInterval(r.u8("gratuitous arp interval")?)
            }
            LanParameter::GATEWAY => Self::Gateway(ipv4(r, "gateway")?),
            LanParameter::GATEWAY_MAC => Self::GatewayMac(MacAddress::decode(r)?),
            LanParameter::BACKUP_GATEWAY => Self::BackupGateway(ipv4(r, "backup gateway")?),
            LanParameter::BACKUP_GATEWAY_MAC => Self::BackupGatewayMac(MacAddress::decode(r)?),
            LanParameter::COMMUNITY => Self::Community(community(r)?),
            LanParameter::DESTINATION_COUNT => {
                Self::DestinationCount(r.u8("destination count")? & 0x0f)
            }
            LanParameter::DESTINATION => Self::Destination(AlertDestination::decode(r)?),
            LanParameter::DESTINATION_ADDRESS => {
                Self::DestinationAddress(AlertDestinationAddress::decode(r)?)
            }
            LanParameter::VLAN_ID => Self::VlanId(VlanId::decode(r)?),
            LanParameter::VLAN_PRIORITY => Self::VlanPriority(r.u8("vlan priority")? & 0x07),
            LanParameter::CIPHER_SUITE_COUNT => {
                Self::CipherSuiteCount(r.u8("cipher suite count")? & 0x1f)
            }
            LanParameter::CIPHER_SUITES => Self::CipherSuites(cipher_suites(r)?),
            LanParameter::CIPHER_SUITE_PRIVILEGES => {
                Self::CipherSuitePrivileges(cipher_suite_privileges(r)?)
            }
            LanParameter::DESTINATION_VLAN => {
                Self::DestinationVlan(AlertDestinationVlan::decode(r)?)
            }
            LanParameter::BAD_PASSWORD_THRESHOLD => {
                Self::BadPasswordThreshold(BadPasswordThreshold::decode(r)?)
            }
            LanParameter::IPV6_SUPPORT => Self::Ipv6Support(r.u8("IPv6 support")?),
            LanParameter::ADDRESSING => Self::Addressing(r.u8("addressing")?),
            LanParameter::IPV6_HOP_LIMIT => Self::Ipv6HopLimit(r.u8("IPv6 hop limit")?),
            LanParameter::IPV6_LIMITS => Self::Ipv6Limits(Ipv6Limits::decode(r)?),
            LanParameter::IPV6_STATIC_ADDRESS => Self::Ipv6StaticAddress(Ipv6Address::decode(r)?),
            LanParameter::IPV6_DYNAMIC_ADDRESS => Self::Ipv6DynamicAddress(Ipv6Address::decode(r)?),
            LanParameter::IPV6_ROUTER_CONTROL => {
                Self::Ipv6RouterControl(r.u8("IPv6 router control")?)
            }
            LanParameter::IPV6_ROUTER_1 => Self::Ipv6Router1(ipv6(r, "IPv6 router1")?),
            LanParameter::IPV6_ROUTER_1_MAC => Self::Ipv6Router1Mac(MacAddress::decode(r)?),
            LanParameter::IPV6_ROUTER_1_PREFIX_LENGTH => {
                Self::Ipv6Router1PrefixLength(r.u8("IPv6 router1 prefix length")?)
            }
            LanParameter::IPV6_ROUTER_1_PREFIX => {
                Self::Ipv6Router1Prefix(ipv6(r, "IPv6 router1 prefix")?)
            }
            LanParameter::IPV6_ROUTER_2 => Self::Ipv6Router2(ipv6(r, "IPv6 router2")?),
            LanParameter::IPV6_ROUTER_2_MAC => Self::Ipv6Router2Mac(MacAddress::decode(r)?),
            LanParameter::IPV6_ROUTER_2_PREFIX_LENGTH => {
                Self::Ipv6Router2PrefixLength(r.u8("IPv6 router2 prefix length")?)
            }
            LanParameter::IPV6_ROUTER_2_PREFIX => {
                Self::Ipv6Router2Prefix(ipv6(r, "IPv6 router2 prefix")?)
            }
            LanParameter::IPV6_DYNAMIC_ROUTER_COUNT => {
                Self::Ipv6DynamicRouterCount(r.u8("IPv6 dynamic router count")?)
            }
            LanParameter::IPV6_DYNAMIC_ROUTER => {
                Self::Ipv6DynamicRouter(r.u8("set selector")?, ipv6(r, "IPv6 dynamic router")?)
            }
            LanParameter::IPV6_DYNAMIC_ROUTER_MAC => {
                Self::Ipv6DynamicRouterMac(r.u8("set selector")?, MacAddress::decode(r)?)
            }
            LanParameter::IPV6_DYNAMIC_ROUTER_PREFIX_LENGTH => Self::Ipv6DynamicRouterPrefixLength(
                r.u8("set selector")?,
                r.u8("IPv6 dynamic router prefix length")?,
            ),
            LanParameter::IPV6_DYNAMIC_ROUTER_PREFIX => Self::Ipv6DynamicRouterPrefix(
                r.u8("set selector")?,
                ipv6(r, "IPv6 dynamic router prefix")?,
            ),
            parameter => Self::Other {
                parameter,
                data: r.rest().to_vec(),
            },
        })
    }

    /// Appends the data.
    pub fn encode(&self, out: &mut impl BufMut) {
        match self {
            Self::SetInProgress(value) => out.put_u8(value & 0x03),
            Self::AuthenticationTypes(value)
            | Self::ArpControl(value)
            | Self::GratuitousArpInterval(value)
            | Self::Ipv6Support(value)
            | Self::Addressing(value)
            | Self::Ipv6HopLimit(value)
            | Self::Ipv6RouterControl(value)
            | Self::Ipv6Router1PrefixLength(value)
            | Self::Ipv6Router2PrefixLength(value)
            | Self::Ipv6DynamicRouterCount(value) => out.put_u8(*value),
            Self::AuthenticationEnables(value) => out.put_slice(value),
            Self::Ipv4Address(value)
            | Self::SubnetMask(value)
            | Self::Gateway(value)
            | Self::BackupGateway(value) => out.put_slice(&value.octets()),
            Self::Ipv4Source(value) => out.put_u8(value.value()),
            Self::MacAddress(value)
            | Self::GatewayMac(value)
            | Self::BackupGatewayMac(value)
            | Self::Ipv6Router1Mac(value)
            | Self::Ipv6Router2Mac(value) => out.put_slice(&value.0),
            Self::Ipv4Header(value) => out.put_slice(value),
            Self::PrimaryPort(value) | Self::SecondaryPort(value) => out.put_u16_le(*value),
            Self::Community(value) => encode_community(value, out),
            Self::DestinationCount(value) => out.put_u8(value & 0x0f),
            Self::Destination(value) => value.encode(out),
            Self::DestinationAddress(value) => value.encode(out),
            Self::VlanId(value) => value.encode(out),
            Self::VlanPriority(value) => out.put_u8(value & 0x07),
            Self::CipherSuiteCount(value) => out.put_u8(value & 0x1f),
            Self::CipherSuites(value) => {
                out.put_u8(0);
                out.put_slice(value);
            }
            Self::CipherSuitePrivileges(value) => encode_cipher_suite_privileges(value, out),
            Self::DestinationVlan(value) => value.encode(out),
            Self::BadPasswordThreshold(value) => value.encode(out),
            Self::Ipv6Limits(value) => value.encode(out),
            Self::Ipv6StaticAddress(value) | Self::Ipv6DynamicAddress(value) => value.encode(out),
            Self::Ipv6Router1(value)
            | Self::Ipv6Router1Prefix(value)
            | Self::Ipv6Router2(value)
            | Self::Ipv6Router2Prefix(value) => out.put_slice(&value.octets()),
            Self::Ipv6DynamicRouter(set, value) | Self::Ipv6DynamicRouterPrefix(set, value) => {
                out.put_u8(*set);
                out.put_slice(&value.octets());
            }
            Self::Ipv6DynamicRouterMac(set, value) => {
                out.put_u8(*set);
                out.put_slice(&value.0);
            }
            Self::Ipv6DynamicRouterPrefixLength(set, value) => {
                out.put_u8(*set);
                out.put_u8(*value);
            }
            Self::Other { data, .. } => out.put_slice(data),
        }
    }
}

fn ipv4(r: &mut Reader<'_>, field: &'static str) -> Result<Ipv4Addr, DecodeError> {
    r.array(field).map(|octets: [u8; 4]| octets.into())
}

fn ipv6(r: &mut Reader<'_>, field: &'static str) -> Result<Ipv6Addr, DecodeError> {
    r.array(field).map(|octets: [u8; 16]| octets.into())
}

/// Some BMCs send it without the zeroes.
fn community(r: &mut Reader<'_>) -> Result<Secret, DecodeError> {
    let bytes = r.rest_within(LanSetting::MAX_COMMUNITY, "community string")?;
    let filling = bytes.iter().rev().take_while(|byte| **byte == 0).count();
    let length = bytes.len() - filling;
    Ok(Secret::new(bytes.get(..length).unwrap_or(bytes)))
}

fn encode_community(community: &Secret, out: &mut impl BufMut) {
    let text = community.expose();
    let text = text.get(..LanSetting::MAX_COMMUNITY).unwrap_or(text);
    out.put_slice(text);
    out.put_bytes(0, LanSetting::MAX_COMMUNITY - text.len());
}

fn cipher_suites(r: &mut Reader<'_>) -> Result<Vec<u8>, DecodeError> {
    r.u8("reserved byte")?;
    let suites = r.rest_within(16, "cipher suites")?;
    Ok(suites.to_vec())
}

/// Two suites a byte, the low nibble first.
fn cipher_suite_privileges(r: &mut Reader<'_>) -> Result<[Privilege; 16], DecodeError> {
    r.u8("reserved byte")?;
    let bytes: [u8; 8] = r.array("cipher suite privileges")?;
    let mut privileges = [Privilege::HIGHEST; 16];
    for (pair, byte) in privileges.chunks_exact_mut(2).zip(bytes) {
        if let [low, high] = pair {
            *low = Privilege::new(byte);
            *high = Privilege::new(byte >> 4);
        }
    }
    Ok(privileges)
}

fn encode_cipher_suite_privileges(privileges: &[Privilege; 16], out: &mut impl BufMut) {
    out.put_u8(0);
    for pair in privileges.chunks_exact(2) {
        if let [low, high] = pair {
            out.put_u8(low.value() | high.value() << 4);
        }
    }
}
