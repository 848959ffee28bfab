//! Boot flags, boot parameter 5, §28.13 table 28-14.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// The boot override.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BootFlags {
    /// Whether firmware honours the flags at the next boot.
    pub valid: bool,
    /// Whether they hold for all later boots as well.
    pub persistent: bool,
    /// Whether to boot through EFI rather than in legacy mode.
    pub efi: bool,
    /// The device to boot from.
    pub device: BootFlagDevice,
    /// Data 2 apart from the device: \[7\] clear CMOS, \[6\] lock keyboard, \[1\] screen blank, \[0\] lock reset button.
    pub options: u8,
    /// Data 3: \[7\] lock power button, \[6:5\] verbosity, \[4\] progress traps, \[3\] password bypass, \[2\] lock sleep button,
    /// \[1:0\] console redirection.
    pub console: u8,
    /// Data 4: \[3\] shared mode, \[2:0\] BIOS multiplexer control.
    pub multiplexer: u8,
    /// Data 5: \[4:0\] device instance.
    pub instance: u8,
}

/// The device selector of the boot flags: four bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BootFlagDevice(u8);

impl BootFlagDevice {
    /// No override.
    pub const NONE: Self = Self(0);
    /// Network boot.
    pub const PXE: Self = Self(1);
    /// Default hard disk.
    pub const DISK: Self = Self(2);
    /// Default hard disk in safe mode.
    pub const SAFE_MODE: Self = Self(3);
    /// Diagnostic partition.
    pub const DIAGNOSTIC: Self = Self(4);
    /// CD or DVD.
    pub const CDROM: Self = Self(5);
    /// Firmware setup.
    pub const BIOS_SETUP: Self = Self(6);
    /// Remote floppy.
    pub const REMOTE_FLOPPY: Self = Self(7);
    /// Remote CD or DVD.
    pub const REMOTE_CDROM: Self = Self(8);
    /// Primary remote medium.
    pub const REMOTE_PRIMARY: Self = Self(9);
    /// Remote hard disk.
    pub const REMOTE_DISK: Self = Self(11);
    /// Floppy or primary removable medium.
    pub const FLOPPY: Self = Self(15);

    /// The device in the low four bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x0f)
    }

    /// The four bits.
    pub const fn value(self) -> u8 {
        self.0
    }
}

impl BootFlags {
    /// Bit of [`options`](Self::options): clear the CMOS.
    pub const CLEAR_CMOS: u8 = 0x80;
    /// Bit of [`options`](Self::options): lock the keyboard.
    pub const LOCK_KEYBOARD: u8 = 0x40;
    /// Bit of [`options`](Self::options): blank the screen.
    pub const BLANK_SCREEN: u8 = 0x02;
    /// Bit of [`options`](Self::options): lock the reset button.
    pub const LOCK_RESET: u8 = 0x01;
    /// Bit of [`console`](Self::console): lock the power button.
    pub const LOCK_POWER: u8 = 0x80;
    /// Bits of [`console`](Self::console): show little.
    pub const QUIET: u8 = 0x20;
    /// Bits of [`console`](Self::console): show much.
    pub const VERBOSE: u8 = 0x40;
    /// Bit of [`console`](Self::console): send progress as traps.
    pub const PROGRESS_TRAPS: u8 = 0x10;
    /// Bit of [`console`](Self::console): ask for no password.
    pub const BYPASS_PASSWORD: u8 = 0x08;
    /// Bit of [`console`](Self::console): lock the sleep button.
    pub const LOCK_SLEEP: u8 = 0x04;
    /// Bits of [`console`](Self::console): do not redirect the console.
    pub const SKIP_REDIRECTION: u8 = 0x01;
    /// Bits of [`console`](Self::console): redirect the console.
    pub const FORCE_REDIRECTION: u8 = 0x02;
    const VALID: u8 = 0x80;
    const PERSISTENT: u8 = 0x40;
    const EFI: u8 = 0x20;
    const OPTIONS: u8 = 0xc3;
}

impl Wire for BootFlags {
    const NAME: &'static str = "boot flags";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let data1 = r.u8("boot flags data 1")?;
        let data2 = r.u8("boot flags data 2")?;
        Ok(Self {
            valid: data1 & Self::VALID != 0,
            persistent: data1 & Self::PERSISTENT != 0,
            efi: data1 & Self::EFI != 0,
            device: BootFlagDevice::new(data2 >> 2),
            options: data2 & Self::OPTIONS,
            // Some BMCs leave out what they do not support.
            console: r.optional_u8("boot flags data 3")?.unwrap_or_default(),
            multiplexer: r.optional_u8("boot flags data 4")?.unwrap_or_default(),
            instance: r.optional_u8("boot flags data 5")?.unwrap_or_default(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        out.put_u8(
            bit(self.valid, Self::VALID)
                | bit(self.persistent, Self::PERSISTENT)
                | bit(self.efi, Self::EFI),
        );
        out.put_u8(self.device.value() << 2 | self.options & Self::OPTIONS);
        out.put_slice(&[self.console, self.multiplexer, self.instance]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As BMCs and other clients exchange them.
    #[test]
    fn known_bytes() {
        let flags = |valid, persistent, efi, device| BootFlags {
            valid,
            persistent,
            efi,
            device,
            ..BootFlags::default()
        };
        for (bytes, expected) in [
            ([0x80, 0x04], flags(true, false, false, BootFlagDevice::PXE)),
            ([0xa0, 0x04], flags(true, false, true, BootFlagDevice::PXE)),
            ([0xe0, 0x04], flags(true, true, true, BootFlagDevice::PXE)),
            (
                [0xa0, 0x14],
                flags(true, false, true, BootFlagDevice::CDROM),
            ),
            (
                [0xa0, 0x18],
                flags(true, false, true, BootFlagDevice::BIOS_SETUP),
            ),
            (
                [0x80, 0x08],
                flags(true, false, false, BootFlagDevice::DISK),
            ),
        ] {
            let full = [bytes[0], bytes[1], 0, 0, 0];
            assert_eq!(BootFlags::from_bytes(&bytes), Ok(expected));
            assert_eq!(expected.to_bytes(), full);
        }
    }
}
