//! Get Device GUID and Get System GUID, §20.8 and §22.14.

use std::fmt;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks for the GUID of the BMC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDeviceGuid;

/// Asks for the GUID of the machine; BMCs answer it without a session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSystemGuid;

without_data!(GetDeviceGuid, "Get Device GUID");
without_data!(GetSystemGuid, "Get System GUID");

impl Command for GetDeviceGuid {
    type Response = Guid;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x08;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

impl Command for GetSystemGuid {
    type Response = Guid;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x37;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::HIGHEST;
}

/// A GUID as it was sent: compare and store these bytes.
///
/// BMCs do not agree on the order of the bytes. [`Display`](fmt::Display) guesses it from the version and the variant
/// that every GUID carries; where the bytes fit no order they are shown as they are.
///
/// ```
/// use bmc_ipmi::command::Guid;
///
/// let smbios = [0x00, 0x0e, 0x37, 0x4f, 0x3c, 0x19, 0x01, 0x41, 0x9a, 0x8f, 0xac, 0x1f, 0x6b, 0x12, 0x34, 0x56];
/// assert_eq!(Guid(smbios).to_string(), "4f370e00-193c-4101-9a8f-ac1f6b123456");
/// ```
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Guid(pub [u8; 16]);

/// The order of a GUID's bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum GuidOrder {
    /// The first three fields with the least significant byte first, as in SMBIOS.
    Smbios,
    /// All bytes reversed, as the specification says.
    Ipmi,
    /// As people write it, as in RFC 9562.
    Text,
}

impl GuidOrder {
    /// The likeliest first.
    const ALL: [Self; 3] = [Self::Smbios, Self::Ipmi, Self::Text];
}

impl Guid {
    /// The order that the bytes seem to have; `None` where they fit none.
    pub fn order(&self) -> Option<GuidOrder> {
        GuidOrder::ALL
            .into_iter()
            .find(|order| is_plausible(&self.in_text_order(*order)))
    }

    /// The bytes as people write them, if they are sent in this order.
    pub fn in_text_order(&self, order: GuidOrder) -> [u8; 16] {
        let mut bytes = self.0;
        match order {
            GuidOrder::Text => {}
            GuidOrder::Ipmi => bytes.reverse(),
            GuidOrder::Smbios => {
                for field in [0..4, 4..6, 6..8] {
                    if let Some(field) = bytes.get_mut(field) {
                        field.reverse();
                    }
                }
            }
        }
        bytes
    }
}

/// Whether bytes in the order of text have a known version and the variant that goes with it.
fn is_plausible(text: &[u8; 16]) -> bool {
    let [_, _, _, _, _, _, version, _, variant, ..] = text;
    (1..=8).contains(&(version >> 4)) && variant >> 6 == 0b10
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.order().unwrap_or(GuidOrder::Text);
        for (index, byte) in self.in_text_order(order).iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guid({self})")
    }
}

impl Wire for Guid {
    const NAME: &'static str = "GUID";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.array("GUID").map(Self)
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&self.0);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_order_is_guessed_from_version_and_variant() {
        let text: [u8; 16] = *b"\x12\x34\x56\x78\x12\x34\x41\x0a\x92\x34\x56\x78\x9a\xbc\xde\xf0";
        for order in GuidOrder::ALL {
            // Each order undoes itself.
            let sent = Guid(Guid(text).in_text_order(order));
            assert_eq!(sent.order(), Some(order));
            assert_eq!(sent.to_string(), "12345678-1234-410a-9234-56789abcdef0");
        }
        let noise = Guid(*b"bmc-ipmi-sim-bmc");
        assert_eq!(noise.order(), None);
        assert_eq!(noise.to_string(), "626d632d-6970-6d69-2d73-696d2d626d63");
    }
}
