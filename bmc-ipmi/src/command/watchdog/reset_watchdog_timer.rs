//! Reset Watchdog Timer, §27.5.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Starts the timer anew from its countdown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ResetWatchdogTimer;

impl ResetWatchdogTimer {
    /// Completion code: the timer has never been set.
    pub const UNINITIALIZED: CompletionCode = CompletionCode(0x80);
}

without_data!(ResetWatchdogTimer, "Reset Watchdog Timer");

impl Command for ResetWatchdogTimer {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x22;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
