//! Cold Reset and Warm Reset, §20.2 and §20.3.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Restarts the BMC as if it had been without power. Sessions end; an answer may never come.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ColdReset;

/// Restarts the BMC's firmware but keeps its settings, such as sensor thresholds. Sessions end; an answer may never
/// come.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WarmReset;

without_data!(ColdReset, "Cold Reset");
without_data!(WarmReset, "Warm Reset");

impl Command for ColdReset {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x02;
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

impl Command for WarmReset {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x03;
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}
