//! Management controller device locator record, §43.9.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::Text;
use crate::record::sdr::name;
use crate::wire::Entity;

/// A management controller.
#[derive(Clone, Debug, PartialEq)]
pub struct McLocator {
    /// Its slave address.
    pub address: u8,
    /// Its channel; four bits.
    pub channel: u8,
    /// What it needs to know and how it starts. \[7\] ACPI system, \[6\] ACPI device power state notification, \[5\] static,
    /// \[3\] logs initialization errors, \[1:0\] event generation.
    pub notification: u8,
    /// What it supports: bits as in a Get Device ID response.
    pub support: u8,
    /// What it belongs to.
    pub entity: Entity,
    /// The manufacturer's own.
    pub oem: u8,
    /// Name.
    pub name: Text,
}

impl Wire for McLocator {
    const NAME: &'static str = "management controller device locator record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [address, channel, notification, support, _, _, _] =
            r.array("controller address and support")?;
        Ok(Self {
            address,
            channel: channel & 0x0f,
            notification,
            support,
            entity: Entity::decode(r)?,
            oem: r.u8("OEM")?,
            name: name::read(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let channel = self.channel & 0x0f;
        out.put_slice(&[self.address, channel, self.notification, self.support]);
        out.put_slice(&[0; 3]);
        self.entity.encode(out);
        out.put_u8(self.oem);
        name::write(&self.name, out);
    }
}
