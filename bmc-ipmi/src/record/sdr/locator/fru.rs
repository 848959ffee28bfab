//! FRU device locator record, §43.8.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::record::Text;
use crate::record::sdr::name;
use crate::wire::Entity;

/// Where FRU inventory is. FRU 0 of the BMC exists even without a record.
#[derive(Clone, Debug, PartialEq)]
pub struct FruLocator {
    /// Slave address of the controller that has it, or that reaches it.
    pub access_address: u8,
    /// FRU ID for the FRU commands of the controller; a slave address if the device is not logical.
    pub device: u8,
    /// \[7\] a logical device, \[4:3\] LUN, \[2:0\] private bus.
    pub access: u8,
    /// Channel by which the BMC reaches the controller; four bits.
    pub channel: u8,
    /// What kind of device it is: 10h a logical FRU device.
    pub device_type: u8,
    /// More about that.
    pub modifier: u8,
    /// What the inventory describes.
    pub entity: Entity,
    /// The manufacturer's own.
    pub oem: u8,
    /// Name.
    pub name: Text,
}

impl FruLocator {
    /// A logical device of the BMC itself.
    pub fn of_bmc(device: u8, entity: Entity, name: Text) -> Self {
        Self {
            access_address: 0x20,
            device,
            access: 0x80,
            channel: 0,
            device_type: 0x10,
            modifier: 0,
            entity,
            oem: 0,
            name,
        }
    }

    /// The ID for the FRU commands; `None` if the device is a memory chip on a bus.
    pub fn logical_id(&self) -> Option<u8> {
        (self.access & 0x80 != 0).then_some(self.device)
    }

    /// The controller's LUN.
    pub fn lun(&self) -> u8 {
        self.access >> 3 & 0x03
    }
}

impl Wire for FruLocator {
    const NAME: &'static str = "FRU device locator record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [
            access_address,
            device,
            access,
            channel,
            _,
            device_type,
            modifier,
        ] = r.array("device address and type")?;
        Ok(Self {
            access_address,
            device,
            access,
            channel: channel >> 4,
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
            self.device,
            self.access,
            self.channel << 4,
            0,
            self.device_type,
            self.modifier,
        ]);
        self.entity.encode(out);
        out.put_u8(self.oem);
        name::write(&self.name, out);
    }
}
