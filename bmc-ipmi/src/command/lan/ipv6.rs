//! IPv6 addresses in LAN configuration parameters, §23.2 table 23-4.

use std::fmt;
use std::net::Ipv6Addr;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader};
use crate::command::bit;

/// What the BMC can do with IPv6, parameter 55.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Ipv6Limits {
    /// Number of static addresses that can be configured.
    pub static_addresses: u8,
    /// Number of addresses that the BMC can obtain by itself.
    pub dynamic_addresses: u8,
    /// How: \[1\] SLAAC, \[0\] DHCPv6.
    pub support: u8,
}

/// A static or dynamic address, parameters 56 and 59.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ipv6Address {
    /// Its number, from 0.
    pub set: u8,
    /// Whether a static address is enabled; a dynamic one always is.
    pub enabled: bool,
    /// Where it comes from.
    pub source: Ipv6Source,
    /// The address.
    pub address: Ipv6Addr,
    /// Length of its prefix in bits.
    pub prefix_length: u8,
    /// Whether it is in use. Not written.
    pub status: Ipv6AddressStatus,
}

/// Where an IPv6 address comes from: four bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Ipv6Source(u8);

/// State of an IPv6 address.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Ipv6AddressStatus(pub u8);

code_table! {
    Ipv6Source, 0x0f, "source":
    STATIC = 0, "static";
    SLAAC = 1, "SLAAC";
    DHCPV6 = 2, "DHCPv6";
}

impl Ipv6AddressStatus {
    /// In use.
    pub const ACTIVE: Self = Self(0);
    /// Disabled.
    pub const DISABLED: Self = Self(1);
    /// Being checked for duplicates.
    pub const PENDING: Self = Self(2);
    /// A duplicate was found.
    pub const FAILED: Self = Self(3);
    /// Its preferred lifetime is over.
    pub const DEPRECATED: Self = Self(4);
    /// Its valid lifetime is over.
    pub const INVALID: Self = Self(5);
}

impl fmt::Display for Ipv6AddressStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::ACTIVE => "active",
            Self::DISABLED => "disabled",
            Self::PENDING => "pending",
            Self::FAILED => "failed",
            Self::DEPRECATED => "deprecated",
            Self::INVALID => "invalid",
            Self(other) => return write!(f, "status {other:02X}h"),
        })
    }
}

impl Ipv6Limits {
    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            static_addresses: r.u8("static addresses")?,
            dynamic_addresses: r.u8("dynamic addresses")?,
            support: r.u8("SLAAC and DHCPv6 support")?,
        })
    }

    pub(in crate::command) fn encode(self, out: &mut impl BufMut) {
        out.put_slice(&[self.static_addresses, self.dynamic_addresses, self.support]);
    }
}

impl Ipv6Address {
    const ENABLED: u8 = 0x80;

    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let set = r.u8("set selector")?;
        let source = r.u8("address source")?;
        Ok(Self {
            set,
            enabled: source & Self::ENABLED != 0,
            source: Ipv6Source::new(source),
            address: r.array::<16>("IPv6 address")?.into(),
            prefix_length: r.u8("prefix length")?,
            status: Ipv6AddressStatus(r.optional_u8("address status")?.unwrap_or_default()),
        })
    }

    pub(in crate::command) fn encode(&self, out: &mut impl BufMut) {
        let enabled = bit(self.enabled, Self::ENABLED);
        out.put_slice(&[self.set, enabled | self.source.value()]);
        out.put_slice(&self.address.octets());
        out.put_slice(&[self.prefix_length, self.status.0]);
    }
}
