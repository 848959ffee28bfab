//! Who asks for a boot and who handles it: boot parameters 4, 6 and 7, §28.13 table 28-14.

use std::ops::BitOr;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// Agents that handle a boot, one bit each. The one who asks for a boot clears them; each agent sets its own when it has
/// read the flags, so that a later one does not act on them again.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BootAgents(u8);

impl BootAgents {
    /// Nobody.
    pub const NONE: Self = Self(0x00);
    /// BIOS or POST.
    pub const BIOS: Self = Self(0x01);
    /// Operating system loader.
    pub const OS_LOADER: Self = Self(0x02);
    /// Operating system or service partition.
    pub const OS: Self = Self(0x04);
    /// System management software.
    pub const SMS: Self = Self(0x08);
    /// OEM.
    pub const OEM: Self = Self(0x10);
    /// All of them.
    pub const ALL: Self = Self(0x1f);

    /// The agents in `value`; BMCs set reserved bits, which are kept.
    pub const fn new(value: u8) -> Self {
        Self(value)
    }

    /// The bits.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Whether all of `agents` are among these.
    pub const fn contains(self, agents: Self) -> bool {
        self.0 & agents.0 == agents.0
    }
}

impl BitOr for BootAgents {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Who has asked for the boot.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BootInitiatorInfo {
    /// The channel, four bits.
    pub channel: u8,
    /// The BMC's session ID.
    pub session_id: u32,
    /// When, as the one who asked says: seconds since 1970.
    pub timestamp: u32,
}

impl Wire for BootInitiatorInfo {
    const NAME: &'static str = "boot initiator info";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            channel: r.u8("channel number")? & 0x0f,
            session_id: r.u32_le("session ID")?,
            timestamp: r.u32_le("time stamp")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.channel & 0x0f);
        out.put_u32_le(self.session_id);
        out.put_u32_le(self.timestamp);
    }
}

/// One block of a message to the agents that handle a boot. Block 0 begins with the enterprise number of its format,
/// three bytes, least significant first.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct BootMailbox {
    /// Which block, from 0.
    pub block: u8,
    /// Its data, at most [`BootMailbox::BLOCK`] bytes.
    pub data: Vec<u8>,
}

impl BootMailbox {
    /// Length of a block in bytes. BMCs have five of them or more.
    pub const BLOCK: usize = 16;
}

impl Wire for BootMailbox {
    const NAME: &'static str = "boot initiator mailbox";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let block = r.u8("block selector")?;
        let length = r.remaining().min(Self::BLOCK);
        let data = r.take(length, "block data")?.to_vec();
        Ok(Self { block, data })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.block);
        let length = self.data.len().min(Self::BLOCK);
        out.put_slice(self.data.get(..length).unwrap_or_default());
    }
}
