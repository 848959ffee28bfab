//! Who generated an event, §32.1 and §5.4.

use std::fmt;

/// The generator ID of an event: the two bytes of the record, in which a sensor's SDR names its owner too.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Generator(pub [u8; 2]);

/// Who generated an event.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EventSource {
    /// A controller.
    Controller {
        /// Its slave address, bit 0 clear; 20h is the BMC.
        address: u8,
        /// Channel on which it is reached.
        channel: u8,
        /// Its logical unit.
        lun: u8,
    },
    /// System software.
    Software {
        /// Its ID: seven bits.
        id: u8,
    },
}

impl Generator {
    /// The BMC itself.
    pub const BMC: Self = Self([0x20, 0x00]);
    /// Bit of the first byte: it holds a software ID.
    const SOFTWARE: u8 = 0x01;

    /// Software with this ID: seven bits.
    pub const fn software(id: u8) -> Self {
        Self([id << 1 | Self::SOFTWARE, 0])
    }

    /// What the bytes mean.
    pub const fn source(self) -> EventSource {
        let [owner, place] = self.0;
        if owner & Self::SOFTWARE != 0 {
            EventSource::Software { id: owner >> 1 }
        } else {
            EventSource::Controller {
                address: owner,
                channel: place >> 4,
                lun: place & 0x03,
            }
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source() {
            EventSource::Controller { address: 0x20, .. } => f.write_str("BMC"),
            EventSource::Controller { address, .. } => write!(f, "controller {address:02X}h"),
            EventSource::Software { id } => write!(f, "{} {id:02X}h", software(id)),
        }
    }
}

fn software(id: u8) -> &'static str {
    match id {
        0x00..=0x0f => "BIOS",
        0x10..=0x1f => "SMI handler",
        0x20..=0x2f => "system management software",
        0x30..=0x3f => "OEM software",
        0x40..=0x46 => "remote console",
        0x47 => "terminal mode console",
        _ => "software",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (bytes, name) in [
            ([0x20, 0x00], "BMC"),
            ([0x2c, 0x63], "controller 2Ch"),
            ([0x01, 0x00], "BIOS 00h"),
            ([0x33, 0x00], "SMI handler 19h"),
            ([0x41, 0x00], "system management software 20h"),
            ([0x81, 0x00], "remote console 40h"),
        ] {
            assert_eq!(Generator(bytes).to_string(), name);
        }
        assert_eq!(
            Generator([0x2c, 0x63]).source(),
            EventSource::Controller {
                address: 0x2c,
                channel: 6,
                lun: 3
            }
        );
    }
}
