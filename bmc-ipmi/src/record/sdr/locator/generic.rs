//! Generic device locator record, §43.7.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::Text;
use crate::record::sdr::name;
use crate::wire::Entity;

/// A device on a bus that is no controller, such as a temperature chip.
#[derive(Clone, Debug, PartialEq)]
pub struct GenericLocator {
    /// Slave address of the controller that reaches it; 0 if it is directly on an IPMB.
    pub access_address: u8,
    /// The device's slave address. \[0\] is the high bit of the channel.
    pub slave_address: u8,
    /// \[7:5\] low bits of the channel, \[4:3\] LUN, \[2:0\] private bus.
    pub bus: u8,
    /// Number of successive addresses beyond the first; three bits.
    pub span: u8,
    /// What kind of device it is, table 43-12.
    pub device_type: u8,
    /// More about that.
    pub modifier: u8,
    /// What it belongs to.
    pub entity: Entity,
    /// The manufacturer's own.
    pub oem: u8,
    /// Name.
    pub name: Text,
}

impl GenericLocator {
    /// The channel of the device.
    pub fn channel(&self) -> u8 {
        (self.slave_address & 1) << 3 | self.bus >> 5
    }
}

impl Wire for GenericLocator {
    const NAME: &'static str = "generic device locator record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [
            access_address,
            slave_address,
            bus,
            span,
            _,
            device_type,
            modifier,
        ] = r.array("device address and type")?;
        Ok(Self {
            access_address,
            slave_address,
            bus,
            span: span & 0x07,
            device_type,
            modifier,
            entity: Entity::decode(r)?,
            oem: r.u8("OEM")?,
            name: name::read(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.access_address,
            self.slave_address,
            self.bus,
            self.span & 0x07,
            0,
            self.device_type,
            self.modifier,
        ]);
        self.entity.encode(out);
        out.put_u8(self.oem);
        name::write(&self.name, out);
    }
}
