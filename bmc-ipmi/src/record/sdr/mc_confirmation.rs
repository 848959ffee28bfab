//! Management controller confirmation record, §43.10.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// A management controller that was found: written by software that looks for controllers that come and go.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct McConfirmation {
    /// Its slave address.
    pub address: u8,
    /// Its device ID.
    pub device_id: u8,
    /// Its channel; four bits.
    pub channel: u8,
    /// Revision of its hardware; four bits.
    pub revision: u8,
    /// Major firmware revision.
    pub firmware_major: u8,
    /// Minor firmware revision, binary coded decimal.
    pub firmware_minor: u8,
    /// IPMI version, nibbles swapped.
    pub ipmi_version: u8,
    /// Manufacturer's enterprise number, 24 bits.
    pub manufacturer: u32,
    /// Chosen by the manufacturer.
    pub product: u16,
    /// Its GUID, in the order of the wire.
    pub guid: [u8; 16],
}

impl Wire for McConfirmation {
    const NAME: &'static str = "management controller confirmation record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [
            address,
            device_id,
            place,
            firmware_major,
            firmware_minor,
            ipmi_version,
        ] = r.array("controller address and version")?;
        let [low, middle, high] = r.array("manufacturer ID")?;
        Ok(Self {
            address,
            device_id,
            channel: place >> 4,
            revision: place & 0x0f,
            firmware_major,
            firmware_minor,
            ipmi_version,
            manufacturer: u32::from_le_bytes([low, middle, high, 0]),
            product: r.u16_le("product ID")?,
            guid: r.array("device GUID")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.address,
            self.device_id,
            self.channel << 4 | self.revision & 0x0f,
            self.firmware_major,
            self.firmware_minor,
            self.ipmi_version,
        ]);
        let [low, middle, high, _] = self.manufacturer.to_le_bytes();
        out.put_slice(&[low, middle, high]);
        out.put_u16_le(self.product);
        out.put_slice(&self.guid);
    }
}
