//! Values of several fields in LAN configuration parameters, §23.2 table 23-4.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader};
use crate::command::bit;

/// A MAC address, in the order in which people write it.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct MacAddress(pub [u8; 6]);

/// Where the IPv4 address comes from: four bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ipv4Source(u8);

/// The VLAN of the channel.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct VlanId {
    /// Whether the channel is on a VLAN.
    pub enabled: bool,
    /// Its ID, 12 bits.
    pub id: u16,
}

/// How an alert destination is alerted.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct AlertDestination {
    /// Its number; 0 is for one alert only.
    pub set: u8,
    /// Whether an acknowledgement is waited for.
    pub acknowledged: bool,
    /// What is sent: 0 a PET trap, 6 and 7 are OEM. Three bits.
    pub kind: u8,
    /// How long an acknowledgement is waited for, or the pause between repeats, in seconds.
    pub timeout: u8,
    /// Repeats, three bits.
    pub retries: u8,
}

/// Where an alert destination is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AlertDestinationAddress {
    /// Its number.
    pub set: u8,
    /// Whether the backup gateway is used.
    pub by_backup_gateway: bool,
    /// Its IPv4 address.
    pub address: Ipv4Addr,
    /// Its MAC address, where it is in the same network.
    pub mac: MacAddress,
}

/// The VLAN of an alert destination.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct AlertDestinationVlan {
    /// Its number.
    pub set: u8,
    /// Whether alerts are tagged.
    pub tagged: bool,
    /// The tag: \[15:13\] priority, \[12\] canonical format, \[11:0\] VLAN ID.
    pub tag: u16,
}

/// What happens after wrong passwords.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BadPasswordThreshold {
    /// Whether an event is logged when a user is locked out.
    pub logs_event: bool,
    /// So many wrong passwords lock a user out; 0: none do.
    pub count: u8,
    /// After so long without one the count begins anew, in units of ten seconds; 0: never.
    pub reset_interval: u16,
    /// A user is locked out for so long, in units of ten seconds; 0: until somebody enables them again.
    pub lockout_interval: u16,
}

code_table! {
    Ipv4Source, 0x0f, "source":
    UNSPECIFIED = 0, "unspecified";
    STATIC = 1, "static";
    DHCP = 2, "DHCP";
    BIOS = 3, "BIOS";
    OTHER = 4, "other";
}

impl VlanId {
    /// No VLAN.
    pub const NONE: Self = Self {
        enabled: false,
        id: 0,
    };
    const ENABLED: u16 = 0x8000;
    const ID: u16 = 0x0fff;

    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let value = r.u16_le("VLAN ID")?;
        Ok(Self {
            enabled: value & Self::ENABLED != 0,
            id: value & Self::ID,
        })
    }

    pub(in crate::command) fn encode(self, out: &mut impl BufMut) {
        let enabled = if self.enabled { Self::ENABLED } else { 0 };
        out.put_u16_le(enabled | self.id & Self::ID);
    }
}

impl AlertDestination {
    const ACKNOWLEDGED: u8 = 0x80;

    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let set = r.u8("set selector")?;
        let kind = r.u8("destination type")?;
        Ok(Self {
            set,
            acknowledged: kind & Self::ACKNOWLEDGED != 0,
            kind: kind & 0x07,
            timeout: r.u8("alert acknowledge timeout")?,
            retries: r.u8("retries")? & 0x07,
        })
    }

    pub(in crate::command) fn encode(self, out: &mut impl BufMut) {
        let acknowledged = bit(self.acknowledged, Self::ACKNOWLEDGED);
        let kind = acknowledged | self.kind & 0x07;
        out.put_slice(&[self.set, kind, self.timeout, self.retries & 0x07]);
    }
}

impl AlertDestinationAddress {
    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let set = r.u8("set selector")?;
        r.expect(r.clone().u8("address format")? >> 4, 0, "address format")?;
        r.u8("address format")?;
        Ok(Self {
            set,
            by_backup_gateway: r.u8("gateway selector")? & 1 != 0,
            address: r.array::<4>("alert IP address")?.into(),
            mac: MacAddress::decode(r)?,
        })
    }

    pub(in crate::command) fn encode(self, out: &mut impl BufMut) {
        out.put_slice(&[self.set, 0, self.by_backup_gateway.into()]);
        out.put_slice(&self.address.octets());
        out.put_slice(&self.mac.0);
    }
}

impl AlertDestinationVlan {
    const TAGGED: u8 = 0x10;

    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            set: r.u8("set selector")?,
            tagged: r.u8("address format")? & 0xf0 == Self::TAGGED,
            tag: r.u16_le("VLAN tag")?,
        })
    }

    pub(in crate::command) fn encode(self, out: &mut impl BufMut) {
        out.put_slice(&[self.set, bit(self.tagged, Self::TAGGED)]);
        out.put_u16_le(self.tag);
    }
}

impl BadPasswordThreshold {
    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            logs_event: r.u8("bad password event")? & 1 != 0,
            count: r.u8("bad password threshold")?,
            reset_interval: r.u16_le("attempt count reset interval")?,
            lockout_interval: r.u16_le("user lockout interval")?,
        })
    }

    pub(in crate::command) fn encode(self, out: &mut impl BufMut) {
        out.put_slice(&[self.logs_event.into(), self.count]);
        out.put_u16_le(self.reset_interval);
        out.put_u16_le(self.lockout_interval);
    }
}

impl MacAddress {
    pub(in crate::command) fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.array("MAC address").map(Self)
    }
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// Six bytes in hexadecimal between colons.
impl FromStr for MacAddress {
    type Err = InvalidMacAddress;

    fn from_str(text: &str) -> Result<Self, InvalidMacAddress> {
        let mut bytes = [0; 6];
        let mut parts = text.split(':');
        for byte in &mut bytes {
            let part = parts.next().unwrap_or_default();
            let is_plain = part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
            match u8::from_str_radix(part, 16) {
                Ok(value) if is_plain => *byte = value,
                _ => return Err(InvalidMacAddress { text: text.into() }),
            }
        }
        match parts.next() {
            None => Ok(Self(bytes)),
            Some(_) => Err(InvalidMacAddress { text: text.into() }),
        }
    }
}

/// A text that is no MAC address.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
    "{text:?} is no MAC address: write six bytes in hexadecimal with colons, such as 00:1b:21:c0:ff:ee"
)]
pub struct InvalidMacAddress {
    text: String,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn mac_addresses_are_read_and_written() {
        let mac: MacAddress = "00:1b:21:c0:FF:ee".parse().unwrap();
        assert_eq!(mac, MacAddress([0, 0x1b, 0x21, 0xc0, 0xff, 0xee]));
        assert_eq!(mac.to_string(), "00:1b:21:c0:ff:ee");
        for wrong in [
            "",
            "00:1b:21:c0:ff",
            "00:1b:21:c0:ff:ee:00",
            "0:1:2:3:4:5",
            "+1:1b:21:c0:ff:ee",
        ] {
            assert!(wrong.parse::<MacAddress>().is_err(), "{wrong}");
        }
    }
}
