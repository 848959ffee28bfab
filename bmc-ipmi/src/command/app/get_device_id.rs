//! Get Device ID, §20.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks what the BMC is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetDeviceId;

without_data!(GetDeviceId, "Get Device ID");

impl Command for GetDeviceId {
    type Response = DeviceId;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x01;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// What the BMC is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeviceId {
    /// Chosen by the manufacturer.
    pub device_id: u8,
    /// Byte 2: \[7\] has device SDRs, \[3:0\] revision of the hardware.
    pub revision: u8,
    /// Byte 3: \[7\] firmware update or initialization in progress, \[6:0\] major firmware revision.
    pub firmware_major: u8,
    /// Minor firmware revision, binary coded decimal.
    pub firmware_minor: u8,
    /// IPMI version, nibbles swapped: 02h is 2.0, 51h is 1.5.
    pub ipmi_version: u8,
    /// What the device supports, one bit each: \[7\] chassis … \[0\] sensors.
    pub support: u8,
    /// Manufacturer's enterprise number, 20 bits.
    pub manufacturer: u32,
    /// Chosen by the manufacturer.
    pub product: u16,
    /// More about the firmware; optional on the wire.
    pub auxiliary: Option<[u8; 4]>,
}

impl DeviceId {
    /// Firmware version as people write it: major, dot, two digits.
    pub fn firmware(&self) -> String {
        format!("{}.{:02x}", self.firmware_major & 0x7f, self.firmware_minor)
    }

    /// IPMI version as major and minor number.
    pub fn ipmi(&self) -> (u8, u8) {
        (self.ipmi_version & 0x0f, self.ipmi_version >> 4)
    }
}

impl Wire for DeviceId {
    const NAME: &'static str = "Get Device ID response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let device_id = r.u8("device ID")?;
        let revision = r.u8("device revision")?;
        let firmware_major = r.u8("firmware revision 1")?;
        let firmware_minor = r.u8("firmware revision 2")?;
        let ipmi_version = r.u8("IPMI version")?;
        let support = r.u8("additional device support")?;
        let [low, middle, high] = r.array("manufacturer ID")?;
        let product = r.u16_le("product ID")?;
        let auxiliary = match r.remaining() {
            0..4 => None,
            _ => Some(r.array("auxiliary firmware revision")?),
        };
        Ok(Self {
            device_id,
            revision,
            firmware_major,
            firmware_minor,
            ipmi_version,
            support,
            manufacturer: u32::from_le_bytes([low, middle, high, 0]),
            product,
            auxiliary,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[
            self.device_id,
            self.revision,
            self.firmware_major,
            self.firmware_minor,
            self.ipmi_version,
            self.support,
        ]);
        let [low, middle, high, _] = self.manufacturer.to_le_bytes();
        out.put_slice(&[low, middle, high]);
        out.put_u16_le(self.product);
        if let Some(auxiliary) = &self.auxiliary {
            out.put_slice(auxiliary);
        }
    }
}
