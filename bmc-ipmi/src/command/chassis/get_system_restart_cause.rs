//! Get System Restart Cause, §28.11.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Asks why the host started last.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetSystemRestartCause;

without_data!(GetSystemRestartCause, "Get System Restart Cause");

impl Command for GetSystemRestartCause {
    type Response = SystemRestartCause;
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x07;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

/// Why the host started last.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SystemRestartCause {
    /// The cause.
    pub cause: RestartCause,
    /// The channel that the command came from, where a command was the cause.
    pub channel: u8,
}

impl Wire for SystemRestartCause {
    const NAME: &'static str = "Get System Restart Cause response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            cause: RestartCause::new(r.u8("restart cause")?),
            channel: r.optional_u8("channel number")?.unwrap_or_default(),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.cause.value(), self.channel]);
    }
}

/// A cause of a restart: four bits.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct RestartCause(u8);

code_table! {
    RestartCause, 0x0f, "restart cause":
    UNKNOWN = 0x0, "unknown";
    CHASSIS_CONTROL = 0x1, "Chassis Control command";
    RESET_BUTTON = 0x2, "reset button";
    POWER_BUTTON = 0x3, "power button";
    WATCHDOG = 0x4, "watchdog";
    OEM = 0x5, "OEM";
    POLICY_ALWAYS_ON = 0x6, "power restored, policy always on";
    POLICY_PREVIOUS = 0x7, "power restored, policy previous state";
    PEF_RESET = 0x8, "platform event filter, reset";
    PEF_POWER_CYCLE = 0x9, "platform event filter, power cycle";
    SOFT_RESET = 0xa, "soft reset";
    REAL_TIME_CLOCK = 0xb, "real-time clock";
}
