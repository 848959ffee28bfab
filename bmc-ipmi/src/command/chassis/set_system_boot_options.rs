//! Set System Boot Options, §28.12.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{BootOption, Command};
use crate::wire::{CompletionCode, NetFn, Privilege};

/// Writes one boot parameter.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetSystemBootOptions {
    /// Whether to mark the parameter invalid or locked.
    pub locked: bool,
    /// The parameter.
    pub option: BootOption,
}

impl SetSystemBootOptions {
    /// Completion code: the parameter is not supported.
    pub const UNSUPPORTED: CompletionCode = CompletionCode(0x80);
    /// Completion code: somebody else is setting parameters.
    pub const SET_IN_PROGRESS: CompletionCode = CompletionCode(0x81);
    /// Completion code: the parameter can only be read.
    pub const READ_ONLY: CompletionCode = CompletionCode(0x82);

    /// Writes `option` without locking it.
    pub fn new(option: BootOption) -> Self {
        let locked = false;
        Self { locked, option }
    }
}

impl Wire for SetSystemBootOptions {
    const NAME: &'static str = "Set System Boot Options";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (locked, option) = BootOption::decode(r)?;
        Ok(Self { locked, option })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.option.encode(self.locked, out);
    }
}

impl Command for SetSystemBootOptions {
    type Response = ();
    const NETFN: NetFn = NetFn::CHASSIS;
    const CMD: u8 = 0x08;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::OPERATOR;
}
