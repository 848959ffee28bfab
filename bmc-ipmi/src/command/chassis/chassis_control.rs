//! Chassis Control, §28.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Switches the host: four bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChassisControl(u8);

impl ChassisControl {
    /// Power down at once.
    pub const POWER_DOWN: Self = Self(0);
    /// Power up.
    pub const POWER_UP: Self = Self(1);
    /// Power down, then up again.
    pub const POWER_CYCLE: Self = Self(2);
    /// Reset without loss of power.
    pub const HARD_RESET: Self = Self(3);
    /// Pulse the diagnostic interrupt (NMI).
    pub const DIAGNOSTIC_INTERRUPT: Self = Self(4);
    /// Ask the operating system to shut down (ACPI).
    pub const SOFT_SHUTDOWN: Self = Self(5);

    /// The action in the low four bits of `value`.
    pub const fn new(value: u8) -> Self {
        Self(value & 0x0f)
    }

    /// The four bits.
    pub const fn value(self) -> u8 {
        self.0
    }
}

impl Wire for ChassisControl {
    const NAME: &'static str = "Chassis Control";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.u8("chassis control action").map(Self::new)
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u8(self.0);
    }
}

impl Command for ChassisControl {
    type Response = ();
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x02;
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;

    fn is_idempotent(&self) -> bool {
        matches!(*self, Self::POWER_DOWN | Self::POWER_UP)
    }
}
