//! The header of SOL payloads, §15.9 tables 15-2 to 15-4; character data follow it.

use std::ops::BitOr;

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// The first four bytes of a SOL payload, in either direction.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SolHeader {
    /// Number of this packet, 1 to 15; 0: it only acknowledges, and is not acknowledged itself.
    pub sequence: u8,
    /// Number of the packet of the other side that is acknowledged, 1 to 15; 0: none.
    pub acknowledged: u8,
    /// How many characters of that packet were accepted.
    pub accepted: u8,
    /// Operation (console to BMC) or status (BMC to console).
    pub flags: SolFlags,
}

/// Operation and status bits. The two directions share the NACK bit only.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SolFlags(pub u8);

impl SolHeader {
    /// Length in bytes.
    pub const LENGTH: usize = 4;
    /// Longest character data in bytes: what [`accepted`](Self::accepted) can count.
    pub const MAX_DATA: usize = 255;
    /// Greatest packet number; the next is 1.
    pub const MAX_SEQUENCE: u8 = 15;

    /// The number after `sequence`.
    pub const fn next_sequence(sequence: u8) -> u8 {
        match sequence {
            Self::MAX_SEQUENCE.. => 1,
            _ => sequence + 1,
        }
    }
}

impl SolFlags {
    /// The acknowledged packet was not, or not entirely, processed: wait before you send again.
    pub const NACK: Self = Self(0x40);

    /// Console to BMC: ring, wakes the system where that is configured.
    pub const RING: Self = Self(0x20);
    /// Console to BMC: send a break to the serial port.
    pub const SEND_BREAK: Self = Self(0x10);
    /// Console to BMC: deassert CTS, so that the system stops sending.
    pub const PAUSE: Self = Self(0x08);
    /// Console to BMC: deassert DCD and DSR.
    pub const HANG_UP: Self = Self(0x04);
    /// Console to BMC: drop what the system has sent and the console has not received.
    pub const FLUSH_INBOUND: Self = Self(0x02);
    /// Console to BMC: drop what the console has sent and the system has not received.
    pub const FLUSH_OUTBOUND: Self = Self(0x01);

    /// BMC to console: characters cannot be transferred at the moment, for instance while the system is off.
    pub const UNAVAILABLE: Self = Self(0x20);
    /// BMC to console: SOL is being deactivated.
    pub const DEACTIVATING: Self = Self(0x10);
    /// BMC to console: characters of the system were lost before this packet.
    pub const OVERRUN: Self = Self(0x08);
    /// BMC to console: the serial port has seen a break.
    pub const BREAK_SEEN: Self = Self(0x04);

    /// Whether all bits of `flags` are set.
    pub const fn contains(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }
}

impl BitOr for SolFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Wire for SolHeader {
    const NAME: &'static str = "SOL payload";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            sequence: r.u8("packet sequence number")? & 0x0f,
            acknowledged: r.u8("acknowledged packet sequence number")? & 0x0f,
            accepted: r.u8("accepted character count")?,
            flags: SolFlags(r.u8("operation or status")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let numbers = [self.sequence & 0x0f, self.acknowledged & 0x0f];
        out.put_slice(&numbers);
        out.put_slice(&[self.accepted, self.flags.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Captured between ipmitool and OpenIPMI's simulator.
    #[test]
    fn known_bytes() {
        let break_packet = SolHeader {
            sequence: 2,
            flags: SolFlags::SEND_BREAK,
            ..SolHeader::default()
        };
        assert_eq!(break_packet.to_bytes(), [2, 0, 0, 0x10]);
        let acknowledgement = SolHeader {
            acknowledged: 5,
            accepted: 9,
            ..SolHeader::default()
        };
        assert_eq!(acknowledgement.to_bytes(), [0, 5, 9, 0]);
    }

    #[test]
    fn numbers_wrap_to_one() {
        let mut number = 13;
        let next = [(); 4].map(|()| {
            number = SolHeader::next_sequence(number);
            number
        });
        assert_eq!(next, [14, 15, 1, 2]);
    }
}
